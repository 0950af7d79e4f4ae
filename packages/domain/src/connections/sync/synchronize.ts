import { isRemote, type RemoteSession } from '../../family/index.ts';
import { badRequest, DomainError, type Context } from '../../kernel/index.ts';
import { beginWork, connect } from '../connection/index.ts';
import { connectors, syncs } from '../registry.ts';
import { compare, nameAll, type Difference, type Entry, type Named, type Naming } from './difference.ts';
import { confirm, entriesOf, intend } from './entries.ts';
import { openHash, type Hash } from './hash.ts';
import { importable, importInto } from './initial.ts';
import type { Run } from './run.ts';
import { openSession, type Outcome, type Session } from './session.ts';
import { readSource, rightsIn, type Source } from './source.ts';
import type { ConfiguredSync } from './sync.ts';

/** What came of a sync. */
export interface Synced {
  /** Why it did not succeed, for people; absent where it did. */
  readonly failure?: string;
  /** Seconds after which the other side wants to be asked again, where it said so. */
  readonly retryAfter?: number | undefined;
  /** Whether it only ran out of time, and got further than the one before. */
  readonly isHalfway?: boolean;
  /** Whether trying again is of no use before something else is asked for: nothing was left undone but what cannot be. */
  readonly isFinal?: boolean;
  /** Whether nothing had changed since the last one, so that nobody was asked. */
  readonly isIdle?: boolean;
  /** Of what is at the target now; absent where that is not all that should be. */
  readonly sourceHash?: Buffer;
  /** Whether what was there before is settled; absent where this sync did not come so far. */
  readonly isInitialized?: true;
  readonly written: number;
  readonly removed: number;
}

/**
 * Makes a target hold what the source does: reads the source, as far as whoever set the sync up still may, asks
 * the target what is there, and carries out the difference. Whatever goes wrong is told in words that hold no credential and no value.
 */
export async function synchronize(ctx: Context, run: Run): Promise<Synced> {
  const remote = beginWork(ctx);
  try {
    return await synchronizeBy(ctx, run, remote);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { failure: remote.redact(error.message), retryAfter: error.retryAfter, written: 0, removed: 0 };
  }
}

async function synchronizeBy(ctx: Context, run: Run, remote: RemoteSession): Promise<Synced> {
  const place = locationOf(run);
  const configured = configuredBy(run);
  const hash = await hashFor(ctx, run, configured);
  const rights = await rightsIn(ctx, run);
  let source = await readSource(ctx, place, rights);
  remote.hideValues(source.values.values());
  const sourceHash = () => hash(run.configuration, ...[...source.values].toSorted(byName).flat());
  if (run.isSynced && run.sourceHash?.equals(sourceHash()))
    return { isIdle: true, sourceHash: run.sourceHash, written: 0, removed: 0 };

  const session = await openTarget(ctx, run, configured, remote);
  const entries = await entriesOf(ctx, run);
  const nameThere = () => nameAll(source.values, namingOf(configured), configured.layout.limits);
  const present = await session.list([...new Set([...nameThere().wanted.keys(), ...entries.keys()])]);
  remote.hideValues(present.values());
  const taken = run.isInitialized ? [] : importable(present, source.values, configured.options);
  if (taken.length > 0) {
    await importInto(ctx, place, rights, taken);
    source = await readSource(ctx, place, rights);
    remote.hideValues(source.values.values());
  }
  const named = nameThere();
  const { secrets: most } = configured.layout.limits;
  if (named.wanted.size > most)
    throw badRequest('secret_sync.too_many', `${named.wanted.size} secrets are more than the ${most} that fit there`);
  const writeOnly = configured.sync.writeOnly === true;
  const difference = compare({
    ...named,
    present,
    entries,
    hash,
    writeOnly,
    mayRemove: !configured.options.disableSecretDeletion,
  });
  // Values are read when they leave.
  if (difference.puts.length > 0) for (const read of source.reads) await ctx.commitRead(read, ctx);
  const outcome = await carryOut(ctx, run, session, difference, { entries, hash, writeOnly });
  const failure = faultsOf(named.rejected, outcome, named.wanted.size + named.rejected.size);
  const counts = { written: outcome.put.length, removed: outcome.removed.length, isInitialized: true } as const;
  if (failure === undefined) return { ...counts, sourceHash: sourceHash() };
  const isHalfway = isRemote(outcome.stopped, 'exhausted') && outcome.put.length + outcome.removed.length > 0;
  const how = { retryAfter: outcome.stopped?.retryAfter, isHalfway, isFinal: outcome.isWhole };
  return { ...counts, ...how, failure: remote.redact(failure) };
}

/**
 * Removes at a target what a sync has put there, within this many milliseconds. Where something remains, that is
 * for whoever asked.
 */
export async function removeAll(ctx: Context, run: Run, budgetMs: number): Promise<Synced> {
  const remote = beginWork(ctx, budgetMs);
  try {
    return { isFinal: true, ...(await removeAllBy(ctx, run, remote)) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { isFinal: true, failure: remote.redact(error.message), written: 0, removed: 0 };
  }
}

async function removeAllBy(ctx: Context, run: Run, remote: RemoteSession): Promise<Synced> {
  const entries = await entriesOf(ctx, run);
  if (entries.size === 0) return { written: 0, removed: 0 };
  // What was put is known from here alone, as far as it is still there.
  const source = await rightsIn(ctx, run)
    .then((rights) => readSource(ctx, locationOf(run), rights))
    .catch(() => undefined);
  remote.hideValues(source?.values.values() ?? []);
  const configured = configuredBy(run);
  const hash = await hashFor(ctx, run, configured);
  const session = await openTarget(ctx, run, configured, remote);
  const present = await session.list([...entries.keys()]);
  remote.hideValues(present.values());
  const writeOnly = configured.sync.writeOnly === true;
  const nothing = { wanted: new Map<string, string>(), kept: new Set<string>(), mayRemove: true };
  const difference = compare({ ...nothing, present, entries, hash, writeOnly });
  const outcome = await carryOut(ctx, run, session, difference, { entries, hash, writeOnly });
  const failure = faultsOf(new Map(), outcome, difference.removals.length);
  return {
    written: 0,
    removed: outcome.removed.length,
    ...(failure !== undefined && { failure: remote.redact(failure) }),
  };
}

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1);

const locationOf = ({ projectId, environment, secretPath }: Run): Source => ({ projectId, environment, secretPath });

const configuredBy = ({ destination, config, options }: Run): ConfiguredSync =>
  syncs.require(destination).configure(config, options);

const namingOf = ({ sync, options }: ConfiguredSync): Naming => ({ ...options, nameOf: sync.nameOf?.bind(sync) });

/** Where values cannot be read back, what is put along with them is known in the same way. */
async function hashFor(ctx: Context, run: Run, { fingerprint }: ConfiguredSync): Promise<Hash> {
  const hash = await openHash(ctx, run);
  return fingerprint === undefined ? hash : (...texts) => hash(...texts, fingerprint);
}

async function openTarget(ctx: Context, run: Run, configured: ConfiguredSync, remote: RemoteSession): Promise<Session> {
  const connector = connectors.require(run.app);
  if (connector !== configured.sync.connector)
    throw badRequest('secret_sync.connection', `A connection to ${connector.title} does not reach this destination`);
  const { connectionId: id, organizationId, projectId, credentials, givenAuth: given } = run;
  const client = await connect(ctx, { id, organizationId, projectId, credentials, given }, connector, remote);
  return openSession(configured, client);
}

interface Known {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly hash: Hash;
  readonly writeOnly: boolean;
}

/** Carries out a difference, and keeps account of what is this sync's: before, what may be; after, what is. */
async function carryOut(
  ctx: Context,
  run: Run,
  session: Session,
  difference: Difference,
  { entries, hash, writeOnly }: Known,
): Promise<Outcome> {
  const hashed = ({ name, value }: { name: string; value: string }) => ({ name, hash: hash(name, value) });
  // What is somebody else's and cannot be told apart afterwards becomes ours only by being overwritten.
  const mayBeOurs = difference.puts.filter(({ name, exists }) => !writeOnly || !exists || entries.has(name));
  await confirm(ctx, run, difference.found, []);
  const isHeld = await intend(ctx, run, mayBeOurs.map(hashed));
  if (!isHeld) throw badRequest('secret_sync.changed', 'The sync was changed meanwhile');
  const outcome = await session.carryOut(difference);
  await confirm(ctx, run, outcome.put.map(hashed), [...outcome.removed, ...difference.dropped]);
  return outcome;
}

/** What went wrong of so many, in words for people; absent where nothing did. */
function faultsOf(rejected: Named['rejected'], outcome: Outcome, of: number): string | undefined {
  const faults = [...rejected, ...outcome.rejected];
  const why = outcome.stopped?.message;
  if (faults.length === 0) return why;
  const each = faults.map(([name, reason]) => `${name}: ${reason}`).join('; ');
  const some = `${faults.length} of ${of} secrets: ${each}`;
  return why === undefined ? some : `${why} (${some})`;
}
