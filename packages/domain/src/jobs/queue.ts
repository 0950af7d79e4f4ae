import { EventEmitter } from 'node:events';
import type { CronItem, Logger, Task, WorkerEvents } from 'graphile-worker';
import { Pool } from 'pg';
import type { Actor, Context, Log, RequestInfo } from '../kernel/index.ts';
import { failureOf } from './failure.ts';
import type { AnyJob } from './job.ts';
import { watchOrphans } from './orphan.ts';

/** What the worker needs of an open Coffer. */
export interface WorkerHost {
  readonly pool: Pool;
  /** Follows the pool of the queue. */
  readonly connections?: { follow(pool: Pool): void };
  readonly log: Log;
  contextFor(actor: Actor, request?: RequestInfo): Context;
}

/** The queue of the library in this process, from its start until it stops or gives up. */
export interface Queue {
  /** The IDs under which it holds jobs. */
  readonly workers: readonly string[];
  /** Resolves when the library stops, also by itself: it gives up where a job that has ended cannot be written down. */
  readonly stopped: Promise<void>;
  /** Takes no further jobs; resolves once running ones are done. */
  finish(): Promise<void>;
  /** Closes what remains of a queue that has stopped. */
  abandon(): void;
}

interface QueueOptions {
  readonly concurrency: number;
  readonly pollInterval: number;
}

/** Starts the queue. @throws Error where the database does not respond */
export async function openQueue(
  host: WorkerHost,
  jobs: readonly AnyJob[],
  { concurrency, pollInterval }: QueueOptions,
): Promise<Queue> {
  const { Logger, parseCronItems, run } = await import('graphile-worker');
  const pool = poolLike(host.pool, concurrency + 3);
  const complain = (error: Error) => host.log.warn({ reason: error.message }, 'A connection of the job queue was lost');
  host.connections?.follow(pool);
  pool.on('error', complain).on('connect', (client) => client.on('error', complain));
  const workers: string[] = [];
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => workers.push(workerPool.id));
  const stopped = new Promise<void>((resolve) => events.once('stop', () => resolve()));
  const runner = await run({
    pgPool: pool,
    concurrency,
    pollInterval,
    events,
    noHandleSignals: true,
    // On stopping, only batched writes are awaited.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: Object.fromEntries(
      jobs.flatMap((job) => [job.name, ...(job.formerNames ?? [])].map((name) => [name, taskOf(host, job)])),
    ),
    parsedCronItems: parseCronItems(scheduled(jobs)),
    logger: quiet(Logger, host.log),
  }).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const ended = runner.promise.catch((error: unknown) => host.log.warn({ err: error }, 'The job queue has an error'));
  const end = await watchOrphans(pool, workers, host.log).catch(async (error: unknown) => {
    await runner.stop().catch(() => undefined);
    await pool.end();
    throw error;
  });
  return {
    workers,
    stopped,
    finish: async () => {
      await runner.stop().catch(() => undefined); // It has stopped already.
      await ended;
      end();
      await pool.end();
    },
    abandon() {
      end();
      // It waits for connections that may never be returned.
      pool.end().catch(() => undefined);
    },
  };
}

/** The jobs that have a schedule, with how each of their runs is queued. */
export const scheduled = (jobs: readonly AnyJob[]): CronItem[] =>
  jobs.flatMap(({ name, schedule, isAlone = false }) => {
    if (schedule === undefined) return [];
    const options = { maxAttempts: 3, jobKey: name, jobKeyMode: 'preserve_run_at' as const };
    return {
      task: name,
      match: schedule,
      identifier: name,
      options: isAlone ? { ...options, queueName: name } : options,
    };
  });

/**
 * The queue keeps one connection for notifications, and expects times as dates, so it has its own pool. The password is
 * hidden from listings of its options.
 */
function poolLike({ options }: Pool, max: number): Pool {
  return new Pool({
    ...options,
    password: options.password,
    types: undefined,
    min: 0,
    max,
    application_name: 'coffer-jobs',
    pipeline: false,
  });
}

const taskOf =
  (host: WorkerHost, { name, payload: schema, run }: AnyJob): Task =>
  async (payload, { job }) => {
    const { organizationId } = (payload ?? {}) as { organizationId?: unknown };
    const actor: Actor = {
      type: 'platform',
      organizationId: typeof organizationId === 'string' ? organizationId : undefined,
    };
    try {
      const input = schema.parse(payload) as never;
      await run(
        host.contextFor(actor, {
          id: `job-${job.id}`,
          ipAddress: '127.0.0.1',
          userAgent: 'coffer-worker',
          isBackground: true,
        }),
        input,
        { job },
      );
    } catch (error) {
      const failure = failureOf(error, payload);
      const isLast = job.attempts >= job.max_attempts;
      host.log[isLast ? 'error' : 'warn'](
        { job: name, id: job.id, attempt: job.attempts, attempts: job.max_attempts, failure },
        isLast ? 'A job failed permanently' : 'A job failed and is retried',
      );
      throw asStored(failure.message);
    }
  };

/** The queue stores the text of an error beside its job. */
function asStored(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}

/** Messages of the queue itself; failures of jobs are logged elsewhere, with more detail. */
const quiet = (Logger_: new (factory: ConstructorParameters<typeof Logger>[0]) => Logger, log: Log): Logger =>
  new Logger_(() => (level, message) => {
    if (level === 'error' && !message.startsWith('Failed task')) log.error({ message }, 'The job queue has a problem');
    if (level === 'warning') log.warn({ message }, 'The job queue warns');
  });
