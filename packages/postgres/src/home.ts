import { constants } from 'node:fs';
import { access, chown, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { explainFileError } from './errors.ts';

/** The paths of all files. */
export interface Home {
  readonly directory: string;
  /** PostgreSQL's own data directory */
  readonly cluster: string;
  readonly password: string;
  /** what the server writes to stderr */
  readonly logFile: string;
  readonly lock: string;
  /** the holder of the lock: only for messages, the lock itself decides */
  readonly owner: string;
}

/** Creates the directory (0700) unless it exists, and rejects early, with one message, if it cannot be used. */
export async function prepareHome(path: string): Promise<Home> {
  const wanted = resolve(path);
  try {
    await mkdir(dirname(wanted), { recursive: true });
    await mkdir(wanted, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' || !(await stat(wanted)).isDirectory()) throw error;
    });
    await access(wanted, constants.R_OK | constants.W_OK | constants.X_OK);
    const directory = await realpath(wanted);
    return {
      directory,
      cluster: join(directory, 'postgres'),
      password: join(directory, 'postgres.password'),
      logFile: join(directory, 'postgres.log'),
      lock: join(directory, 'postgres.lock'),
      owner: join(directory, 'postgres.owner'),
    };
  } catch (error) {
    throw explainFileError(error, wanted);
  }
}

/** Writes a small private file so that it is either wholly there or not, also after a power loss. */
export async function writePrivately(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await belongTo(draft, dirname(path));
  await rename(draft, path);
  await syncDirectory(dirname(path));
}

/** Makes a rename in `directory` durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Root may run once (`sudo`): its files belong to the directory's owner, who can still use it afterwards. */
export async function belongTo(path: string, directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(directory);
  if (uid !== 0) await chown(path, uid, gid);
}
