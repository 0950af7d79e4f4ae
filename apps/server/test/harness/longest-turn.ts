/** How often the processor time is looked at, in milliseconds. */
const EVERY = 2;

const spent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let kept = 0;
/** Processor time of a fixed piece of work, in milliseconds: about 70 where 100 is what a turn may take. */
function reference(): number {
  const start = spent();
  for (let i = 0; i < 10_000_000; i++) kept = (kept * 31 + i) | 0;
  return spent() - start;
}

/** For suites: a turn in which garbage of the tests before is collected is long once, and does not come back. */
export const AGAIN = { retry: 2 };

/** What a turn may take at the most, in multiples of the fixed piece of work. */
export const LONGEST_TURN = 1.6;

/**
 * The most processor time that one turn of the event loop took while something is done: nobody else is served meanwhile. Not
 * the clock, which other processes of the machine push on, and in multiples of a fixed piece of work, which they slow down
 * as well.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const before = reference();
  let [last, longest] = [spent(), 0];
  const look = () => {
    const now = spent();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, EVERY);
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 2 * EVERY));
    look();
    return longest / Math.max(before, reference());
  } finally {
    clearInterval(timer);
  }
}
