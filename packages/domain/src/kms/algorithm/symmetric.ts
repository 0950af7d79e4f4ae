import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { aessiv } from '@noble/ciphers/aes.js';
import { decrypt, encrypt, randomNonce } from '../../crypto/index.ts';
import type { CipherAlgorithm, MacAlgorithm } from './algorithm.ts';

const [NONCE, TAG] = [12, 16];

/** The cost of an operation that takes so long by itself, and longer with more bytes. */
const growing = (alone: number, bytesPerMicrosecond: number) => (bytes: number) => alone + bytes / bytesPerMicrosecond;

/** AES-GCM with a random nonce of 96 bits (NIST SP 800-38D, section 8.2.2): nonce, ciphertext, tag. */
export const aesGcm = (code: number, bytes: 16 | 32): CipherAlgorithm => ({
  usage: 'encrypt-decrypt',
  code,
  isCounted: true,
  costOf: growing(25, 400),
  ...secretOf({ generated: bytes, shortest: bytes, longest: bytes }),
  encrypt: (key, plaintext, associated) => {
    const nonce = randomNonce();
    return [nonce, ...encrypt(key, nonce, plaintext, associated)];
  },
  decrypt: (key, sealed, associated) => {
    if (sealed.length < NONCE + TAG) return undefined;
    const [nonce, tag] = [sealed.subarray(0, NONCE), sealed.subarray(-TAG)];
    return decrypt(key, nonce, sealed.subarray(NONCE, -TAG), tag, associated);
  },
});

/**
 * AES-SIV (RFC 5297) without a nonce: equal plaintexts with equal associated data have equal ciphertexts under one version of a
 * key, which whoever sees them learns. Its keys are two of AES, and may encrypt as often as anybody likes.
 */
export const aesSiv = (code: number, bytes: 32 | 64): CipherAlgorithm => ({
  usage: 'encrypt-decrypt',
  code,
  isCounted: false,
  costOf: growing(300, 8),
  ...secretOf({ generated: bytes, shortest: bytes, longest: bytes }),
  encrypt: (key, plaintext, associated) =>
    withBytes(key, (secret) => [Buffer.from(aessiv(secret, associated).encrypt(plaintext))]),
  decrypt: (key, sealed, associated) =>
    withBytes(key, (secret) => {
      try {
        return Buffer.from(aessiv(secret, associated).decrypt(sealed));
      } catch {
        return undefined;
      }
    }),
});

/** For a library that takes bytes. */
function withBytes<Result>(key: KeyObject, work: (secret: Buffer) => Result): Result {
  const secret = key.export();
  try {
    return work(secret);
  } finally {
    secret.fill(0);
  }
}

/** Bytes: the shortest key of HMAC that is read (112 bits, NIST SP 800-131A), and the longest. */
const [SHORTEST_MAC_KEY, LONGEST_MAC_KEY] = [14, 512];

/** HMAC (RFC 2104); its generated keys are as long as what the hash gives. */
export const hmac = (hash: string, bytes: number): MacAlgorithm => ({
  usage: 'generate-verify-mac',
  ...secretOf({ generated: bytes, shortest: SHORTEST_MAC_KEY, longest: LONGEST_MAC_KEY }),
  costOf: growing(10, 500),
  mac: (key, data) => createHmac(hash, key).update(data).digest(),
});

/** Lengths of keys in bytes. */
interface Lengths {
  readonly generated: number;
  readonly shortest: number;
  readonly longest: number;
}

function secretOf({ generated, shortest, longest }: Lengths) {
  return {
    generate: () => Promise.resolve({ secret: randomBytes(generated), publicKey: null }),
    read: (given: Buffer) =>
      given.length >= shortest && given.length <= longest ? { secret: Buffer.from(given), publicKey: null } : undefined,
    open: (secret: Buffer) => createSecretKey(secret),
  };
}
