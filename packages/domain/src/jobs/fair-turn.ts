import type { Job } from 'graphile-worker';
import type { Context } from '../kernel/index.ts';

/**
 * Added to the priority of a job that is queued behind others. Urgent work is behind that of others then, but before what took
 * much time or can wait.
 */
export const behindBy = (isUrgent = false): number => (isUrgent ? 10 : 100);
/** Maximum number of calls of one owner that a process makes, and milliseconds until a further job tries again. */
const MOST_OF_OWNER = 16;
const AGAIN_MS = 5_000;
/** A process with more work than this at remotes has its jobs wait for their work: that of four owners with urgent work. */
const MOST_IN_BACKGROUND = 128;

export interface Turn {
  /** The organization, or another owner that shares the queue, and the kind of work. */
  readonly owner: string;
  readonly kind: string;
  /** The job that runs it; undefined where it is not run by the queue. */
  readonly job: Pick<Job, 'priority' | 'attempts'> | undefined;
  /** Whether a job that was tried stays the same: what an attempt may have sent is recognized by its ID. */
  readonly isKept?: boolean | undefined;
  /** Queues the job again after so many milliseconds, with its priority increased. */
  readonly goBehind: (delayMs: number) => Promise<void>;
  /** Whether somebody waits for it: its calls are counted apart, and it goes less far behind; see `behindBy`. */
  readonly isUrgent?: boolean | undefined;
  /**
   * Milliseconds that a job waits for its work. After that the work continues in the background, so that a slow remote does
   * not block workers, unless too much runs there already. Absent: no limit.
   */
  readonly patienceMs?: number | undefined;
}

/**
 * Runs work of an owner, who may have much of it, or share a queue on purpose, to delay the work of another one. If the work of
 * this kind and owner took more than a tenth of the time lately, the job is queued once behind the jobs of others, which wait
 * for one or two pieces of slow work instead of all.
 *
 * @throws Whatever the work throws before its patience is over; later errors are logged.
 */
export async function inFairTurn(
  ctx: Context,
  { owner, kind, job, goBehind, isKept = false, isUrgent = false, patienceMs }: Turn,
  work: () => Promise<void>,
): Promise<void> {
  const { owners } = ctx.targets;
  const name = `${kind} ${owner}`;
  // What continues in the background is counted: the queues alone do not limit it.
  const counted = isUrgent ? name : owner;
  const isCounted = job !== undefined && patienceMs !== undefined;
  if (isCounted && owners.running(counted) >= MOST_OF_OWNER) return goBehind(AGAIN_MS);
  const mayGo = job && job.priority < behindBy(isUrgent) && !(isKept && job.attempts > 1);
  if (mayGo && owners.tookMuch(name)) return goBehind(0);
  let since = performance.now();
  /** When the job ends, and when the work does. */
  const note = () => {
    const now = performance.now();
    owners.took(name, now - since);
    since = now;
  };
  const done = (isCounted ? owners.run(counted, work) : work()).finally(note);
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
