import type { JobHelpers } from 'graphile-worker';
import type { z } from 'zod';
import {
  inTransaction,
  statement,
  type BoundStatement,
  type Context,
  type JobOptions,
  type PendingJob,
  type Transaction,
} from '../kernel/index.ts';
import { behindBy, inFairTurn } from './fair-turn.ts';
import { lanes } from './lanes.ts';

/** How jobs take turns with those of other owners; see `inFairTurn`. */
export interface Turns<Payload> {
  readonly kind: string;
  readonly ownerOf: (payload: Payload) => string;
  /** Its jobs run one after the other. */
  readonly queueOf: (payload: Payload) => string;
  /** Whether somebody waits for them. */
  readonly isUrgent?: boolean;
}

/** Turns by organization, in each of which one job of the kind runs at a time. */
export function turnsOf(
  kind: string,
  { isUrgent = false }: Pick<Turns<never>, 'isUrgent'> = {},
): Turns<{ readonly organizationId: string }> {
  const laneOf = lanes(kind, 1);
  return {
    kind,
    isUrgent,
    ownerOf: ({ organizationId }) => organizationId,
    queueOf: ({ organizationId }) => laneOf({ id: '', organizationId }),
  };
}

/** Work that runs after the commit of the transaction that enqueued it, at least once: it must be idempotent. */
export interface Job<Payload> {
  readonly name: string;
  /** Names under which an earlier release queues it: such jobs run as well, while both releases run and after. */
  readonly formerNames?: readonly string[];
  /** Ids and names. A payload's `organizationId` is the organization that the job acts in. */
  readonly payload: z.ZodType<Payload>;
  /** Absent where nobody can have many of them run, or the job takes turns by itself (`reconcileJob`). */
  readonly turns?: Turns<Payload>;
  /** A schedule: minute, hour, day, month and day of the week, in UTC (`23 3 * * *`). */
  readonly schedule?: string;
  /** Of its schedule, a run begins only when the one before it has ended, in whichever process. */
  readonly isAlone?: boolean;
  readonly run: (ctx: Context, payload: Payload, attempt: Pick<JobHelpers, 'job'>) => Promise<void>;
}

/** A job of any payload, for lists of them. */
export type AnyJob = Omit<Job<unknown>, 'run' | 'turns'> & {
  readonly turns?: Turns<never>;
  readonly run: (ctx: Context, payload: never, attempt: Pick<JobHelpers, 'job'>) => Promise<void>;
};

export function defineJob<Payload>(job: Job<Payload>): Job<Payload> {
  const { turns, run } = job;
  if (!turns) return job;
  return {
    ...job,
    run: (ctx, payload, attempt) =>
      inFairTurn(
        ctx,
        {
          owner: turns.ownerOf(payload),
          kind: turns.kind,
          isUrgent: turns.isUrgent,
          job: attempt.job,
          isKept: true,
          goBehind: () => inTransaction(ctx, async (tx) => enqueueBehind(tx, job, payload, attempt.job)),
        },
        () => run(ctx, payload, attempt),
      ),
  };
}

/** Enqueues a job that runs once more: behind others. */
function enqueueBehind<Payload>(
  tx: Transaction,
  job: Job<Payload>,
  payload: Payload,
  { key, priority, max_attempts: maxAttempts }: JobHelpers['job'],
): void {
  const behind = priority + behindBy(job.turns?.isUrgent);
  enqueue(tx, job, payload, { priority: behind, maxAttempts, ...(key !== null && { key }) });
}

/** Enqueues a job, in the queue of its turns if it has any; it exists if, and only if, the transaction commits. */
export function enqueue<Payload>(
  tx: Transaction,
  { name, turns }: Pick<Job<Payload>, 'name' | 'payload' | 'turns'>,
  payload: Payload,
  options: JobOptions = {},
): void {
  tx.outbox.jobs.push({ name, payload, options: turns ? { queue: turns.queueOf(payload), ...options } : options });
}

/** Enqueues a job for each of what a search has found, in a transaction of its own. */
export async function enqueueEach<Payload>(
  ctx: Context,
  job: Pick<Job<Payload>, 'name' | 'payload' | 'turns'>,
  found: readonly Payload[],
  optionsOf: (payload: Payload) => JobOptions,
): Promise<void> {
  if (found.length === 0) return;
  await inTransaction(ctx, async (tx) => {
    for (const payload of found) enqueue(tx, job, payload, optionsOf(payload));
  });
}

/**
 * The SQL that adds a row of `jobRows`. What is to run later does so by the clock of the database, too: a process whose
 * clock is behind would else get it again at once, and again.
 */
export const ADD_JOB = `graphile_worker.add_job(j.name, payload := j.payload, queue_name := j.queue,
     run_at := case when j.run_at is not null then greatest(j.run_at, clock_timestamp() + interval '100 milliseconds') end,
     max_attempts := j.max_attempts, job_key := j.key, priority := j.priority)`;

/** The SQL of jobs as rows `j`, of the parameters from this number on: the values of `adding`. */
export const jobRows = (first: number): string => {
  const types = ['text', 'json', 'text', 'timestamptz', 'integer', 'text', 'integer'];
  return `unnest(${types.map((type, index) => `$${first + index}::${type}[]`).join(', ')})
     as j (name, payload, queue, run_at, max_attempts, key, priority)`;
};

const ADD = statement('jobs.add', `select ${ADD_JOB} from ${jobRows(1)}`);

/** Writes the jobs that a transaction has enqueued, in order: of those with one key, the last one stays. */
export const adding = (jobs: readonly PendingJob[]): BoundStatement => ({
  statement: ADD,
  values: [
    jobs.map(({ name }) => name),
    jobs.map(({ payload }) => JSON.stringify(payload)),
    jobs.map(({ options }) => options.queue ?? null),
    jobs.map(({ options }) => options.runAt ?? null),
    jobs.map(({ options }) => options.maxAttempts ?? 25),
    jobs.map(({ options }) => options.key ?? null),
    jobs.map(({ options }) => options.priority ?? 0),
  ],
});
