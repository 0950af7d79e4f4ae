import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Bearer tokens: a readable prefix, 256 random bits (base64url) and a checksum, so that a mistyped or foreign token is
 * told without asking the database and a leaked one is found by scanners. Stored only as SHA-256.
 */
const checksum = (text: string) => crc32(text).toString(36).padStart(7, '0');

export const makeToken = (prefix: string): { token: string; hash: Buffer } => writeToken(prefix, randomBytes(32));

/** The token that holds these 32 bytes. */
export function writeToken(prefix: string, bytes: Buffer): { token: string; hash: Buffer } {
  const body = `${prefix}${bytes.toString('base64url')}`;
  const token = `${body}${checksum(body)}`;
  return { token, hash: hashOf(token) };
}

/** The 32 bytes that a token holds. */
export const bytesOf = (prefix: string, token: string): Buffer =>
  Buffer.from(token.slice(prefix.length, -7), 'base64url');

/** Whether the text has the form of a token of this prefix; says nothing about whether it is one. */
export const isToken = (prefix: string, text: string): boolean =>
  text.length === prefix.length + 50 && text.startsWith(prefix) && checksum(text.slice(0, -7)) === text.slice(-7);

/** SHA-256 of a credential of at least 128 random bits. For passwords see `password.ts`. */
export const hashOf = (credential: string): Buffer => hash('sha256', credential, 'buffer');

/** Compares two hashes in a time that does not tell where they differ. */
export const sameHash = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);
