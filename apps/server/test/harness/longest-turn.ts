/** Interval of readings of the processor time, in milliseconds. */
const EVERY = 2;

const spent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let kept = 0;
/** Processor time of a fixed piece of work, in milliseconds: about 70 if a turn may take 100. */
function reference(): number {
  const start = spent();
  for (let i = 0; i < 10_000_000; i++) kept = (kept * 31 + i) | 0;
  return spent() - start;
}

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
