import { renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

// Preloaded into a server (`--import`): writes to a file the longest block of the event loop, in milliseconds, since
// the last reset (SIGUSR2).

export const noteOf = (pid: number): string => join(tmpdir(), `coffer-event-loop-${pid}`);

const RESOLUTION = 1;
/** Milliseconds within which a note is surely written. */
const NOTED = 300;

/** The longest block, in milliseconds, of such a server's event loop during some work. */
export async function stillness(pid: number, work: () => Promise<unknown>): Promise<number> {
  process.kill(pid, 'SIGUSR2');
  await sleep(NOTED);
  await work();
  await sleep(NOTED);
  return Number(await readFile(noteOf(pid), 'utf8'));
}

export function noteStillness(): void {
  const note = noteOf(process.pid);
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  process.on('SIGUSR2', () => delay.reset());
  const write = () => {
    // Whole, or as it was.
    writeFileSync(`${note}.new`, String(delay.max / 1e6 - RESOLUTION));
    renameSync(`${note}.new`, note);
  };
  setInterval(write, 100).unref();
}

if (isMainThread && process.execArgv.includes(import.meta.url)) noteStillness();
