import { constants } from 'node:fs';
import { access, link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DomainError, makeRootKey, parseRootKey, type RootKey } from '@coffer/domain/offline';
import type { Config } from './config.ts';
import { writeOwnerDraft } from './owner-file.ts';
import { EXIT, StartError } from './start-error.ts';

/** The file of Coffer's own root key; absent if the operator provides the key. */
export const ownKeyFile = (config: Config): string | undefined =>
  config.COFFER_ROOT_KEY || config.COFFER_ROOT_KEY_FILE ? undefined : join(resolve(config.COFFER_DATA_DIR), 'root.key');

/**
 * The root key: from the environment, a file, or, for Coffer's own database, the data directory, where it is created
 * with the database.
 *
 * @throws StartError if it cannot be read, or is missing for an existing database.
 */
export async function obtainRootKey(config: Config): Promise<RootKey> {
  const path = ownKeyFile(config);
  if (path !== undefined) {
    const directory = dirname(path);
    try {
      await makeDirectory(directory);
      if (!(await exists(path))) await makeOwnKey(directory, path);
    } catch (error) {
      throw error instanceof StartError ? error : unusable(directory, error);
    }
  }
  return readRootKey(config);
}

/**
 * The existing root key; never creates one.
 *
 * @throws StartError
 */
export async function readRootKey(config: Config): Promise<RootKey> {
  return config.COFFER_ROOT_KEY ?? readKeyFile(config.COFFER_ROOT_KEY_FILE ?? ownKeyFile(config)!);
}

async function makeDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
}

async function makeOwnKey(directory: string, path: string): Promise<void> {
  if (await exists(join(directory, 'postgres'))) {
    throw new StartError(
      `${path} is missing, but ${directory} holds a database that was made with it: put the file back, or set COFFER_ROOT_KEY`,
      EXIT.configuration,
    );
  }
  await makeKeyFile(path);
}

/** Creates the file of a root key, a new one by default, with owner-only permissions, and never replaces one. */
export async function makeKeyFile(path: string, key = makeRootKey()): Promise<void> {
  const draft = await writeOwnerDraft(path, `${key}\n`);
  // link() never replaces a file: if two servers start at once, the first key stays.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  await syncDirectory(dirname(path));
}

/** Makes a new name in a directory outlive a loss of power. */
export async function syncDirectory(directory: string): Promise<void> {
  const place = await open(directory, 'r');
  try {
    await place.sync();
  } finally {
    await place.close();
  }
}

export async function readKeyFile(path: string): Promise<RootKey> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT'
        ? 'does not exist: correct COFFER_DATA_DIR or COFFER_ROOT_KEY_FILE'
        : `cannot be read (${error.code}): make it readable to this user`;
    throw new StartError(`the root key ${path} ${reason}`, EXIT.configuration, { cause: error });
  });
  try {
    return parseRootKey(text);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new StartError(
      `${path} holds no root key: it must be 32 bytes in base64, as it was made; restore it`,
      EXIT.configuration,
      { cause: error },
    );
  }
}

function unusable(directory: string, cause: unknown): StartError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const reason =
    code === 'EEXIST' || code === 'ENOTDIR'
      ? 'a file has this name: move it'
      : code === 'ENOSPC' || code === 'EDQUOT'
        ? 'the disk is full'
        : `user ${process.getuid?.() ?? 'unknown'} cannot write to it (${code ?? message}): change its owner`;
  return new StartError(
    `the data directory ${directory} cannot be used: ${reason}, or choose another one with COFFER_DATA_DIR`,
    EXIT.configuration,
    { cause },
  );
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
