// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { SigningAlgorithmName } from './shared.ts';

export type CreateKmsImportKey = {
  /** UUID */ projectId: string;
};

export type CreateKmsKey = {
  /** Lower-case letters, digits and single hyphens; unique in the project */
  name: string;
  description?: string | null;
  /** Default: that of the algorithm, or encrypt-decrypt */
  keyUsage?: 'encrypt-decrypt' | 'sign-verify' | 'generate-verify-mac';
  /** Default: the first one of the usage */ algorithm?: KmsAlgorithmName;
  /** Another name of `algorithm` */ encryptionAlgorithm?: KmsAlgorithmName;
  /** Whether its material can be exported; never changes (default: `false`) */
  isExportable?: boolean;
  /** Default: `false` */ hasDeleteProtection?: boolean;
  /** UUID */ projectId: string;
  /** Days between rotations */ rotationPeriodDays?: number;
};

export type DeleteKmsKey = {
  /** UUID */ keyId: string;
  /** Days until the key is destroyed, in which the deletion can be cancelled (default: `30`) */
  pendingDays?: number;
};

export type ExportKmsKey = {
  /** UUID */ keyId: string;
  /** Default: the newest */ version?: number;
};

export type ExportedKmsKey = {
  /** UUID */ keyId: string;
  name: string;
  keyUsage: 'encrypt-decrypt' | 'sign-verify' | 'generate-verify-mac';
  algorithm: KmsAlgorithmName;
  version: number;
  /** Base64: the bytes of a symmetric key, or PKCS #8 (DER) */
  privateKey: string;
  /** SubjectPublicKeyInfo (DER), base64 */ publicKey?: string;
};

export type ImportKmsKeys = {
  /** UUID */ projectId: string;
  keys: KmsKeyToImport[];
};

export type ImportedKmsKeys = { keys: KmsKey[]; errors: { name: string; code: string; message: string }[] };

export type KmsAlgorithmName = 'aes-256-gcm' | 'aes-128-gcm' | 'aes-256-siv' | 'aes-128-siv' | 'ECC_NIST_P256' | 'ECC_NIST_P384' | 'ECC_NIST_P521' | 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'ED25519' | 'ML_DSA_44' | 'ML_DSA_65' | 'ML_DSA_87' | 'HMAC_SHA_256' | 'HMAC_SHA_1' | 'HMAC_SHA_224' | 'HMAC_SHA_384' | 'HMAC_SHA_512';

export type KmsImportKey = {
  /** UUID */ id: string;
  /** UUID */ projectId: string;
  /** RSA, SubjectPublicKeyInfo (DER), base64 */ publicKey: string;
  publicKeyPem: string;
  /** What it wraps can be imported until then */ expiresAt: string;
};

export type KmsKey = {
  /** UUID */ id: string;
  createdAt: string;
  updatedAt: string;
  /** UUID */ orgId: string;
  /** UUID */ projectId: string;
  /** Unique in the project */ name: string;
  description: string | null;
  keyUsage: 'encrypt-decrypt' | 'sign-verify' | 'generate-verify-mac';
  /** The algorithm of the key, also where it does not encrypt */
  encryptionAlgorithm: 'aes-256-gcm' | 'aes-128-gcm' | 'aes-256-siv' | 'aes-128-siv' | 'ECC_NIST_P256' | 'ECC_NIST_P384' | 'ECC_NIST_P521' | 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'ED25519' | 'ML_DSA_44' | 'ML_DSA_65' | 'ML_DSA_87' | 'HMAC_SHA_256' | 'HMAC_SHA_1' | 'HMAC_SHA_224' | 'HMAC_SHA_384' | 'HMAC_SHA_512';
  /** The same as `encryptionAlgorithm` */
  algorithm: 'aes-256-gcm' | 'aes-128-gcm' | 'aes-256-siv' | 'aes-128-siv' | 'ECC_NIST_P256' | 'ECC_NIST_P384' | 'ECC_NIST_P521' | 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'ED25519' | 'ML_DSA_44' | 'ML_DSA_65' | 'ML_DSA_87' | 'HMAC_SHA_256' | 'HMAC_SHA_1' | 'HMAC_SHA_224' | 'HMAC_SHA_384' | 'HMAC_SHA_512';
  /** Number of the newest version; older ones still decrypt and verify */
  version: number;
  isDisabled: boolean;
  isExportable: boolean;
  isImported: boolean;
  hasDeleteProtection: boolean;
  /** Days between rotations; null if only its use rotates it */
  rotationPeriodDays: number | null;
  nextRotationDate: string | null;
  /** When a deleted key is destroyed; until then its deletion can be cancelled */
  deletionDate: string | null;
};

export type KmsKeyByName = {
  /** UUID */ projectId: string;
  keyName: string;
};

export type KmsKeyRef = {
  /** UUID */ keyId: string;
};

export type KmsKeyToImport = {
  /** Lower-case letters, digits and single hyphens; unique in the project */
  name: string;
  description?: string | null;
  /** Default: that of the algorithm, or encrypt-decrypt */
  keyUsage?: 'encrypt-decrypt' | 'sign-verify' | 'generate-verify-mac';
  /** Default: the first one of the usage */ algorithm?: KmsAlgorithmName;
  /** Another name of `algorithm` */ encryptionAlgorithm?: KmsAlgorithmName;
  /** Whether its material can be exported; never changes (default: `false`) */
  isExportable?: boolean;
  /** Default: `false` */ hasDeleteProtection?: boolean;
  /** Base64: the bytes of a symmetric key, or a private key as PKCS #8 (DER or PEM); or these wrapped */
  keyMaterial: string;
  /** Present where `keyMaterial` is wrapped by the import key of the project */
  wrapping?: 'RSA_OAEP_SHA_256' | 'RSA_AES_KEY_WRAP_SHA_256';
};

export type KmsPublicKey = {
  /** SubjectPublicKeyInfo (DER), base64 */ publicKey: string;
  publicKeyPem: string;
  /** JSON Web Key (RFC 7517), with a `kid` */
  publicKeyJwk: Record<string, unknown>;
  version: number;
};

export type KmsPublicKeyRef = {
  /** UUID */ keyId: string;
  /** Default: the newest */ version?: number;
};

export type ListKmsKeys = {
  /** UUID */ projectId: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `100`) */ limit?: number;
  /** Default: `'name'` */ orderBy?: 'name';
  /** Default: `'asc'` */ orderDirection?: 'asc' | 'desc';
  /** Part of the name */ search?: string;
  /** Keys whose deletion is pending are listed only by themselves (default: `'present'`) */
  state?: 'present' | 'pending-deletion';
};

export type UpdateKmsKey = {
  /** UUID */ keyId: string;
  /** Lower-case letters, digits and single hyphens; unique in the project */
  name?: string;
  description?: string | null;
  /** A disabled key is not used, and can be enabled again */
  isDisabled?: boolean;
  hasDeleteProtection?: boolean;
  /** Days between rotations; null for none */ rotationPeriodDays?: number | null;
};

export interface KmsKeysApi {
  /** List the keys of a project. `GET /api/v1/kms/keys`. Needs `read` on `cmek`. */
  list: Query<ListKmsKeys, { keys: KmsKey[]; totalCount: number }>;
  /** Create a key. `POST /api/v1/kms/keys`. Needs `create` on `cmek`. */
  create: Mutation<CreateKmsKey, { key: KmsKey }>;
  /** Read a key. Also one whose deletion is pending: it has a `deletionDate`. `GET /api/v1/kms/keys/{keyId}`. Needs `read` on `cmek`. */
  get: Query<KmsKeyRef, { key: KmsKey }>;
  /** Read a key by its name. `GET /api/v1/kms/keys/key-name/{keyName}`. Needs `read` on `cmek`. */
  getByName: Query<KmsKeyByName, { key: KmsKey }>;
  /** Update a key. `PATCH /api/v1/kms/keys/{keyId}`. Needs `edit` on `cmek`. */
  update: Mutation<UpdateKmsKey, { key: KmsKey }>;
  /**
   * Delete a key.
   * The key is not used any more and its name is free. Until its `deletionDate` that can be cancelled.
   * `DELETE /api/v1/kms/keys/{keyId}`. Needs `delete` on `cmek`.
   */
  delete: Mutation<DeleteKmsKey, { key: KmsKey }>;
  /** Cancel the deletion of a key. `POST /api/v1/kms/keys/{keyId}/cancel-deletion`. Needs `delete` on `cmek`. */
  cancelDeletion: Mutation<KmsKeyRef, { key: KmsKey }>;
  /**
   * Rotate a key.
   * The new version is used from now on; older ones still decrypt and verify.
   * `POST /api/v1/kms/keys/{keyId}/rotate`. Needs `rotate` on `cmek`.
   */
  rotate: Mutation<KmsKeyRef, { key: KmsKey }>;
  /** Read the public key of a key. `GET /api/v1/kms/keys/{keyId}/public-key`. Needs `read` on `cmek`. */
  getPublicKey: Query<KmsPublicKeyRef, KmsPublicKey>;
  /** List the algorithms that a key signs with. `GET /api/v1/kms/keys/{keyId}/signing-algorithms`. Needs `read` on `cmek`. */
  listSigningAlgorithms: Query<KmsKeyRef, { signingAlgorithms: SigningAlgorithmName[] }>;
  /**
   * Read the import key of a project.
   * An RSA key by which callers wrap material before they import it. It is made when it is first read, and replaced before it expires.
   * `POST /api/v1/kms/import-key`. Needs `import` on `cmek`.
   */
  getImportKey: Mutation<CreateKmsImportKey, { importKey: KmsImportKey }>;
  /**
   * Import keys.
   * Each key is imported whole or not at all; `errors` has those that are not.
   * `POST /api/v1/kms/keys/bulk-import`. Needs `import` on `cmek`.
   */
  import: Mutation<ImportKmsKeys, ImportedKmsKeys>;
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
  getJwks: Query<
    {
      /** UUID */ projectId: string;
    },
    {
      type: string;
      /** Base64 */ body: string;
    }
  >;
}
