import { hostname } from 'node:os';
import { chmod, readFile, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, explainFileError } from './errors.ts';
import { belongTo, type Home, writePrivately } from './home.ts';

export interface Lock {
  release(): Promise<void>;
}

/** SQLite's result code for a lock of another process. */
const SQLITE_BUSY = 5;

/**
 * Takes the directory for this process, or rejects with `in_use`.
 *
 * The lock is an exclusive transaction on an empty SQLite file, that is, an fcntl lock: Node has no file locks of its
 * own, and this one needs no native module or helper program, works on Linux and macOS and between containers that
 * share a volume, and is dropped by the kernel the moment the process dies, however it dies. It does not depend on the
 * database, so a database that is down, starting or killed is still owned.
 */
export async function takeLock(home: Home): Promise<Lock> {
  const database = open(home);
  try {
    await lockExclusively(database, home);
    await chmod(home.lock, 0o600);
    await belongTo(home.lock, home.directory);
    const since = new Date().toISOString();
    await writePrivately(home.owner, `${JSON.stringify({ pid: process.pid, host: hostname(), since })}\n`);
  } catch (error) {
    database.close();
    throw cannotLock(error, home);
  }
  return {
    async release() {
      if (!database.isOpen) return;
      await rm(home.owner, { force: true }).catch(() => undefined);
      // The lock file is never deleted: deleting one lets two processes lock two different files.
      database.close();
    },
  };
}

/** Waits a moment, because the owner may be dying right now: a supervisor restarts as soon as it has sent the signal. */
async function lockExclusively(database: DatabaseSync, home: Home): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // No journal file: nothing is ever written, so a full disk is no obstacle.
      return database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
      if (attempt === 5) throw await inUse(home);
    }
    await sleep(50);
  }
}

function open(home: Home): DatabaseSync {
  try {
    return new DatabaseSync(home.lock);
  } catch (error) {
    throw cannotLock(error, home);
  }
}

function cannotLock(error: unknown, home: Home): EmbeddedPostgresError {
  const fromSqlite = (error as { code?: string }).code === 'ERR_SQLITE_ERROR';
  if (!fromSqlite) return explainFileError(error, home.directory);
  return new EmbeddedPostgresError(
    'unwritable',
    `The file ${home.lock} cannot be locked (${(error as Error).message}): it must belong to user ` +
      `${process.getuid?.()} and lie on a file system that has locks`,
    { cause: error },
  );
}

/**
 * The owner's name is in a separate file, because reading the lock file in the process that holds the lock would
 * release the lock: closing any descriptor of a file releases the process's fcntl locks on it.
 */
async function inUse(home: Home): Promise<EmbeddedPostgresError> {
  const owner = await readFile(home.owner, 'utf8')
    .then((text) => JSON.parse(text) as { pid: number; host: string; since: string })
    .then(({ pid, host, since }) => `process ${pid} on ${host}, since ${since}`)
    .catch(() => 'another process');
  return new EmbeddedPostgresError(
    'in_use',
    `The database directory ${home.directory} is in use by ${owner}: stop it first, or choose another directory (COFFER_DATA_DIR)`,
  );
}
