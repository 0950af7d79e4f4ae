import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyJob } from './job.ts';
import { openQueue, type Queue, type WorkerHost } from './queue.ts';

export type { WorkerHost } from './queue.ts';

export interface WorkerOptions {
  /** Jobs that this process runs at the same time. */
  readonly concurrency?: number;
  /** Milliseconds between polls for due jobs; immediate jobs are announced by the database. */
  readonly pollInterval?: number;
  /** Milliseconds that jobs under way are waited for when the worker stops. */
  readonly patience?: number;
}

export interface Worker {
  /** Takes no further jobs, and resolves once running ones are done, or released because they take too long. */
  stop(): Promise<void>;
}

/** Milliseconds between attempts to start the queue again. */
const AGAIN_MS = 1_000;

/**
 * Runs enqueued jobs, and scheduled ones at their time, in any number of processes; each job runs in one process. A
 * failed job is retried with backoff until its attempts are used up; one whose process was killed, or whose end could
 * not be written down because the database was lost, after at most two minutes.
 */
export async function startWorker(
  host: WorkerHost,
  jobs: readonly AnyJob[],
  { concurrency = 4, pollInterval = 2_000, patience = 20_000 }: WorkerOptions = {},
): Promise<Worker> {
  const open = () => openQueue(host, jobs, { concurrency, pollInterval });
  let queue: Queue | undefined = await open();
  const stopping = new AbortController();
  const { signal } = stopping;

  const openAgain = async (): Promise<Queue | undefined> => {
    while (!signal.aborted) {
      const opened = await open().catch(() => undefined);
      if (opened) return opened;
      await sleep(AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    return undefined;
  };
  const supervise = async () => {
    while (queue) {
      await queue.stopped;
      if (signal.aborted) return;
      host.log.error({ workers: queue.workers }, 'The job queue has stopped; it is started again');
      queue.abandon();
      queue = undefined;
      queue = await openAgain();
    }
  };
  const supervised = supervise();

  const finish = async () => {
    // A queue that is being started is finished, too.
    if (!queue) await supervised;
    await queue?.finish();
    await supervised;
  };
  return {
    stop: async () => {
      stopping.abort();
      const isDone = await Promise.race([finish().then(() => true), sleep(patience, false, { ref: false })]);
      if (isDone) return;
      host.log.warn({ seconds: patience / 1000 }, 'A job takes too long to wait for: another process continues it');
      await host.pool.query('select graphile_worker.force_unlock_workers($1)', [queue?.workers ?? []]);
    },
  };
}
