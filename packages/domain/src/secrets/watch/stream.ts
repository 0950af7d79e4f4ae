import { abilityIn, allowsNothing, denied, organizationOf } from '../../access/index.ts';
import { badRequest, eventOf, inTransaction, type Context, type Watch } from '../../kernel/index.ts';
import { revisionOf, revisionTag } from '../commit/index.ts';
import { commitsAfter, type Commits } from './commits.ts';
import { eventsOf, wantedBy } from './events.ts';
import { importersOf, type ImportersOf } from './importers.ts';
import { positionOf, secretsWatched, WATCHED, type WatchItem, type WatchSecrets } from './watch.ts';

/** Commits that are looked through at a time. */
const BATCH = 50;
/** Milliseconds for which streams of one project share what one of them has read. */
const SHARED = 1000;

export interface WatchOptions {
  /** Ends the watch when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the caller still is who it was, at any time while this lasts; throws where not. */
  readonly stillCalls?: () => Promise<void>;
}

/**
 * Streams the changes of a project's secrets from now on, or after the caller's last position, in the order of the
 * commits: nothing is lost, and after an interruption part of the last commit may be repeated. Events are read from the
 * history on demand, so that slow readers cost no memory. Each secret is authorized with the caller's current
 * permissions.
 *
 * @throws DomainError 404 if the caller is not a member of the project; 403 without the permission for one of the
 * events at a given location, or anywhere; 400 for an invalid position; 429 if there are too many watches. During the
 * stream: the same, and 401, as soon as one of them applies; 503 when the server stops.
 */
export async function watchSecrets(
  ctx: Context,
  input: WatchSecrets,
  { signal, stillCalls }: WatchOptions = {},
): Promise<AsyncIterableIterator<WatchItem>> {
  const { projectId } = input;
  await requireRights(ctx, input);
  const start = await startOf(ctx, input);
  const caller = { organizationId: organizationOf(ctx), actorId: 'id' in ctx.actor ? ctx.actor.id : '' };
  const watch = ctx.watches.open(revisionTag(projectId), caller, async () => {
    await stillCalls?.();
    await requireRights(ctx, input);
  });
  try {
    await ctx.commitRead(eventOf(secretsWatched, { register: registered(input) }, { projectId }), ctx);
  } catch (error) {
    watch.close();
    throw error;
  }
  const close = () => watch.close();
  if (signal?.aborted) close();
  signal?.addEventListener('abort', close, { once: true });
  return send(ctx, input, watch, start, () => signal?.removeEventListener('abort', close));
}

/** A client may reconnect with a position of another process before this process knows that revision. */
async function startOf(ctx: Context, { projectId, lastEventId }: WatchSecrets): Promise<bigint> {
  const present = BigInt(await revisionOf(ctx, projectId));
  const start = lastEventId ? positionOf(lastEventId) : present;
  if (start > present && start > BigInt(await inTransaction(ctx, (tx) => revisionOf(tx, projectId))))
    throw badRequest('watch.future', 'The position is not valid: read everything, then subscribe without a position');
  return start;
}

async function* send(
  ctx: Context,
  input: WatchSecrets,
  watch: Watch,
  start: bigint,
  cleanUp: () => void,
): AsyncGenerator<WatchItem, undefined> {
  const wanted = wantedBy(input);
  let position = start;
  try {
    yield { id: position.toString() };
    for (;;) {
      const { commits, isMore, importersFrom } = await read(ctx, input.projectId, position);
      for (const commit of commits) {
        const events = await eventsOf(commit, importersFrom, await abilityIn(ctx, input.projectId), wanted);
        for (const [index, event] of events.entries()) {
          if (!watch.isOpen()) return;
          // Until a commit is sent completely, a reconnecting client gets all of it again.
          yield { id: (index === events.length - 1 ? commit.revision : position).toString(), event };
        }
        position = commit.revision;
      }
      if (!watch.isOpen()) return;
      if (!isMore) await watch.next();
      if (!watch.isOpen()) return;
    }
  } finally {
    cleanUp();
    watch.close();
  }
}

const registered = ({ register }: WatchSecrets) =>
  register.map(({ event, conditions }) => ({
    event,
    environment: conditions?.environmentSlug ?? null,
    secretPath: conditions?.secretPath ?? null,
  }));

const isExact = (path: string): boolean => /^[A-Za-z0-9_/-]+$/.test(path);

/** With a location, the permission is checked there; otherwise some rule must grant it. */
async function requireRights(ctx: Context, { projectId, register }: WatchSecrets): Promise<void> {
  const ability = await abilityIn(ctx, projectId);
  for (const { event, conditions } of register) {
    const permission = WATCHED[event];
    ctx.granted.add(permission.key);
    const { environmentSlug: environment, secretPath } = conditions ?? {};
    if (environment !== undefined && secretPath !== undefined && isExact(secretPath)) {
      const place = { environment, secretPath };
      if (!ability.can(permission, place)) throw denied(ability, permission, place);
    } else if (allowsNothing(ability, permission)) throw denied(ability, permission);
  }
}

interface Read extends Commits {
  readonly importersFrom: ImportersOf;
}

/**
 * The commits after a position. All streams at this position in this process share one read: commits never change, and
 * a read at a known revision contains everything up to it.
 */
async function read(ctx: Context, projectId: string, after: bigint): Promise<Read> {
  const present = await revisionOf(ctx, projectId);
  if (BigInt(present) <= after) return NOTHING;
  const entries = ctx.commitReads as Map<string, Promise<Read>>;
  const key = `${organizationOf(ctx)}/${projectId}/${after}/${present}`;
  const known = entries.get(key);
  if (known) return known;
  const reading = readAnew(ctx, projectId, after);
  entries.set(key, reading);
  const invalidate = () => void entries.delete(key);
  reading.then(() => setTimeout(invalidate, SHARED).unref(), invalidate);
  return reading;
}

const NOTHING: Read = { commits: [], isMore: false, importersFrom: () => [] };

async function readAnew(ctx: Context, projectId: string, after: bigint): Promise<Read> {
  const next = await commitsAfter(ctx, { projectId }, after, BATCH);
  const sides = next.commits.flatMap(({ changes }) =>
    changes.flatMap((change) => [change.before ?? [], change.after ?? []].flat()),
  );
  return { ...next, importersFrom: await importersOf(ctx, projectId, sides) };
}
