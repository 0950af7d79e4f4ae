import type { Job } from 'graphile-worker';
import type { Context } from '../../kernel/index.ts';

/** Added to the priority of a job that is queued behind others. */
export const BEHIND = 100;
/** Maximum number of pieces of work of one owner that a process runs, and milliseconds until a further job tries again. */
const MOST_OF_OWNER = 16;
const AGAIN_MS = 5_000;
/** A process with more work than this at remotes has its jobs wait for their work. */
const MOST_IN_BACKGROUND = 64;

export interface Turn {
  /** The organization, or another owner that shares the queue, and the kind of work. */
  readonly owner: string;
  readonly kind: string;
  /** The job that runs it. Only jobs in queues take turns. */
  readonly job: Pick<Job, 'priority' | 'job_queue_id'> | undefined;
  /** Queues the job again after so many milliseconds, with a priority of `BEHIND` more. */
  readonly goBehind: (delayMs: number) => Promise<void>;
  /**
   * Milliseconds that a job waits for its work. After that the work continues in the background, so that a slow remote does
   * not block workers, unless too much runs there already. Absent: no limit.
   */
  readonly patienceMs?: number | undefined;
}

/**
 * Runs work of a queue that several owners share. An owner may share it on purpose, to delay the work of another one. If the
 * work of this kind and owner took more than a tenth of the time lately, the job is queued once behind the jobs of others, which
 * wait for one or two pieces of slow work instead of all.
 *
 * @throws Whatever the work throws before its patience is over; later errors are logged.
 */
export async function inFairTurn(
  ctx: Context,
  { owner, kind, job, goBehind, patienceMs }: Turn,
  work: () => Promise<void>,
): Promise<void> {
  const { owners } = ctx.targets;
  const name = `${kind} ${owner}`;
  const isQueued = job !== undefined && job.job_queue_id !== null;
  if (isQueued) {
    if (owners.running(owner) >= MOST_OF_OWNER) return goBehind(AGAIN_MS);
    if (job.priority < BEHIND && owners.tookMuch(name)) return goBehind(0);
  }
  let since = performance.now();
  /** When the job ends, and when the work does. */
  const note = () => {
    const now = performance.now();
    owners.took(name, now - since);
    since = now;
  };
  const done = (isQueued ? owners.run(owner, work) : work()).finally(note);
  await (patienceMs === undefined ? done : atMost(ctx, done, kind, patienceMs)).finally(note);
}

async function atMost(ctx: Context, work: Promise<void>, job: string, patienceMs: number): Promise<void> {
  ctx.targets.inBackground(work);
  work.catch((error: unknown) => ctx.log.error({ err: error, job }, 'An attempt failed by an internal error'));
  if (ctx.targets.underWay > MOST_IN_BACKGROUND) return work;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)));
  await Promise.race([work, patience]).finally(() => clearTimeout(timer));
}
