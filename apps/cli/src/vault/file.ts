import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { failure } from '../exit.ts';
import { readIfThere, requirePrivate, writePrivate } from '../files.ts';
import { configDirectory } from '../home.ts';
import { firstSet, type Environment } from '../parse.ts';
import type { Credentials, Vault } from './credentials.ts';

type Stored = Readonly<Record<string, Credentials>>;

/** The form with a passphrase: AES-256-GCM under a key of scrypt (RFC 7914). Bytes are in base64. */
interface Sealed {
  readonly salt: string;
  readonly nonce: string;
  readonly ciphertext: string;
}

/** 64 MiB and about a tenth of a second for each guess. */
export const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 };

/** Variables with the passphrase of the file. */
export const PASSPHRASE = ['COFFER_VAULT_FILE_PASSPHRASE', 'INFISICAL_VAULT_FILE_PASSPHRASE'] as const;

/** A file of mode 0600 in the configuration directory, encrypted if a passphrase is set. */
export function fileVault(env: Environment): Vault {
  const path = join(configDirectory(env), 'credentials.json');
  const passphrase = firstSet(env, PASSPHRASE);
  const read = (): Stored => {
    const text = readIfThere(path);
    if (text === undefined) return {};
    requirePrivate(path);
    const stored = parse(path, text);
    return 'ciphertext' in stored ? open(path, stored as unknown as Sealed, passphrase) : (stored as Stored);
  };
  const write = (all: Stored): void => {
    if (!Object.keys(all).length) return rmSync(path, { force: true });
    writePrivate(path, `${JSON.stringify(passphrase ? seal(all, passphrase) : all)}\n`);
  };
  return {
    place: path,
    read: (profile) => {
      const all = read();
      return Object.hasOwn(all, profile) ? all[profile] : undefined;
    },
    write: (profile, credentials) => write({ ...read(), [profile]: credentials }),
    remove(profile) {
      const { [profile]: _removed, ...rest } = read();
      write(rest);
    },
  };
}

function parse(path: string, text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    throw failure(`${path} is damaged`, 'Log in again after: coffer reset');
  }
}

function seal(all: Stored, passphrase: string): Sealed {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', scryptSync(passphrase, salt, 32, SCRYPT), nonce);
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(all)), cipher.final(), cipher.getAuthTag()]);
  return {
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    ciphertext: ciphertext.toString('base64'),
  };
}

function open(path: string, { salt, nonce, ciphertext }: Sealed, passphrase: string | undefined): Stored {
  if (!passphrase) throw failure(`${path} is encrypted`, `Set ${PASSPHRASE[0]} to its passphrase`);
  try {
    const key = scryptSync(passphrase, Buffer.from(salt, 'base64'), 32, SCRYPT);
    const bytes = Buffer.from(ciphertext, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'));
    decipher.setAuthTag(bytes.subarray(-16));
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString()) as Stored;
  } catch {
    throw failure(`${path} does not open with this passphrase`, `Check ${PASSPHRASE[0]}, or start anew: coffer reset`);
  }
}
