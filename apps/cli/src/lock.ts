import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, readFileSync, readlinkSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { failure } from './exit.ts';
import { makePrivateDirectory, readIfThere, removeLeftovers } from './files.ts';

/** Milliseconds after which a lock is of a process that hangs. Others wait twice as long. */
const LONGEST = 30_000;

/** Where the IDs of processes are those of this one. A container has its own, and maybe the name of its machine. */
const PLACE = `${hostname()}/${namespaceOfProcesses()}`;

function namespaceOfProcesses(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not every platform has it.
    return '';
  }
}

/**
 * Does some work while no other process does it under the same lock, which is a file with the ID of its process. That of a process that has
 * ended is taken over. What the work changes has to be read within.
 *
 * @throws CommandError if the file cannot be made, or another process does not end.
 */
export async function withLock<Result>(path: string, work: () => Result | Promise<Result>): Promise<Result> {
  const holder = `${process.pid} ${PLACE} ${randomUUID()}`;
  for (const deadline = Date.now() + 2 * LONGEST; !take(path, holder); await wait(25 + Math.random() * 25))
    if (Date.now() > deadline) throw failure(`${path} is not released`, 'Delete it');
  try {
    return await work();
  } finally {
    // After a long halt it may be that of another process.
    if (readIfThere(path) === holder) rmSync(path, { force: true });
  }
}

function take(path: string, holder: string): boolean {
  if (create(path, holder)) return true;
  if (isLeft(path)) takeAway(path);
  return false;
}

function create(path: string, text: string): boolean {
  makePrivateDirectory(dirname(path));
  try {
    writeNew(path, text);
    return true;
  } catch (error) {
    if (!isOfOthers(error)) throw failure(`${path} cannot be made (${(error as NodeJS.ErrnoException).code})`);
    return false;
  }
}

/** Another process has the lock, or has deleted the directory, as `coffer reset` does. */
function isOfOthers(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EEXIST' || code === 'ENOENT';
}

/** A whole file or none, also on a full disk or after a kill: others would wait long for an empty one. */
function writeNew(path: string, text: string): void {
  const whole = `${path}.${randomUUID()}.tmp`;
  try {
    write(whole, text);
    linkSync(whole, path);
  } catch (error) {
    if (isOfOthers(error)) throw error;
    // The file system may have no hard links, for which there are many codes: `EISDIR` on Windows.
    write(path, text);
  } finally {
    rmSync(whole, { force: true });
  }
  removeLeftovers(path);
}

function write(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** One process at a time does so: a second one would delete the lock of whoever came after the first. */
function takeAway(path: string): void {
  const own = `${path}.removal`;
  if (create(own, String(process.pid))) {
    if (isLeft(path)) rmSync(path, { force: true });
    rmSync(own, { force: true });
  } else if (ageOf(own) > LONGEST) {
    rmSync(own, { force: true });
  }
}

/** Milliseconds; 0 for a file that is not there. */
const ageOf = (path: string): number => {
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return changedAt === undefined ? 0 : Date.now() - changedAt;
};

/** Whether its process has ended, or hangs. */
function isLeft(path: string): boolean {
  if (ageOf(path) > LONGEST) return true;
  try {
    const [holder, place = PLACE] = readFileSync(path, 'utf8').split(' ');
    // It may be empty for a moment where there are no hard links. Processes of another machine or container are not seen.
    if (!(Number(holder) > 0) || place !== PLACE) return false;
    process.kill(Number(holder), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
