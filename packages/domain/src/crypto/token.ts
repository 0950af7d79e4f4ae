import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Bearer tokens: a readable prefix, 256 random bits (base64url) and a checksum, so that mistyped and foreign tokens are
 * rejected without a query, and scanners find leaked ones. Stored only as SHA-256.
 */
const checksum = (text: string) => crc32(text).toString(36).padStart(7, '0');

export const makeToken = (prefix: string): { token: string; hash: Buffer } => writeToken(prefix, randomBytes(32));

/** The token for these 32 bytes. */
export function writeToken(prefix: string, bytes: Buffer): { token: string; hash: Buffer } {
  const body = `${prefix}${bytes.toString('base64url')}`;
  const token = `${body}${checksum(body)}`;
  return { token, hash: hashOf(token) };
}

/** The 32 bytes of a token. */
export const bytesOf = (prefix: string, token: string): Buffer =>
  Buffer.from(token.slice(prefix.length, -7), 'base64url');

/** Whether the text has the form of a token with this prefix; the token may still be unknown. */
export const isToken = (prefix: string, text: string): boolean =>
  text.length === prefix.length + 50 && text.startsWith(prefix) && checksum(text.slice(0, -7)) === text.slice(-7);

/** SHA-256 of a credential of at least 128 random bits. For passwords see `password.ts`. */
export const hashOf = (credential: string): Buffer => hash('sha256', credential, 'buffer');

/** A token as it was presented, which is hashed at most once. */
export class HashedToken {
  readonly text: string;
  #key: string | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Its SHA-256 as base64: nobody finds another text with the same one, unlike with a checksum. */
  get key(): string {
    return (this.#key ??= hash('sha256', this.text, 'base64'));
  }
}

/** Compares two hashes in constant time. */
export const sameHash = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);
