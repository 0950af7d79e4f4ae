import { z } from 'zod';
import type { Context } from '../../kernel/index.ts';
import { defineJob, type Job } from '../job.ts';
import type { Due } from './description.ts';
import { retry } from './next.ts';
import type { Claimed, WorkTable } from './work-table.ts';

export interface Reconciler<Row extends object> {
  /**
   * One attempt at a row. Settles or deletes it, whatever the other system answers. What it throws is a fault of ours: the
   * row is tried again later.
   */
  readonly attempt: (ctx: Context, claimed: Claimed<Row>) => Promise<void>;
  /**
   * Milliseconds for which a job waits for its attempt. After that the attempt goes on in the background, and a slow
   * system keeps no worker from others. Forever where absent.
   */
  readonly patienceMs?: number;
}

/**
 * The job that works on one row of a table. To use it, a feature
 *
 * 1. describes its table (`new WorkTable({…})`), in a file that what changes rows may import;
 * 2. writes in one transaction that a row is due, and calls `enqueue`;
 * 3. makes the job of its table: `reconcileJob(syncs, { attempt })`. `attempt` has the claim. It asks the other system, outside of
 *    any transaction, and ends with one transaction that stores the result, if `settle(tx, claim, next)` answers that the
 *    claim is still held. `next` is `DONE`, or `retry(claim.failures, now, { retryAfterMs })`;
 * 4. makes the job that finds what was lost: `orphanJob(syncs, { name, schedule })`.
 *
 * What a user asks for, and waits for, takes the same claim: `claim(ctx, row, { isAlways: true })`, then `settle` or `release`.
 */
export function reconcileJob<Row extends object>(
  work: WorkTable<Row>,
  reconciler: Reconciler<Row>,
): Job<Record<string, string>> {
  const { name, idName } = work.job;
  return defineJob({
    name,
    payload: z.object({ organizationId: z.string(), [idName]: z.string() }),
    run: async (ctx, { organizationId, [idName]: id }) => {
      const attempt = reconcile(ctx, work, { organizationId: organizationId!, id: id! }, reconciler);
      await (reconciler.patienceMs === undefined ? attempt : atMost(ctx, attempt, name, reconciler.patienceMs));
    },
  });
}

/** Attempts a row, if it is due and nobody is at it; where it is not, asks for its job once it may be. */
export async function reconcile<Row extends object>(
  ctx: Context,
  work: WorkTable<Row>,
  due: Due,
  { attempt }: Pick<Reconciler<Row>, 'attempt'>,
): Promise<void> {
  const claimed = await work.claim(ctx, due);
  if (!claimed) return work.lookAgain(ctx, due);
  try {
    await attempt(ctx, claimed);
  } catch (error) {
    await work.settle(ctx, claimed.claim, retry(claimed.claim.failures, ctx.now()));
    throw error;
  }
}

async function atMost(ctx: Context, attempt: Promise<void>, job: string, patienceMs: number): Promise<void> {
  ctx.targets.inBackground(attempt);
  attempt.catch((error: unknown) => ctx.log.error({ err: error, job }, 'An attempt failed by an internal error'));
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)));
  await Promise.race([attempt, patience]).finally(() => clearTimeout(timer));
}

/** The scheduled job that asks anew for the jobs of rows that lost theirs, or the process that had claimed them. */
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
