import { badRequest, DomainError, type Context } from '../../kernel/index.ts';
import { beginWork } from '../connection/index.ts';
import type { Difference } from './difference.ts';
import { firstImport, importable } from './initial.ts';
import { differenceOf, listTarget, nameAfterImport, nameThere, readForRun } from './reading.ts';
import type { Run } from './run.ts';
import { requireMayRun } from './target-rights.ts';

/** What the next sync does, by name. */
export interface SyncPlan {
  /** At the destination. */
  readonly create: string[];
  readonly change: string[];
  readonly remove: string[];
  /** Into the folder, before anything is written. */
  readonly import: string[];
  /** Secrets of the folder that the destination cannot store. */
  readonly rejected: { readonly name: string; readonly reason: string }[];
}

/** Deadline of a plan in milliseconds: a caller waits for it. */
const PLAN_MS = 25_000;

/**
 * Compares both sides as the next run does, with the same rights, and changes nothing.
 *
 * @throws DomainError 400 where a run would fail before it changes anything, with the reason, redacted.
 */
export async function planSync(ctx: Context, run: Run): Promise<SyncPlan> {
  using remote = beginWork(ctx, PLAN_MS);
  try {
    const reading = await readForRun(ctx, run, remote);
    const { configured, naming, source } = reading;
    const behavior = run.isInitialized ? undefined : firstImport(configured.options);
    const names = (await nameThere(source.values, reading)).wanted.keys();
    const found = await listTarget(ctx, run, reading, { names, isImporting: behavior !== undefined, remote });
    const taken = behavior ? importable(found.present, source.values, naming, behavior) : [];
    const others = await requireMayRun(ctx, run, configured, { isImporting: taken.length > 0 });
    const named = await nameAfterImport(taken, reading);
    const difference = await differenceOf(run, named, reading, found, others);
    return {
      ...changesOf(difference),
      import: taken.map(({ secretKey }) => secretKey),
      rejected: Array.from(named.rejected, ([name, reason]) => ({ name, reason })),
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw badRequest(error.code, await remote.redact(error.message));
  }
}

/** The names of a difference. */
export const changesOf = ({ puts, removals }: Difference) => ({
  create: puts.filter(({ exists }) => !exists).map(({ name }) => name),
  change: puts.filter(({ exists }) => exists).map(({ name }) => name),
  remove: [...removals],
});
