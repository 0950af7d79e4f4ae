import { lstat, readlink, rm, symlink } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

const POLL_MS = 50;
/** After this time in milliseconds, the number of a process that was killed may be that of another one. */
const LONGEST_MS = 120_000;

/** Does the work while no other process does that has the same lock. Those that were killed hold up nobody. */
export async function alone(lock: string, work: () => Promise<void>): Promise<void> {
  while (!(await take(lock))) await setTimeout(POLL_MS);
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** The lock is a link to the number of its process: both are there at once. */
async function take(lock: string): Promise<boolean> {
  try {
    await symlink(String(process.pid), lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Two that remove it at once may both work, which costs time only.
    if (await isLeft(lock)) await rm(lock, { force: true });
    return false;
  }
}

async function isLeft(lock: string): Promise<boolean> {
  try {
    const [owner, { mtimeMs }] = await Promise.all([readlink(lock), lstat(lock)]);
    return !isRunning(Number(owner)) || Date.now() - mtimeMs > LONGEST_MS;
  } catch {
    return false; // its owner has just removed it
  }
}

/** Whether there is a process of this number. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
