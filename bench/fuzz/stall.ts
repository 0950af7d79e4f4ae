// Loaded into the server (`node --import`): writes a line for each turn of the event loop that worked for longer than
// the limit. Processor time of the main thread counts, not the clock: what other processes take is not its fault.
import { appendFileSync } from 'node:fs';

const EVERY = 5;
const file = process.env['COFFER_STALLS'];
const limit = Number(process.env['COFFER_STALL_LIMIT'] ?? 100);

const spent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

if (file !== undefined) {
  let last = spent();
  setInterval(() => {
    const now = spent();
    if (now - last > limit) appendFileSync(file, `${Date.now()} ${Math.round(now - last)}\n`);
    last = now;
  }, EVERY).unref();
}
