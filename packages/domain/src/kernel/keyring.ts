import type { KeyObject } from 'node:crypto';

/** One data key with its version. */
export interface DataKey {
  readonly version: number;
  readonly key: KeyObject;
}

/** A data key that encrypts, and counts how often. */
export interface SealingKey extends DataKey {
  /** Counts one encryption, before it is done. @throws DomainError where there must be none. */
  use(): void;
}

/** The data keys of one organization or project: they open. */
export interface KeySet {
  /** The one that encrypts. */
  readonly newest: DataKey;
  /** Opens; `undefined` for a version that was destroyed or never was. */
  version(version: number): DataKey | undefined;
}

/** The same, ready to encrypt: uses of the newest are reserved (`KeyUses`). */
export interface SealingKeys extends KeySet {
  readonly newest: SealingKey;
}

export interface Keyring {
  /**
   * A mark that nobody can make of a text without the root key (HMAC-SHA-256, base64url): it stands in events for what a
   * stranger typed, which may be a password.
   */
  mark(text: string): string;
  /** The keys of an organization, or of one of its projects, to encrypt with: a use of the newest is reserved. */
  sealing(organizationId: string, projectId?: string): Promise<SealingKeys>;
  /** The keys of an organization, to open with. */
  organization(organizationId: string): Promise<KeySet>;
  /** The keys of a project, to open with. */
  project(organizationId: string, projectId: string): Promise<KeySet>;
}

/** Inside a transaction: sees the keys that it made, and makes new ones. */
export interface TransactionKeyring extends Keyring {
  /** A new key of an organization, or of one of its projects, wrapped and ready to be stored as this version. */
  wrapNew(organizationId: string, projectId: string | undefined, version: number): Promise<Buffer>;
}
