import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { failure } from './exit.ts';

/** A path as the caller means it: `~` is the home directory, and what is relative is so to their directory. */
export const pathOf = (given: string, cwd: string): string =>
  given === '~' || given.startsWith('~/') ? join(homedir(), given.slice(2)) : resolve(cwd, given);

/** The text of a file. @throws CommandError if it cannot be read; `hint` says what to do about it. */
export function readText(path: string, hint?: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw failure(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, hint);
  }
}

/** @throws CommandError if others may read it. */
export function requirePrivate(path: string): void {
  if (process.platform === 'win32') return;
  const mode = statSync(path).mode & 0o777;
  if (mode & 0o077)
    throw failure(`${path} has the mode ${mode.toString(8)}: others may read it`, `Run: chmod 600 ${path}`);
}

/** The text of a file that only its owner may read. @throws CommandError if it cannot be read, or others may. */
export function readPrivate(path: string): string {
  const text = readText(path);
  requirePrivate(path);
  return text;
}

/** The text of a file; `undefined` if it does not exist. @throws CommandError if it cannot be read. */
export const readIfThere = (path: string): string | undefined => readWithOwner(path)?.text;

/** The same with the ID of the user to whom that file belongs. */
export function readWithOwner(path: string): { readonly text: string; readonly owner: number } | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      return { text: readFileSync(file, 'utf8'), owner: fstatSync(file).uid };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw failure(`${path} cannot be read (${code})`);
  }
}

export interface FileOptions {
  /** Default 0600. */
  readonly mode?: number;
  /** IDs of the user and the group to whom it is to belong. */
  readonly owner?: { readonly user: number; readonly group: number };
  /** The temporary file; by default one with a new name beside it. */
  readonly temporary?: string;
}

/**
 * Writes a whole file or nothing: to a temporary one beside it, flushed, then renamed.
 *
 * @throws CommandError where the file system refuses.
 */
export function writeWhole(path: string, text: string | Uint8Array, options: FileOptions = {}): void {
  stage(path, text, options)();
  removeLeftovers(path);
}

/**
 * The first part of it: the temporary file is written. What is returned renames it.
 *
 * @throws CommandError where the file system refuses.
 */
export function stage(
  path: string,
  text: string | Uint8Array,
  { mode = 0o600, owner, temporary = `${path}.${randomUUID()}.tmp` }: FileOptions = {},
): () => void {
  guarded(path, temporary, () => {
    // New, so that nobody has laid a link there.
    const file = openSync(temporary, 'wx', 0o600);
    try {
      if (owner) fchownSync(file, owner.user, owner.group);
      // An existing umask may have taken bits away; nothing adds any.
      fchmodSync(file, mode);
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
  return () =>
    guarded(path, temporary, () => {
      renameSync(temporary, path);
      flushDirectory(dirname(path));
    });
}

function guarded(path: string, temporary: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    rmSync(temporary, { force: true });
    throw failure(`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

/** The new name survives a power failure, too. Not every platform opens directories. */
function flushDirectory(path: string): void {
  try {
    const directory = openSync(path, 'r');
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  } catch {
    // The file itself is flushed.
  }
}

/**
 * Makes a directory, and those above it that are missing. Node's own way to do so never ends below /proc, where a directory above is there, and
 * making one in it fails as if it were not.
 *
 * @throws what the file system says.
 */
export function makeDirectory(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = resolve(path); !statSync(at, { throwIfNoEntry: false }) && dirname(at) !== at; at = dirname(at))
    missing.push(at);
  for (const one of missing.toReversed())
    try {
      mkdirSync(one, { mode });
    } catch (error) {
      // Another process may have made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(one).isDirectory()) throw error;
    }
}

/** Makes a directory that only its owner reads. @throws CommandError where the file system refuses. */
export function makePrivateDirectory(path: string, hint?: string): void {
  try {
    makeDirectory(path, 0o700);
  } catch (error) {
    throw failure(`${path} cannot be made (${(error as NodeJS.ErrnoException).code})`, hint);
  }
}

/** Writes a file of Coffer's own, in a directory that only its owner reads. */
export function writePrivate(path: string, text: string): void {
  makePrivateDirectory(dirname(path));
  writeWhole(path, text);
}

/** Milliseconds after which a temporary file is of a process that was killed. */
const LEFT_OVER = 60_000;

/** What such a file has behind the name of the file that is written: no other file of the directory has it. */
const TEMPORARY = /^\.[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\.tmp$/;

/** Removes temporary files of killed processes, which have what they wanted to write to a file, where the file system lets it. */
export function removeLeftovers(path: string): void {
  const [directory, name] = [dirname(path), basename(path)];
  try {
    for (const one of readdirSync(directory)) {
      if (!one.startsWith(name) || !TEMPORARY.test(one.slice(name.length))) continue;
      const age = Date.now() - (statSync(join(directory, one), { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
      if (age > LEFT_OVER) rmSync(join(directory, one), { force: true });
    }
  } catch {
    // The file itself is written.
  }
}
