// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { KmsAlgorithmName, SigningAlgorithmName } from './shared.ts';

export type KmsDataKey = {
  keyId: string;
  /** Bytes of the data key (default: `32`) */ numberOfBytes?: number;
  /** Base64: authenticated with the ciphertext and not part of it; decryption needs the same */ associatedData?: string;
  /** Whether only the wrapped data key is answered (default: `false`) */ withoutPlaintext?: boolean;
};

export type KmsDecrypt = {
  keyId: string;
  ciphertext: string;
  /** Base64: authenticated with the ciphertext and not part of it; decryption needs the same */ associatedData?: string;
};

export type KmsDecryptBatch = {
  keyId: string;
  items: {
    ciphertext: string;
    /** Base64: authenticated with the ciphertext and not part of it; decryption needs the same */ associatedData?: string;
  }[];
};

export type KmsDecryptedBatch = { results: ({ plaintext: string } | { error: { code: string; message: string } })[] };

export type KmsEncrypt = {
  keyId: string;
  /** Base64, at most 64 KiB */ plaintext: string;
  /** Base64: authenticated with the ciphertext and not part of it; decryption needs the same */ associatedData?: string;
};

export type KmsEncryptBatch = {
  keyId: string;
  items: {
    /** Base64, at most 64 KiB */ plaintext: string;
    /** Base64: authenticated with the ciphertext and not part of it; decryption needs the same */ associatedData?: string;
  }[];
};

export type KmsEncryptedBatch = { results: ({ ciphertext: string } | { error: { code: string; message: string } })[] };

export type KmsMac = { mac: string; keyId: string; macAlgorithm: KmsAlgorithmName; keyVersion: number };

export type KmsMacVerified = { macValid: boolean; keyId: string; macAlgorithm: KmsAlgorithmName };

export type KmsMadeDataKey = {
  ciphertext: string;
  keyVersion: number;
  /** Base64: use it and drop it; decrypting `ciphertext` gives it again */ plaintext?: string;
};

export type KmsRandom = { /** Default: `32` */ numberOfBytes?: number };

export type KmsRandomBytes = { /** Base64 */ randomBytes: string };

export type KmsSign = {
  keyId: string;
  /** Base64, at most 64 KiB */ data: string;
  /** Whether `data` is the hash of the message already (default: `false`) */ isDigest?: boolean;
  /** Default: the first one of the key */ signingAlgorithm?: SigningAlgorithmName;
};

export type KmsSignBatch = {
  keyId: string;
  items: {
    /** Base64, at most 64 KiB */ data: string;
    /** Whether `data` is the hash of the message already (default: `false`) */ isDigest?: boolean;
    /** Default: the first one of the key */ signingAlgorithm?: SigningAlgorithmName;
  }[];
};

export type KmsSigned = {
  /** Base64; of ECDSA as DER */ signature: string;
  keyId: string;
  signingAlgorithm: SigningAlgorithmName;
  keyVersion: number;
};

export type KmsSignedBatch = { results: (KmsSigned | { error: { code: string; message: string } })[] };

export type KmsVerified = { signatureValid: boolean; keyId: string; signingAlgorithm: SigningAlgorithmName };

export type KmsVerifiedBatch = { results: (KmsVerified | { error: { code: string; message: string } })[] };

export type KmsVerify = {
  keyId: string;
  /** Base64, at most 64 KiB */ data: string;
  /** Whether `data` is the hash of the message already (default: `false`) */ isDigest?: boolean;
  /** Default: the first one of the key */ signingAlgorithm?: SigningAlgorithmName;
  signature: string;
  /** The version of the key that made it; default: each is tried, from the newest on, at most 100 */ keyVersion?: number;
};

export type KmsVerifyBatch = {
  keyId: string;
  items: {
    /** Base64, at most 64 KiB */ data: string;
    /** Whether `data` is the hash of the message already (default: `false`) */ isDigest?: boolean;
    /** Default: the first one of the key */ signingAlgorithm?: SigningAlgorithmName;
    signature: string;
    /** The version of the key that made it; default: each is tried, from the newest on, at most 100 */ keyVersion?: number;
  }[];
};

export type KmsVerifyMac = {
  keyId: string;
  data: string;
  mac: string;
  /** The version of the key that made it; default: each is tried, from the newest on, at most 100 */ keyVersion?: number;
};

export interface KmsApi {
  /** Encrypt data with a key. `POST /api/v1/kms/keys/{keyId}/encrypt`. Needs `encrypt` on `cmek`. */
  encrypt: Mutation<KmsEncrypt, { ciphertext: string }>;
  /** Decrypt data with a key. `POST /api/v1/kms/keys/{keyId}/decrypt`. Needs `decrypt` on `cmek`. */
  decrypt: Mutation<KmsDecrypt, { plaintext: string }>;
  /** Sign data with a key. `POST /api/v1/kms/keys/{keyId}/sign`. Needs `sign` on `cmek`. */
  sign: Mutation<KmsSign, KmsSigned>;
  /**
   * Verify a signature by a key.
   * A signature of other data or of another key is `signatureValid: false`.
   * `POST /api/v1/kms/keys/{keyId}/verify`. Needs `verify` on `cmek`.
   */
  verify: Mutation<KmsVerify, KmsVerified>;
  /** Generate a MAC with a key. `POST /api/v1/kms/keys/{keyId}/generate-mac`. Needs `generate-mac` on `cmek`. */
  generateMac: Mutation<{ keyId: string; data: string }, KmsMac>;
  /** Verify a MAC by a key. `POST /api/v1/kms/keys/{keyId}/verify-mac`. Needs `verify-mac` on `cmek`. */
  verifyMac: Mutation<KmsVerifyMac, KmsMacVerified>;
  /**
   * Encrypt a ciphertext with the newest version of its key.
   * The plaintext is not answered; the associated data stay.
   * `POST /api/v1/kms/keys/{keyId}/re-encrypt`. Needs `encrypt` on `cmek`.
   */
  reEncrypt: Mutation<KmsDecrypt, { ciphertext: string; keyVersion: number }>;
  /** Generate a data key. `POST /api/v1/kms/keys/{keyId}/data-key`. Needs `encrypt` on `cmek`. */
  generateDataKey: Mutation<KmsDataKey, KmsMadeDataKey>;
  /** Generate random bytes. `POST /api/v1/kms/random`. */
  random: Mutation<KmsRandom, KmsRandomBytes>;
  /**
   * Encrypt several data with a key.
   * One result for each item, in their order: an answer or an `error`.
   * `POST /api/v1/kms/keys/{keyId}/encrypt/batch`. Needs `encrypt` on `cmek`.
   */
  encryptBatch: Mutation<KmsEncryptBatch, KmsEncryptedBatch>;
  /**
   * Decrypt several data with a key.
   * One result for each item, in their order: an answer or an `error`.
   * `POST /api/v1/kms/keys/{keyId}/decrypt/batch`. Needs `decrypt` on `cmek`.
   */
  decryptBatch: Mutation<KmsDecryptBatch, KmsDecryptedBatch>;
  /**
   * Sign several data with a key.
   * One result for each item, in their order: an answer or an `error`.
   * `POST /api/v1/kms/keys/{keyId}/sign/batch`. Needs `sign` on `cmek`.
   */
  signBatch: Mutation<KmsSignBatch, KmsSignedBatch>;
  /**
   * Verify several signatures by a key.
   * One result for each item, in their order: an answer or an `error`.
   * `POST /api/v1/kms/keys/{keyId}/verify/batch`. Needs `verify` on `cmek`.
   */
  verifyBatch: Mutation<KmsVerifyBatch, KmsVerifiedBatch>;
}
