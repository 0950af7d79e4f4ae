// Processes that our scripts start.
import { constants } from 'node:os';
import { isatty } from 'node:tty';

/**
 * Returns the exit code of a started process, and waits until it ends: leaving first would orphan it. Signals are
 * forwarded, except for Ctrl-C in a terminal: it reaches the process directly, and a second one means "stop
 * immediately" to many programs.
 */
export function outlive(child) {
  const inTerminal = [0, 1, 2].some((fd) => isatty(fd));
  const pass = (signal) => (signal === 'SIGINT' && inTerminal ? undefined : child.kill(signal));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, pass);

  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  }).finally(() => signals.forEach((signal) => process.off(signal, pass)));
}
