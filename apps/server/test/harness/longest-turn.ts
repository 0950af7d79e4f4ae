import { fixedWork, processorTime } from '@coffer/domain/testing';

/** Interval of readings of the processor time, in milliseconds. */
const EVERY = 2;

/** For suites: a turn in which garbage of the tests before is collected is long once, and does not come back. */
export const AGAIN = { retry: 2 };

/** Maximum processor time of a turn, as a multiple of the fixed piece of work. */
export const LONGEST_TURN = 1.6;

/**
 * The maximum processor time of one turn of the event loop during some work: a turn blocks all other requests. Not
 * wall-clock time, which other processes of the machine affect, and as a multiple of a fixed piece of work, which they
 * slow down as well.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const before = fixedWork();
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
    return longest / Math.max(before, fixedWork());
  } finally {
    clearInterval(timer);
  }
}
