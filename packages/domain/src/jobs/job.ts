import type { JobHelpers } from 'graphile-worker';
import type { z } from 'zod';
import { statement, type Context, type JobOptions, type Transaction } from '../kernel/index.ts';

/** Work that is done after the transaction that asked for it, at least once: it must bear being done twice. */
export interface Job<Payload> {
  readonly name: string;
  /** Ids and names. A payload's `organizationId` is the organization that the job acts in. */
  readonly payload: z.ZodType<Payload>;
  /** When it runs without being asked for: minute, hour, day, month and day of the week, in UTC (`23 3 * * *`). */
  readonly schedule?: string;
  readonly run: (ctx: Context, payload: Payload, attempt: Pick<JobHelpers, 'job'>) => Promise<void>;
}

/** A job of any payload, for lists of them. */
export type AnyJob = Omit<Job<unknown>, 'run'> & {
  readonly run: (ctx: Context, payload: never, attempt: Pick<JobHelpers, 'job'>) => Promise<void>;
};

export const defineJob = <Payload>(job: Job<Payload>): Job<Payload> => job;

/** Asks for a job; it is there if, and only if, the transaction commits. */
export function enqueue<Payload>(tx: Transaction, job: Job<Payload>, payload: Payload, options: JobOptions = {}): void {
  tx.outbox.jobs.push({ name: job.name, payload, options });
}

export const ADD_JOB = statement(
  'jobs.add',
  `select graphile_worker.add_job($1, payload := $2::json, queue_name := $3, run_at := $4, max_attempts := $5, job_key := $6, priority := $7)`,
);
