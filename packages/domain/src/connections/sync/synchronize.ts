import { isRemote, type RemoteSession } from '../../family/index.ts';
import { badRequest, DomainError, type Context } from '../../kernel/index.ts';
import { beginWork, connect } from '../connection/index.ts';
import { connectors, syncs } from '../registry.ts';
import { compare, nameAll, type Difference, type Entry, type Named } from './difference.ts';
import { confirm, entriesOf, intend } from './entries.ts';
import { openHashes, type Hashes } from './hash.ts';
import { importable, importInto } from './initial.ts';
import { keepPlaces, type NamedPlace } from './named-places.ts';
import { namingOf } from './naming.ts';
import type { Run } from './run.ts';
import { openSession, type Outcome, type Session } from './session.ts';
import { readSource, rightsIn, type Source } from './source.ts';
import type { ConfiguredSync } from './sync.ts';
import { requireMayRun } from './target-rights.ts';

/** The outcome of a sync. */
export interface Synced {
  /** The reason of a failure for users; absent after success. */
  readonly failure?: string;
  /** The delay in seconds that the remote asked for, if any. */
  readonly retryAfter?: number | undefined;
  /** Whether it only ran out of time, and made progress. */
  readonly isHalfway?: boolean;
  /** Whether a retry without changes is useless: only permanently impossible writes are left. */
  readonly isFinal?: boolean;
  /** Whether nothing has changed since the last run, so that the remote was not called. */
  readonly isIdle?: boolean;
  /** A fingerprint of the complete state at the target; absent if it is incomplete. */
  readonly sourceHash?: Buffer;
  /** The places of all items that may still be there; absent if there may be others. */
  readonly places?: readonly NamedPlace[];
  /** Whether what was there before is settled; absent where this sync did not come so far. */
  readonly isInitialized?: true;
  readonly written: number;
  readonly removed: number;
}

/**
 * Syncs a target with its source: reads the source with the rights of the actor that it runs as, lists the target, checks
 * its rights to a target of others, and carries out the difference. Errors contain no credentials and no values.
 */
export async function synchronize(ctx: Context, run: Run): Promise<Synced> {
  const remote = beginWork(ctx);
  try {
    return await synchronizeBy(ctx, run, remote);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { failure: await remote.redact(error.message), retryAfter: error.retryAfter, written: 0, removed: 0 };
  }
}

async function synchronizeBy(ctx: Context, run: Run, remote: RemoteSession): Promise<Synced> {
  const place = locationOf(run);
  const configured = configuredBy(run);
  const hashes = await hashesFor(ctx, run, configured);
  const rights = await rightsIn(ctx, run);
  let source = await readSource(ctx, place, rights);
  await keepPlaces(ctx, run, source.places);
  remote.hideValues(source.values.values());
  const sourceHash = () => hashes.ofAll([run.configuration, ...[...source.values].toSorted(byName).flat()]);
  if (run.isSynced && run.sourceHash?.equals(await sourceHash()))
    return { isIdle: true, sourceHash: run.sourceHash, written: 0, removed: 0 };

  const nameThere = () =>
    requireFits(nameAll(source.values, namingOf(configured), configured.layout.limits), configured);
  let named = nameThere();
  const session = await openTarget(ctx, run, configured, remote);
  const entries = await entriesOf(ctx, run);
  const present = await session.list([...new Set([...named.wanted.keys(), ...entries.keys()])]);
  remote.hideValues(present.values());
  const taken = run.isInitialized ? [] : importable(present, source.values, configured.options);
  await requireMayRun(ctx, run, configured, { isImporting: taken.length > 0 });
  if (taken.length > 0) {
    await importInto(ctx, place, rights, taken);
    source = await readSource(ctx, place, rights);
    await keepPlaces(ctx, run, source.places);
    remote.hideValues(source.values.values());
    named = nameThere();
  }
  const writeOnly = configured.sync.writeOnly === true;
  const compared = writtenThere(named.wanted, entries, present);
  const hash = await hashes.ofItems([...(writeOnly ? named.wanted : []), ...compared]);
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
  const outcome = await carryOut(ctx, run, session, difference, { entries, hashes, writeOnly });
  const failure = faultsOf(named.rejected, outcome, named.wanted.size + named.rejected.size);
  const counts = { written: outcome.put.length, removed: outcome.removed.length, isInitialized: true } as const;
  if (failure === undefined) {
    const isAllOfSource =
      !configured.options.disableSecretDeletion || [...entries.keys()].every((name) => named.kept.has(name));
    return { ...counts, sourceHash: await sourceHash(), ...(isAllOfSource && { places: source.places }) };
  }
  const isHalfway = isRemote(outcome.stopped, 'exhausted') && outcome.put.length + outcome.removed.length > 0;
  const how = { retryAfter: outcome.stopped?.retryAfter, isHalfway, isFinal: outcome.isWhole };
  return { ...counts, ...how, failure: await remote.redact(failure) };
}

/** Deletes the items of a sync at its target, with a deadline in milliseconds. The caller handles the rest. */
export async function removeAll(ctx: Context, run: Run, budgetMs: number): Promise<Synced> {
  const remote = beginWork(ctx, budgetMs);
  try {
    return { isFinal: true, ...(await removeAllBy(ctx, run, remote)) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { isFinal: true, failure: await remote.redact(error.message), written: 0, removed: 0 };
  }
}

async function removeAllBy(ctx: Context, run: Run, remote: RemoteSession): Promise<Synced> {
  const entries = await entriesOf(ctx, run);
  if (entries.size === 0) return { written: 0, removed: 0 };
  // Without reading values, only this knows what was written and still exists.
  const source = await rightsIn(ctx, run)
    .then((rights) => readSource(ctx, locationOf(run), rights))
    .catch(() => undefined);
  remote.hideValues(source?.values.values() ?? []);
  const configured = configuredBy(run);
  const hashes = await hashesFor(ctx, run, configured);
  const session = await openTarget(ctx, run, configured, remote);
  const present = await session.list([...entries.keys()]);
  remote.hideValues(present.values());
  const writeOnly = configured.sync.writeOnly === true;
  const nothing = { wanted: new Map<string, string>(), kept: new Set<string>(), mayRemove: true };
  const hash = await hashes.ofItems(writtenThere(nothing.wanted, entries, present));
  const difference = compare({ ...nothing, present, entries, hash, writeOnly });
  const outcome = await carryOut(ctx, run, session, difference, { entries, hashes, writeOnly });
  const failure = faultsOf(new Map(), outcome, difference.removals.length);
  return {
    written: 0,
    removed: outcome.removed.length,
    ...(failure !== undefined && { failure: await remote.redact(failure) }),
  };
}

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1);

const locationOf = ({ projectId, environment, secretPath }: Run): Source => ({ projectId, environment, secretPath });

const configuredBy = ({ destination, config, options }: Run): ConfiguredSync =>
  syncs.require(destination).configure(config, options);

/** For write-only targets, the fingerprint is known only from here. */
const hashesFor = (ctx: Context, run: Run, { fingerprint }: ConfiguredSync): Promise<Hashes> =>
  openHashes(ctx, run, fingerprint === undefined ? [] : [fingerprint]);

/** The items at the target whose hashes are compared: those that a sync may have written, and that have no place here. */
const writtenThere = (
  wanted: Named['wanted'],
  entries: ReadonlyMap<string, Entry>,
  present: ReadonlyMap<string, string | undefined>,
) =>
  [...entries]
    .filter(([name, { nextHash }]) => nextHash !== null || !wanted.has(name))
    .map(([name]) => [name, present.get(name)] as const);

/** @throws DomainError 400 `secret_sync.too_many`, before the target is called */
function requireFits(named: Named, { layout }: ConfiguredSync): Named {
  const { secrets: most } = layout.limits;
  if (named.wanted.size > most)
    throw badRequest('secret_sync.too_many', `${named.wanted.size} secrets are more than the ${most} that fit there`);
  return named;
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
  readonly hashes: Hashes;
  readonly writeOnly: boolean;
}

/** Carries out a difference and keeps the entries: before a call, what may be ours; after it, what is. */
async function carryOut(
  ctx: Context,
  run: Run,
  session: Session,
  difference: Difference,
  { entries, hashes, writeOnly }: Known,
): Promise<Outcome> {
  const hash = await hashes.ofItems(difference.puts.map(({ name, value }) => [name, value] as const));
  const hashed = ({ name, value }: { name: string; value: string }) => ({ name, hash: hash(name, value) });
  // An item of others that cannot be distinguished afterwards becomes ours only by overwriting it.
  const mayBeOurs = difference.puts.filter(({ name, exists }) => !writeOnly || !exists || entries.has(name));
  await confirm(ctx, run, difference.found, []);
  const isHeld = await intend(ctx, run, mayBeOurs.map(hashed));
  if (!isHeld) throw badRequest('secret_sync.changed', 'The sync was changed meanwhile');
  const outcome = await session.carryOut(difference);
  await confirm(ctx, run, outcome.put.map(hashed), [...outcome.removed, ...difference.dropped]);
  return outcome;
}

/** A summary of the failures for users; absent if there were none. */
function faultsOf(rejected: Named['rejected'], outcome: Outcome, of: number): string | undefined {
  const faults = [...rejected, ...outcome.rejected];
  const why = outcome.stopped?.message;
  if (faults.length === 0) return why;
  const each = faults.map(([name, reason]) => `${name}: ${reason}`).join('; ');
  const some = `${faults.length} of ${of} secrets: ${each}`;
  return why === undefined ? some : `${why} (${some})`;
}
