// Loaded into the server (`node --import`): writes a line for each turn of the event loop that worked for longer than
// the limit. Measures processor time of the main thread and not wall-clock time, which other processes affect.
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
