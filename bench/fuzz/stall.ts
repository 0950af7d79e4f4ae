// Loaded into the server (`node --import`): writes a line for each turn of the event loop that worked for longer than
// the limit. Measures processor time of the main thread and not wall-clock time, which other processes affect. They
// also slow down the processor itself, by its caches and its clock: so a fixed amount of work is timed beside each stall,
// and compared with the best time that it ever took.
import { appendFileSync } from 'node:fs';

const EVERY = 5;
/** Milliseconds between measurements of the fixed work, and how often it is done each time. */
const GAUGE_EVERY = 2_000;
const GAUGED = 3;
const file = process.env['COFFER_STALLS'];
const limit = Number(process.env['COFFER_STALL_LIMIT'] ?? 100);

const spent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const WORK = JSON.stringify(Array.from({ length: 5_000 }, (_, n) => ({ [`key${n}`]: `value ${n}`, n })));
function gauge(): number {
  const times = Array.from({ length: GAUGED }, () => {
    const start = spent();
    JSON.parse(WORK);
    return spent() - start;
  });
  return Math.min(...times);
}

if (file !== undefined) {
  for (let n = 0; n < 10; n++) gauge();
  let best = gauge();
  let last = spent();
  const measure = (): number => {
    const now = gauge();
    best = Math.min(best, now);
    last = spent();
    return Math.max(1, now / best);
  };
  setInterval(() => {
    const ms = spent() - last;
    if (ms <= limit) {
      last += ms;
      return;
    }
    const unhindered = ms / measure();
    if (unhindered > limit) appendFileSync(file, `${Date.now()} ${Math.round(unhindered)}\n`);
  }, EVERY).unref();
  setInterval(measure, GAUGE_EVERY).unref();
}
