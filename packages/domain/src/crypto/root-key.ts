import { createHash, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { DomainError } from '../kernel/errors.ts';

/** The key that wraps all others. In memory it is a `KeyObject`; only its fingerprint is stored. */
export interface RootKey {
  readonly key: KeyObject;
  /** 16 hex digits in groups of four: for people to compare, of no help in finding the key. */
  readonly fingerprint: string;
}

/** Reads a root key: 32 bytes in base64 (standard or URL alphabet). */
export function parseRootKey(text: string): RootKey {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== 32 || !/^[A-Za-z0-9+/_-]{43}=?$/.test(text.trim())) {
    throw new DomainError(
      'bad_request',
      'root_key.malformed',
      'COFFER_ROOT_KEY must be 32 bytes in base64; make one with: openssl rand -base64 32',
    );
  }
  const digest = createHash('sha256').update('coffer root key').update(bytes).digest('hex');
  return { key: createSecretKey(bytes), fingerprint: digest.slice(0, 16).replace(/(.{4})(?=.)/g, '$1-') };
}

/** A derived key for marks, separate from sealing (RFC 5869): see `StoredKeyring.mark`. */
export const markingKey = ({ key }: RootKey): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'coffer marking key', 32)));

export const makeRootKey = (): string => randomBytes(32).toString('base64');
