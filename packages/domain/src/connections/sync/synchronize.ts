import { requireSame } from '../../access/index.ts';
import { delayAskedFor, isRemote, type RemoteSession } from '../../family/index.ts';
import { DomainError, inTransaction, record, type Context } from '../../kernel/index.ts';
import { beginWork } from '../connection/index.ts';
import { untilUnchanged } from './changed-meanwhile.ts';
import { carryOut, faultsOf } from './carry-out.ts';
import { nameAtTarget, type Difference, type Named, type Naming } from './difference.ts';
import { secretSyncPlanned } from './event.ts';
import { firstImport, importable, importInto } from './initial.ts';
import { keepPlaces, type NamedPlace } from './named-places.ts';
import type { Result } from './next.ts';
import { changesOf } from './plan.ts';
import {
  differenceOf,
  listTarget,
  locationOf,
  nameAfterImport,
  nameThere,
  readForRun,
  type Reading,
} from './reading.ts';
import type { Run } from './run.ts';
import { readSource, rightsIn, type SourceValues } from './source.ts';
import type { Metadata } from './sync.ts';
import { requireMayRun } from './target-rights.ts';

/** The outcome of a sync. */
export interface Synced extends Result {
  /** Whether nothing has changed since the last run, so that the remote was not called. */
  readonly isIdle?: boolean;
  /** Whether no sync was due, but only what was requested. */
  readonly isSkipped?: boolean;
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
  using remote = beginWork(ctx);
  try {
    return await untilUnchanged(() => synchronizeBy(ctx, run, remote));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { failure: await remote.redact(error.message), retryAfter: delayAskedFor(error), written: 0, removed: 0 };
  }
}

async function synchronizeBy(ctx: Context, run: Run, remote: RemoteSession): Promise<Synced> {
  const reading = await readForRun(ctx, run, remote);
  const { configured, naming, hashes, rights } = reading;
  let { source } = reading;
  await keepPlaces(ctx, run, source.places);
  if (run.isSynced && run.sourceHash?.equals(await hashOf(run, reading, source)))
    return { isIdle: true, sourceHash: run.sourceHash, written: 0, removed: 0 };

  let named = await nameThere(source.values, reading);
  const behavior = run.isInitialized ? undefined : firstImport(configured.options);
  const isImporting = behavior !== undefined;
  const found = await listTarget(ctx, run, reading, { names: named.wanted.keys(), isImporting, remote });
  const { session, entries, present } = found;
  requireSame(rights, await rightsIn(ctx, run));
  const taken = behavior ? importable(present, source.values, naming, behavior) : [];
  const others = await requireMayRun(ctx, run, configured, { isImporting: taken.length > 0 });
  if (behavior && taken.length > 0) {
    await nameAfterImport(taken, reading);
    await importInto(ctx, locationOf(run), async (tx) => ({ runAs: await rightsIn(tx, run) }), taken, behavior);
    source = await readSource(ctx, locationOf(run), await rightsIn(ctx, run));
    await keepPlaces(ctx, run, source.places);
    remote.hideValues(source.values.values());
    named = await nameThere(source.values, reading);
  }
  const difference = await differenceOf(run, named, reading, found, others);
  if (!run.isInitialized) await notePlan(ctx, run, difference, taken.length);
  // Values are read when they leave.
  if (difference.puts.length > 0) for (const read of source.reads) await ctx.commitRead(read, ctx);
  const writeOnly = configured.sync.writeOnly === true;
  const tags = configured.writesMetadata ? tagsThere(named, source, naming) : undefined;
  const outcome = await carryOut(ctx, run, session, difference, { entries, hashes, writeOnly, tags });
  const failure = faultsOf(named.rejected, outcome, named.wanted.size + named.rejected.size);
  const counts = { written: outcome.put.length, removed: outcome.removed.length, isInitialized: true } as const;
  if (failure === undefined) {
    const isAllOfSource =
      !configured.options.disableSecretDeletion || [...entries.keys()].every((name) => named.kept.has(name));
    const sourceHash = await hashOf(run, reading, source);
    return { ...counts, sourceHash, ...(isAllOfSource && { places: source.places }) };
  }
  const isHalfway = isRemote(outcome.stopped, 'exhausted') && outcome.put.length + outcome.removed.length > 0;
  const how = { retryAfter: outcome.stopped && delayAskedFor(outcome.stopped), isHalfway, isFinal: outcome.isWhole };
  return { ...counts, ...how, failure: await remote.redact(failure) };
}

const byName = ([a = '']: readonly string[], [b = '']: readonly string[]): number => (a < b ? -1 : 1);

const hashOf = (
  { configuration }: Run,
  { hashes, configured }: Reading,
  { values, metadata }: SourceValues,
): Promise<Buffer> => {
  const tags = configured.writesMetadata ? Array.from(metadata, ([name, own]) => [name, JSON.stringify([...own])]) : [];
  return hashes.ofAll([configuration, ...[...values].toSorted(byName).flat(), ...tags.toSorted(byName).flat()]);
};

/** The metadata of the secrets that are written, by their names at the target. */
const tagsThere = ({ wanted }: Named, { metadata }: SourceValues, naming: Naming): Map<string, Metadata> =>
  new Map(
    [...metadata].map(([name, own]) => [nameAtTarget(name, naming), own] as const).filter(([name]) => wanted.has(name)),
  );

/** Records what the first sync is about to do to what it has found. */
async function notePlan(ctx: Context, run: Run, difference: Difference, imported: number): Promise<void> {
  const { id: syncId, name, destination, projectId } = run;
  if (name === null) return;
  const { create, change, remove } = changesOf(difference);
  const counts = { create: create.length, change: change.length, remove: remove.length, import: imported };
  await inTransaction(ctx, async (tx) =>
    record(tx, secretSyncPlanned, { syncId, destination, ...counts }, { projectId }),
  );
}
