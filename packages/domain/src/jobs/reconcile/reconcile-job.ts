import { z } from 'zod';
import type { Context } from '../../kernel/index.ts';
import { defineJob, type Job } from '../job.ts';
import type { Due } from './description.ts';
import { inFairTurn } from '../fair-turn.ts';
import { retry } from './next.ts';
import type { Claimed, WorkTable } from './work-table.ts';

/** Milliseconds: a slow remote delays no other. */
const PATIENCE_MS = 1_000;

export interface Reconciler<Row extends object> {
  /**
   * One attempt at a row. Settles or deletes it for every response of the remote. An exception is an internal error:
   * the row is retried later.
   */
  readonly attempt: (ctx: Context, claimed: Claimed<Row>) => Promise<void>;
  /** Milliseconds that a job waits for its attempt; default: a second. See `Turn`. */
  readonly patienceMs?: number;
}

/**
 * The job that processes one row of a table. To use it, a feature
 * 1. describes its table (`new WorkTable({…})`), in a file that the writers of rows can import;
 * 2. marks a row as due and calls `enqueue` in one transaction;
 * 3. defines the job of its table: `reconcileJob(syncs, { attempt })`. `attempt` gets the claim. It calls the remote
 *   outside of any transaction, and ends with one transaction that stores the result, if `settle(tx, claim, next)`
 *   returns that the claim is still held. `next` is `DONE`, or `retry(claim.failures, now, { retryAfterMs })`;
 * 4. defines the job that requeues lost rows: `orphanJob(syncs, { name, schedule })`.
 * Synchronous requests of users take the same claim: `claimAsCaller`, then `settle` or `release`.
 */
export function reconcileJob<Row extends object>(
  work: WorkTable<Row>,
  reconciler: Reconciler<Row>,
): Job<Record<string, string>> {
  const { name, idName, isUrgent } = work.job;
  const { patienceMs = PATIENCE_MS } = reconciler;
  return defineJob({
    name,
    payload: z.object({ organizationId: z.string(), [idName]: z.string() }),
    run: async (ctx, { organizationId, [idName]: id }, { job }) => {
      const due = { organizationId: organizationId!, id: id! };
      const turn = {
        owner: organizationId!,
        kind: name,
        job,
        goBehind: (delayMs: number) => work.enqueueAgain(ctx, due, { isBehind: true, delayMs }),
        isUrgent,
        patienceMs,
      };
      await inFairTurn(ctx, turn, () => reconcile(ctx, work, due, reconciler));
    },
  });
}

/** Attempts a row if it is due and unclaimed; otherwise enqueues its job for when it can be claimed. */
export async function reconcile<Row extends object>(
  ctx: Context,
  work: WorkTable<Row>,
  due: Due,
  { attempt }: Pick<Reconciler<Row>, 'attempt'>,
): Promise<void> {
  const claimed = await work.claim(ctx, due);
  if (!claimed) return work.enqueueAgain(ctx, due);
  try {
    await attempt(ctx, claimed);
  } catch (error) {
    await work.settle(ctx, claimed.claim, retry(claimed.claim.failures, ctx.now()));
    throw error;
  }
}

/** The scheduled job that requeues rows whose job, or whose claiming process, was lost. */
export const orphanJob = (
  work: WorkTable,
  { name, schedule }: { name: string; schedule: string },
): Job<Record<string, never>> =>
  defineJob({
    name,
    payload: z.object({}),
    schedule,
    run: async (ctx) => {
      const found = await work.requeueOrphaned(ctx);
      if (found > 0) ctx.log.warn({ found, job: work.job.name }, 'Work without a job got a new one');
    },
  });
