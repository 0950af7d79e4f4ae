// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { KmsAlgorithmName, SigningAlgorithmName } from './shared.ts';

export type CreateKmsKey = {
  /** Lower-case letters, digits and single hyphens; unique in the project */ name: string;
  description?: string | null;
  /** Default: that of the algorithm, or encrypt-decrypt */
  keyUsage?: 'encrypt-decrypt' | 'sign-verify' | 'generate-verify-mac';
  /** Default: the first one of the usage */ algorithm?: KmsAlgorithmName;
  /** Another name of `algorithm` */ encryptionAlgorithm?: KmsAlgorithmName;
  /** Whether its material can be exported; never changes (default: `false`) */ isExportable?: boolean;
  /** Default: `false` */ hasDeleteProtection?: boolean;
  projectId: string;
  /** Days between rotations */ rotationPeriodDays?: number;
};

export type DeleteKmsKey = {
  keyId: string;
  /** Days until the key is destroyed, in which the deletion can be cancelled (default: `30`) */ pendingDays?: number;
};

export type ExportKmsKey = { keyId: string; /** Default: the newest */ version?: number };

export type ExportedKmsKey = {
  keyId: string;
  name: string;
  keyUsage: 'encrypt-decrypt' | 'sign-verify' | 'generate-verify-mac';
  algorithm: KmsAlgorithmName;
  version: number;
  /** Base64: the bytes of a symmetric key, or PKCS #8 (DER) */ privateKey: string;
  /** SubjectPublicKeyInfo (DER), base64 */ publicKey?: string;
};

export type ImportedKmsKeys = { keys: KmsKey[]; errors: { name: string; code: string; message: string }[] };

export type KmsImportKey = {
  id: string;
  projectId: string;
  /** RSA, SubjectPublicKeyInfo (DER), base64 */ publicKey: string;
  publicKeyPem: string;
  /** What it wraps can be imported until then */ expiresAt: string;
};

export type KmsKey = {
  id: string;
  createdAt: string;
  updatedAt: string;
  orgId: string;
  projectId: string;
  /** Unique in the project */ name: string;
  description: string | null;
  keyUsage: 'encrypt-decrypt' | 'sign-verify' | 'generate-verify-mac';
  /** The algorithm of the key, also where it does not encrypt */ encryptionAlgorithm: KmsAlgorithmName;
  /** The same as `encryptionAlgorithm` */ algorithm: KmsAlgorithmName;
  /** Number of the newest version; older ones still decrypt and verify */ version: number;
  isDisabled: boolean;
  isExportable: boolean;
  isImported: boolean;
  hasDeleteProtection: boolean;
  /** Days between rotations; null if only its use rotates it */ rotationPeriodDays: number | null;
  nextRotationDate: string | null;
  /** When a deleted key is destroyed; until then its deletion can be cancelled */ deletionDate: string | null;
};

export type KmsKeyToImport = {
  /** Lower-case letters, digits and single hyphens; unique in the project */ name: string;
  description?: string | null;
  /** Default: that of the algorithm, or encrypt-decrypt */
  keyUsage?: 'encrypt-decrypt' | 'sign-verify' | 'generate-verify-mac';
  /** Default: the first one of the usage */ algorithm?: KmsAlgorithmName;
  /** Another name of `algorithm` */ encryptionAlgorithm?: KmsAlgorithmName;
  /** Whether its material can be exported; never changes (default: `false`) */ isExportable?: boolean;
  /** Default: `false` */ hasDeleteProtection?: boolean;
  /** Base64: the bytes of a symmetric key, or a private key as PKCS #8 (DER or PEM); or these wrapped */
  keyMaterial: string;
  /** Present where `keyMaterial` is wrapped by the import key of the project */
  wrapping?: 'RSA_OAEP_SHA_256' | 'RSA_AES_KEY_WRAP_SHA_256';
};

export type KmsPublicKey = {
  /** SubjectPublicKeyInfo (DER), base64 */ publicKey: string;
  publicKeyPem: string;
  /** JSON Web Key (RFC 7517), with a `kid` */ publicKeyJwk: Record<string, unknown>;
  version: number;
};

export type KmsPublicKeyRef = { keyId: string; /** Default: the newest */ version?: number };

export type ListKmsKeys = {
  projectId: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `100`) */ limit?: number;
  /** Default: `'name'` */ orderBy?: 'name';
  /** Default: `'asc'` */ orderDirection?: 'asc' | 'desc';
  /** Part of the name */ search?: string;
  /** Keys whose deletion is pending are listed only by themselves (default: `'present'`) */
  state?: 'present' | 'pending-deletion';
};

export type UpdateKmsKey = {
  keyId: string;
  /** Lower-case letters, digits and single hyphens; unique in the project */ name?: string;
  description?: string | null;
  /** A disabled key is not used, and can be enabled again */ isDisabled?: boolean;
  hasDeleteProtection?: boolean;
  /** Days between rotations; null for none */ rotationPeriodDays?: number | null;
};

export interface KmsKeysApi {
  /** List the keys of a project. `GET /api/v1/kms/keys`. Needs `read` on `cmek`. */
  list: Query<ListKmsKeys, { keys: KmsKey[]; totalCount: number }>;
  /** Create a key. `POST /api/v1/kms/keys`. Needs `create` on `cmek`. */
  create: Mutation<CreateKmsKey, { key: KmsKey }>;
  /** Read a key. Also one whose deletion is pending: it has a `deletionDate`. `GET /api/v1/kms/keys/{keyId}`. Needs `read` on `cmek`. */
  get: Query<{ keyId: string }, { key: KmsKey }>;
  /** Read a key by its name. `GET /api/v1/kms/keys/key-name/{keyName}`. Needs `read` on `cmek`. */
  getByName: Query<{ projectId: string; keyName: string }, { key: KmsKey }>;
  /** Update a key. `PATCH /api/v1/kms/keys/{keyId}`. Needs `edit` on `cmek`. */
  update: Mutation<UpdateKmsKey, { key: KmsKey }>;
  /**
   * Delete a key.
   * The key is not used any more and its name is free. Until its `deletionDate` that can be cancelled.
   * `DELETE /api/v1/kms/keys/{keyId}`. Needs `delete` on `cmek`.
   */
  delete: Mutation<DeleteKmsKey, { key: KmsKey }>;
  /**
   * Cancel the deletion of a key.
   * The key has its name again, which takes the right to create one of that name, too; if it rotates by itself, also that to rotate it without an end.
   * `POST /api/v1/kms/keys/{keyId}/cancel-deletion`. Needs `delete` on `cmek`.
   */
  cancelDeletion: Mutation<{ keyId: string }, { key: KmsKey }>;
  /**
   * Rotate a key.
   * The new version is used from now on; older ones still decrypt and verify.
   * `POST /api/v1/kms/keys/{keyId}/rotate`. Needs `rotate` on `cmek`.
   */
  rotate: Mutation<{ keyId: string }, { key: KmsKey }>;
  /** Read the public key of a key. `GET /api/v1/kms/keys/{keyId}/public-key`. Needs `read` on `cmek`. */
  getPublicKey: Query<KmsPublicKeyRef, KmsPublicKey>;
  /** List the algorithms that a key signs with. `GET /api/v1/kms/keys/{keyId}/signing-algorithms`. Needs `read` on `cmek`. */
  listSigningAlgorithms: Query<{ keyId: string }, { signingAlgorithms: SigningAlgorithmName[] }>;
  /**
   * Read the import key of a project.
   * An RSA key by which callers wrap material before they import it. It is made when it is first read, and replaced before it expires.
   * `POST /api/v1/kms/import-key`. Needs `import` on `cmek`.
   */
  getImportKey: Mutation<{ projectId: string }, { importKey: KmsImportKey }>;
  /**
   * Import keys.
   * Each key is imported whole or not at all; `errors` has those that are not.
   * `POST /api/v1/kms/keys/bulk-import`. Needs `import` on `cmek`.
   */
  import: Mutation<{ projectId: string; keys: KmsKeyToImport[] }, ImportedKmsKeys>;
  /**
   * Export a key.
   * Only of keys that were created exportable.
   * `GET /api/v1/kms/keys/{keyId}/private-key`. Needs `export-private-key` on `cmek`.
   */
  export: Query<ExportKmsKey, ExportedKmsKey>;
  /** Export keys. All of them or none. `POST /api/v1/kms/keys/bulk-export-private-keys`. Needs `export-private-key` on `cmek`. */
  exportMany: Mutation<{ keyIds: string[] }, { keys: ExportedKmsKey[] }>;
  /**
   * Read the public keys of a project (JWKS).
   * The newest versions of all enabled keys that sign, for whoever verifies: at most ten of a key and 1,000 of a project.
   * `GET /api/v1/projects/{projectId}/kms/jwks`. Needs no token.
   */
  getJwks: Query<{ projectId: string }, { type: string; /** Base64 */ body: string }>;
}
