// Processes that our scripts start.
import { constants } from 'node:os';
import { isatty } from 'node:tty';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const running = new Set();

/** Ctrl-C in a terminal reaches the processes directly, and a second one means "stop immediately" to many programs. */
function pass(signal) {
  if (signal === 'SIGINT' && [0, 1, 2].some((fd) => isatty(fd))) return;
  for (const child of running) child.kill(signal);
}

/** Returns the exit code of a started process, and waits until it ends: leaving first would orphan it. Forwards signals. */
export function outlive(child) {
  if (running.size === 0) for (const signal of SIGNALS) process.on(signal, pass);
  running.add(child);

  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  }).finally(() => {
    running.delete(child);
    if (running.size === 0) for (const signal of SIGNALS) process.off(signal, pass);
  });
}
