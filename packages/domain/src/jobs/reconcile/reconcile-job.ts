import { z } from 'zod';
import type { Context } from '../../kernel/index.ts';
import { defineJob, type Job } from '../job.ts';
import type { Due } from './description.ts';
import { retry } from './next.ts';
import type { Claimed, WorkTable } from './work-table.ts';

export interface Reconciler<Row extends object> {
  /**
   * One attempt at a row. Settles or deletes it for every response of the remote. An exception is an internal error:
   * the row is retried later.
   */
  readonly attempt: (ctx: Context, claimed: Claimed<Row>) => Promise<void>;
  /**
   * Milliseconds that a job waits for its attempt. After that the attempt continues in the background, so that a slow
   * remote does not block workers, unless too much is under way there. Absent: no limit.
   */
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
 * Synchronous requests of users take the same claim: `claim(ctx, row, { isAlways: true })`, then `settle` or `release`.
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

/** Work that this process has under way at remotes, from which on a job waits for its own. */
const MOST_IN_BACKGROUND = 64;

async function atMost(ctx: Context, attempt: Promise<void>, job: string, patienceMs: number): Promise<void> {
  ctx.targets.inBackground(attempt);
  attempt.catch((error: unknown) => ctx.log.error({ err: error, job }, 'An attempt failed by an internal error'));
  if (ctx.targets.underWay > MOST_IN_BACKGROUND) return attempt;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)));
  await Promise.race([attempt, patience]).finally(() => clearTimeout(timer));
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
