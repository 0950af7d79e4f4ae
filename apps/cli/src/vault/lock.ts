import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { failure } from '../exit.ts';
import { makePrivateDirectory } from '../files.ts';

/** Milliseconds after which a lock is of a process that hangs, and for which others wait. */
const LONGEST = 30_000;

/**
 * Does some work while no other process does it under the same lock, which is a file with the ID of its process. That of a process that has
 * ended is taken over.
 *
 * @throws CommandError if the file cannot be made, or another process does not end.
 */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  makePrivateDirectory(dirname(path));
  for (const deadline = Date.now() + 2 * LONGEST; !take(path); await wait(25 + Math.random() * 25))
    if (Date.now() > deadline) throw failure(`${path} is not released`, 'Delete it');
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw failure(`${path} cannot be made (${code})`);
  }
  if (isLeft(path)) rmSync(path, { force: true });
  return false;
}

/** Whether its process has ended, or hangs. */
function isLeft(path: string): boolean {
  try {
    if (Date.now() - statSync(path).mtimeMs > LONGEST) return true;
    const holder = Number(readFileSync(path, 'utf8'));
    // It is empty for a moment.
    if (!(holder > 0)) return false;
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
