import { createHash, randomBytes, scryptSync } from 'node:crypto';
import { join } from 'node:path';
import { failure } from '../exit.ts';
import { pathOf, readIfThere, readPrivate, writePrivate } from '../files.ts';
import type { Config } from '../home.ts';
import { firstSet, type Environment } from '../parse.ts';
import { PASSPHRASE, SCRYPT } from '../vault/file.ts';
import { keyringEntries } from '../vault/keyring.ts';

/** Variables with a passphrase for the offline cache. */
export const CACHE_PASSPHRASE = ['COFFER_CACHE_PASSPHRASE', ...PASSPHRASE] as const;
const KEY_FILE = ['COFFER_CACHE_KEY_FILE'] as const;

/** Bytes of a key. */
const SIZE = 32;

/**
 * The key of the offline cache: of a file, a passphrase, or the keyring. `undefined` where there is none of these: nothing is cached then.
 *
 * @param directory Where the cache is.
 * @throws CommandError for a key file that cannot be used.
 */
export async function cacheKey(
  env: Environment,
  cwd: string,
  directory: string,
  { vault }: Pick<Config, 'vault'>,
): Promise<Buffer | undefined> {
  const file = firstSet(env, KEY_FILE);
  if (file !== undefined) return ofFile(pathOf(file, cwd));
  const passphrase = firstSet(env, CACHE_PASSPHRASE);
  if (passphrase !== undefined) return scryptSync(passphrase, saltIn(directory), SIZE, SCRYPT);
  return vault === 'auto' ? ofKeyring(env) : undefined;
}

function ofFile(path: string): Buffer {
  const text = readPrivate(path);
  if (Buffer.byteLength(text.trim()) < SIZE)
    throw failure(`${path} has less than ${SIZE} bytes`, `Make a key: openssl rand -base64 32 > ${path}`);
  return createHash('sha256').update(text.trim()).digest();
}

/** Not secret: it makes the same passphrase another key elsewhere. */
function saltIn(directory: string): Buffer {
  const path = join(directory, 'salt');
  const stored = readIfThere(path);
  if (stored !== undefined) return Buffer.from(stored, 'base64');
  const salt = randomBytes(16);
  writePrivate(path, salt.toString('base64'));
  return salt;
}

async function ofKeyring(env: Environment): Promise<Buffer | undefined> {
  const entry = (await keyringEntries(env))?.('offline cache');
  if (!entry) return undefined;
  const stored = entry.read();
  if (stored !== undefined) return Buffer.from(stored, 'base64');
  const key = randomBytes(SIZE);
  entry.write(key.toString('base64'));
  return key;
}
