import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseRootKey, type RootKey } from '@coffer/domain/offline';
import { existsSync } from 'node:fs';
import { makeKeyFile, ownKeyFile, readKeyFile, readRootKey, syncDirectory } from '../root-key.ts';
import { EXIT, StartError } from '../start-error.ts';
import { configuration, log, nothingIsCalled, withDatabase } from './open.ts';

// The domain is loaded once the configuration has turned out to be right.

/** The fingerprint of the root key that the server would use. */
export async function showFingerprint(): Promise<void> {
  const { fingerprint } = await readRootKey(configuration());
  console.log(fingerprint);
}

/** Rotates the keys of organizations and projects and reseals everything under them; servers keep running. */
export function rotate({ organization }: { organization?: string }): Promise<void> {
  return withDatabase(async ({ rootKey, databaseUrl }) => {
    const { openCoffer, rotateKeys } = await import('@coffer/domain');
    const coffer = await openCoffer({ databaseUrl, rootKey, fetch: nothingIsCalled, log, migrate: false, poolSize: 4 });
    try {
      const rotations = await rotateKeys(coffer, { organizationId: organization });
      for (const one of rotations) {
        console.log(
          `${one.organizationId}: ${one.resealed} values re-encrypted, ${one.retired} keys retired${one.isComplete ? '' : '; not finished, run it again'}`,
        );
        for (const place of one.unreadable) console.log(`  cannot be opened and keeps its key: ${place}`);
      }
      if (rotations.length === 0) throw new StartError('the organization does not exist', EXIT.bug);
      if (rotations.some(({ isComplete }) => !isComplete)) process.exitCode = EXIT.bug;
    } finally {
      await coffer.close();
    }
  });
}

/** Wraps all keys with a new root key. A server's own key file is replaced; any other the operator replaces. */
export function rotateRoot({ newKeyFile }: { newKeyFile?: string }): Promise<void> {
  return withDatabase(async ({ config, rootKey, databaseUrl }) => {
    const own = ownKeyFile(config);
    const newKey = await obtainNewKey(newKeyFile, own);
    const [{ rotateRootKey }, { Pool }] = await Promise.all([import('@coffer/domain'), import('pg')]);
    const pool = new Pool({ connectionString: databaseUrl, max: 2, connectionTimeoutMillis: 10_000 });
    try {
      const { keys, fingerprint } = await rotateRootKey(pool, rootKey, newKey);
      console.log(`${keys} keys are wrapped with the root key of fingerprint ${fingerprint}`);
    } finally {
      await pool.end();
    }
    if (own && newKeyFile === undefined) {
      await rename(draftOf(own), own);
      await syncDirectory(dirname(own));
      console.log(`${own} holds the new key: keep a copy, and start the server again`);
    } else console.log('Configure the new root key on all servers and restart them');
  });
}

const draftOf = (own: string) => `${own}.new`;

/**
 * The new key is in a file before anything is wrapped with it, and stays there until it has its place: a command that
 * was interrupted is run again.
 */
async function obtainNewKey(file: string | undefined, own: string | undefined): Promise<RootKey> {
  const text = file === undefined ? process.env['COFFER_NEW_ROOT_KEY']?.trim() : undefined;
  const given = text ? parseRootKey(text) : undefined;
  const path = file ?? (own && draftOf(own));
  if (path === undefined) {
    if (given) return given;
    throw new StartError(
      'pass a file for the new root key (--new-key-file), or set COFFER_NEW_ROOT_KEY',
      EXIT.configuration,
    );
  }
  if (!existsSync(path)) await makeKeyFile(path, text || undefined);
  const key = await readKeyFile(path);
  if (given && given.fingerprint !== key.fingerprint)
    throw new StartError(
      `${path} holds another key than COFFER_NEW_ROOT_KEY, of a rotation that was interrupted: finish that first, without COFFER_NEW_ROOT_KEY`,
      EXIT.configuration,
    );
  return key;
}
