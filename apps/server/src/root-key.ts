import { constants } from 'node:fs';
import { access, chown, link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DomainError, makeRootKey, parseRootKey, type RootKey } from '@coffer/domain';
import type { Config } from './config.ts';
import { EXIT, StartError } from './start-error.ts';

/**
 * The root key: the environment's, a file's, or, for Coffer's own database, the one in the data directory, which is made
 * when the database is.
 *
 * @throws StartError where it cannot be read, or is missing beside a database that was made with it.
 */
export async function obtainRootKey(config: Config): Promise<RootKey> {
  if (config.COFFER_ROOT_KEY) return config.COFFER_ROOT_KEY;
  if (config.COFFER_ROOT_KEY_FILE) return readKey(config.COFFER_ROOT_KEY_FILE);
  const directory = resolve(config.COFFER_DATA_DIR);
  const path = join(directory, 'root.key');
  try {
    await makeDirectory(directory);
    if (!(await exists(path))) await makeKey(directory, path);
  } catch (error) {
    throw error instanceof StartError ? error : unusable(directory, error);
  }
  return readKey(path);
}

async function makeDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
}

async function makeKey(directory: string, path: string): Promise<void> {
  if (await exists(join(directory, 'postgres'))) {
    throw new StartError(
      `${path} is missing, but ${directory} holds a database that was made with it: put the file back, or set COFFER_ROOT_KEY`,
      EXIT.configuration,
    );
  }
  const draft = `${path}.${process.pid}`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${makeRootKey()}\n`);
    await file.sync();
    // What root leaves in someone's directory (`sudo npm start`) has to stay readable to its owner.
    const { uid, gid } = await stat(directory);
    if (process.getuid?.() === 0 && uid !== 0) await chown(draft, uid, gid);
  } finally {
    await file.close();
  }
  // A link never replaces: where two servers start at once, the first key stays.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  const place = await open(directory, 'r');
  await place.sync().finally(() => place.close());
}

async function readKey(path: string): Promise<RootKey> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`the root key in ${path} cannot be read (${error.code}): make it readable to this user`, EXIT.configuration, { cause: error });
  });
  try {
    return parseRootKey(text);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new StartError(`${path} holds no root key: it must be 32 bytes in base64, as it was made; restore it`, EXIT.configuration, { cause: error });
  }
}

function unusable(directory: string, cause: unknown): StartError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const reason =
    code === 'EEXIST' || code === 'ENOTDIR'
      ? 'a file lies in its way: move it'
      : code === 'ENOSPC' || code === 'EDQUOT'
        ? 'the disk is full'
        : `user ${process.getuid?.() ?? 'unknown'} cannot write there (${code ?? message}): change its owner`;
  return new StartError(`the data directory ${directory} cannot be used: ${reason}, or choose another one with COFFER_DATA_DIR`, EXIT.configuration, { cause });
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
