import { createHash, randomBytes, scryptSync } from 'node:crypto';
import { join } from 'node:path';
import { CommandError, failure } from '../exit.ts';
import { pathOf, readIfThere, readPrivate, writePrivate } from '../files.ts';
import type { Config } from '../home.ts';
import type { Io } from '../io.ts';
import { withLock } from '../lock.ts';
import { firstSet, type Environment } from '../parse.ts';
import { PASSPHRASE, SCRYPT } from '../vault/file.ts';
import { keyringEntries, type KeyringEntry } from '../vault/keyring.ts';

/** Variables with a passphrase for the offline cache. */
export const CACHE_PASSPHRASE = ['COFFER_CACHE_PASSPHRASE', ...PASSPHRASE] as const;
const KEY_FILE = ['COFFER_CACHE_KEY_FILE'] as const;

/** Bytes of a key. */
const SIZE = 32;

/**
 * The key of the offline cache: of a file, a passphrase, or the keyring. `undefined` where there is none of these, or
 * no place for the second part of it: nothing is cached then.
 *
 * @param directory Where the cache is.
 * @throws CommandError for a key file that cannot be used.
 */
export async function cacheKey(
  io: Pick<Io, 'env' | 'cwd' | 'say'>,
  directory: string,
  { vault }: Pick<Config, 'vault'>,
): Promise<Buffer | undefined> {
  const { env, cwd } = io;
  const file = firstSet(env, KEY_FILE);
  if (file !== undefined) return ofFile(pathOf(file, cwd));
  const passphrase = firstSet(env, CACHE_PASSPHRASE);
  try {
    if (passphrase !== undefined) return scryptSync(passphrase, await saltIn(directory), SIZE, SCRYPT);
    return vault === 'auto' ? await ofKeyring(env, directory) : undefined;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    io.say('debug', `Nothing is kept for offline use: ${error.message}`);
    return undefined;
  }
}

function ofFile(path: string): Buffer {
  const text = readPrivate(path);
  if (Buffer.byteLength(text.trim()) < SIZE)
    throw failure(`${path} has less than ${SIZE} bytes`, `Make a key: openssl rand -base64 32 > ${path}`);
  return createHash('sha256').update(text.trim()).digest();
}

/** Not secret: it makes the same passphrase another key elsewhere. */
function saltIn(directory: string): Promise<Buffer> {
  const path = join(directory, 'salt');
  const salt = { read: () => readIfThere(path), write: (text: string) => writePrivate(path, text) };
  return readOrMake(salt, 16, directory);
}

async function ofKeyring(env: Environment, directory: string): Promise<Buffer | undefined> {
  const entry = (await keyringEntries(env))?.('offline cache');
  return entry && readOrMake(entry, SIZE, directory);
}

/** The bytes that are kept somewhere; where there are none, one process makes random ones, which the others take. */
async function readOrMake(
  kept: Pick<KeyringEntry, 'read' | 'write'>,
  size: number,
  directory: string,
): Promise<Buffer> {
  const make = (): string => {
    const made = randomBytes(size).toString('base64');
    kept.write(made);
    return made;
  };
  const stored = kept.read() ?? (await withLock(join(directory, 'key.lock'), () => kept.read() ?? make()));
  return Buffer.from(stored, 'base64');
}
