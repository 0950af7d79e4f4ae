import type { KeyObject } from 'node:crypto';

/** One data key with its version. */
export interface DataKey {
  readonly version: number;
  readonly key: KeyObject;
}

/** The data keys of one organization or project. */
export interface KeySet {
  /** Encrypts. */
  readonly newest: DataKey;
  /** Opens; `undefined` for a version that was destroyed or never was. */
  version(version: number): DataKey | undefined;
}

export interface Keyring {
  organization(organizationId: string): Promise<KeySet>;
  project(organizationId: string, projectId: string): Promise<KeySet>;
}

/** Inside a transaction: sees the keys that it made, and makes new ones. */
export interface TransactionKeyring extends Keyring {
  /** A new key of an organization, or of one of its projects, wrapped and ready to be stored as this version. */
  wrapNew(organizationId: string, projectId: string | undefined, version: number): Promise<Buffer>;
}
