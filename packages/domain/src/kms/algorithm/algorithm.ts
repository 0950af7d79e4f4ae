import type { KeyObject } from 'node:crypto';
import type { SigningAlgorithm } from './signing.ts';

/** The material of one version of a key, as it is sealed and stored. */
export interface KeyMaterial {
  /** The key itself, or the private key as PKCS #8. The caller overwrites it after use. */
  readonly secret: Buffer;
  /** SubjectPublicKeyInfo; `null` for symmetric keys. */
  readonly publicKey: Buffer | null;
}

/** What the keys of every algorithm can do. */
interface OfAnyUsage {
  generate(): Promise<KeyMaterial>;
  /**
   * The material of a key that a caller gives: the bytes of a symmetric key, PKCS #8 as DER or PEM of others. `undefined` if
   * it is no key of this algorithm. Its cost does not depend on the key.
   */
  read(given: Buffer): KeyMaterial | undefined;
  /** Stored material as a key. */
  open(secret: Buffer): KeyObject;
}

/*
 * Costs are microseconds of a processor, as measured once and rounded up: they bound batches, and say when long work lets others
 * through.
 */

/** Authenticated encryption with associated data. */
export interface CipherAlgorithm extends OfAnyUsage {
  readonly usage: 'encrypt-decrypt';
  /** In ciphertexts; never changes, and no two have the same. */
  readonly code: number;
  /** Whether a key may encrypt only so often (`KeyUses`). */
  readonly isCounted: boolean;
  /** The cost of encrypting or decrypting so many bytes, associated data included. */
  costOf(bytes: number): number;
  encrypt(key: KeyObject, plaintext: Buffer, associated: Buffer): readonly Buffer[];
  /** `undefined` where it does not open. */
  decrypt(key: KeyObject, sealed: Buffer, associated: Buffer): Buffer | undefined;
}

/** The cost of a signature, of short messages and of digests. */
export interface SigningCost {
  readonly sign: number;
  readonly verify: number;
  readonly signDigest: number;
  readonly verifyDigest: number;
}

export interface SignatureAlgorithm extends OfAnyUsage {
  readonly usage: 'sign-verify';
  /** How such keys sign. */
  readonly signing: readonly SigningAlgorithm[];
  readonly cost: SigningCost;
}

export interface MacAlgorithm extends OfAnyUsage {
  readonly usage: 'generate-verify-mac';
  /** The cost of the MAC of so many bytes. */
  costOf(bytes: number): number;
  mac(key: KeyObject, data: Buffer): Buffer;
}

export type KeyAlgorithm = CipherAlgorithm | SignatureAlgorithm | MacAlgorithm;
