import type { KeyObject } from 'node:crypto';

/** One data key with its version. */
export interface DataKey {
  readonly version: number;
  readonly key: KeyObject;
}

/** A data key that encrypts, and counts its uses. */
export interface SealingKey extends DataKey {
  /**
   * Counts one encryption before it is done.
   *
   * @throws DomainError if the limit is reached.
   */
  use(): void;
}

/** The data keys of one organization or project, for decryption. */
export interface KeySet {
  /** The key for encryption. */
  readonly newest: DataKey;
  /** Opens; `undefined` for a version that was destroyed or never was. */
  version(version: number): DataKey | undefined;
}

/** The same, ready to encrypt: uses of the newest are reserved (`KeyUses`). */
export interface SealingKeys extends KeySet {
  readonly newest: SealingKey;
}

/** Counts encryptions before they are done; see `KeyUses`. */
export interface UseCounter {
  /** From `rotateAt` uses on a key is rotated. */
  readonly limits: { readonly rotateAt: number };
  /**
   * Reserves some uses of a key; to be awaited before `use`.
   *
   * @throws DomainError 503 if its limit is reached, 404 if it was deleted meanwhile.
   */
  reserve(keyId: string): Promise<unknown> | undefined;
  /** @throws DomainError 503 if nothing is reserved any more. */
  use(keyId: string): void;
}

export interface Keyring {
  /**
   * A keyed hash of a text that nobody can compute without the root key (HMAC-SHA-256, base64url): replaces
   * unauthenticated input in events, which may be a password.
   */
  mark(text: string): string;
  /**
   * The keys of an organization, or of one of its projects, for encryption: reserves some uses of the newest one.
   *
   * @param uses The number of encryptions, where it may be more than a few: as many are reserved for this caller alone.
   */
  sealing(organizationId: string, projectId?: string, uses?: number): Promise<SealingKeys>;
  /** The keys of an organization, to open with. */
  organization(organizationId: string): Promise<KeySet>;
  /** The keys of a project, to open with. */
  project(organizationId: string, projectId: string): Promise<KeySet>;
}

/** Inside a transaction: sees and creates the transaction's own keys. */
export interface TransactionKeyring extends Keyring {
  /** A new key of an organization, or of one of its projects, wrapped for storage as this version. */
  wrapNew(organizationId: string, projectId: string | undefined, version: number): Promise<Buffer>;
}
