import { abilityIn, denied, organizationOf } from '../../access/index.ts';
import { badRequest, eventOf, inTransaction, type Ability, type Context, type Watch } from '../../kernel/index.ts';
import { revisionOf, revisionTag } from '../commit/index.ts';
import { commitsAfter, type Commits, type Side } from './commits.ts';
import { eventsOf, wantedBy } from './events.ts';
import { importersOf, type Importer } from './importers.ts';
import { positionOf, secretsWatched, WATCHED, type WatchItem, type WatchSecrets } from './watch.ts';

/** Commits that are looked through at a time. */
const BATCH = 50;
/** Milliseconds for which those who follow one project share what was read for one of them. */
const SHARED = 1000;

export interface WatchOptions {
  /** Ends the watch when whoever asked is gone. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the caller still is who it was, at any time while this lasts; throws where not. */
  readonly stillCalls?: () => Promise<void>;
}

/**
 * Tells of what happens to the secrets of a project from now on, or from where the caller was told the last time, in the
 * order of the commits: nothing is left out, and after an interruption some of the last commit may come twice. It is read
 * from the history when the reader asks for the next, so that a slow one costs no memory. Each secret is asked about with
 * the caller's rights of that moment.
 *
 * @throws DomainError 404 where the caller is no member of the project; 403 without the right to one of the events at a
 * place that is named, or anywhere; 400 for a position that is none; 429 where there are too many watches. While it lasts:
 * the same, and 401, as soon as one of them has come true; 503 where the server stops.
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
  return tell(ctx, input, watch, start, () => signal?.removeEventListener('abort', close));
}

/** Who was told the last time by another process may come before this one has heard of what that was. */
async function startOf(ctx: Context, { projectId, lastEventId }: WatchSecrets): Promise<bigint> {
  const present = BigInt(await revisionOf(ctx, projectId));
  const start = lastEventId ? positionOf(lastEventId) : present;
  if (start > present && start > BigInt(await inTransaction(ctx, (tx) => revisionOf(tx, projectId))))
    throw badRequest('watch.future', 'The position is not valid: read everything, then subscribe without a position');
  return start;
}

async function* tell(
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
          // Until all of a commit is told, whoever comes back is told of it anew.
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

/** Where a place is named, the right is asked there; else there has to be some rule that grants it. */
async function requireRights(ctx: Context, { projectId, register }: WatchSecrets): Promise<void> {
  const ability = await abilityIn(ctx, projectId);
  for (const { event, conditions } of register) {
    const permission = WATCHED[event];
    ctx.granted.add(permission.key);
    const { environmentSlug: environment, secretPath } = conditions ?? {};
    if (environment !== undefined && secretPath !== undefined && isExact(secretPath)) {
      const place = { environment, secretPath };
      if (!ability.can(permission, place)) throw denied(ability, permission, place);
    } else if (isNowhere(ability, permission)) throw denied(ability, permission);
  }
}

const isNowhere = (ability: Ability, permission: (typeof WATCHED)[keyof typeof WATCHED]): boolean =>
  ability.rulesFor(permission).every(({ inverted }) => inverted);

interface Read extends Commits {
  readonly importersFrom: (source: Side) => readonly Importer[];
}

/**
 * The commits after a position. All who stand there in this process share what is read for one of them: commits never
 * change, and what was read when a revision was known already holds all up to it.
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
