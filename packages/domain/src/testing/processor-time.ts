/** The processor time of this thread, in milliseconds: other processes do not push it on. */
export const processorTime = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let kept = 0;
/** Processor time of a fixed piece of work, in milliseconds: about 70 where 100 is what a turn may take. */
export function fixedWork(): number {
  const start = processorTime();
  for (let i = 0; i < 10_000_000; i++) kept = (kept * 31 + i) | 0;
  return processorTime() - start;
}

/** What a turn of the event loop may take, as a multiple of the fixed piece of work. */
export const MAX_TURN = 1.6;
/** A turn in which garbage of the work before is collected is long once, and does not come back. */
const TIMES = 3;

/**
 * The maximum processor time of one turn of the event loop during some work, as a multiple of the fixed piece of work, which
 * a slow machine slows down as well: a turn blocks all other requests. Work with a turn beyond `MAX_TURN` is done again, at most twice,
 * and the least counts.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < TIMES && least >= MAX_TURN; time++)
    least = Math.min(least, (await longestTurnOf(work)) / fixedWork());
  return least;
}

/** Interval of readings of the processor time, in milliseconds. */
const EVERY = 2;

async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let [last, longest] = [processorTime(), 0];
  const look = () => {
    const now = processorTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, EVERY);
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 2 * EVERY));
    look();
    return longest;
  } finally {
    clearInterval(timer);
  }
}
