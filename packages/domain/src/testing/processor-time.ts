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
