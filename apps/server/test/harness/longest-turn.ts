/** How often the processor time is looked at, in milliseconds. */
const EVERY = 2;

const spent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/**
 * The most processor time, in milliseconds, that one turn of the event loop took while something is done: nobody else is
 * served meanwhile. Not the clock, which other processes of the machine push on.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
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
    return longest;
  } finally {
    clearInterval(timer);
  }
}
