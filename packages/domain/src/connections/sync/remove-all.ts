import { delayAskedFor, isRemote, type RemoteSession } from '../../family/index.ts';
import { DomainError, type Context } from '../../kernel/index.ts';
import { beginWork } from '../connection/index.ts';
import { carryOut, faultsOf } from './carry-out.ts';
import { compare } from './difference.ts';
import { entriesOf } from './entries.ts';
import { keptFor } from './kept-names.ts';
import { configuredBy, hashesFor, locationOf, openTarget, writtenThere } from './reading.ts';
import type { Run } from './run.ts';
import { readSource, rightsIn } from './source.ts';
import type { Synced } from './synchronize.ts';

/** Deletes the items of a sync at its target, with a deadline in milliseconds. The caller handles the rest. */
export async function removeAll(ctx: Context, run: Run, budgetMs: number): Promise<Synced> {
  using remote = beginWork(ctx, budgetMs);
  try {
    return { isFinal: true, ...(await removeAllBy(ctx, run, remote)) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const retryAfter = delayAskedFor(error);
    return { isFinal: true, failure: await remote.redact(error.message), retryAfter, written: 0, removed: 0 };
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
  const session = await openTarget(ctx, run, { configured, kept: keptFor(ctx, run, configured) }, remote);
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
    retryAfter: outcome.stopped && delayAskedFor(outcome.stopped),
    ...(isRemote(outcome.stopped, 'exhausted') && outcome.removed.length > 0 && { isHalfway: true }),
    ...(failure !== undefined && { failure: await remote.redact(failure) }),
  };
}
