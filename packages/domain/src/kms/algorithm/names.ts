import { z } from 'zod';

/** What a key is for; it never changes. */
export const KeyUsage = z.enum(['encrypt-decrypt', 'sign-verify', 'generate-verify-mac']);
export type KeyUsage = z.output<typeof KeyUsage>;

/** The algorithms of keys, by what they are for; the first of each is its default. `table.ts` has one member for each. */
export const ALGORITHMS = {
  'encrypt-decrypt': ['aes-256-gcm', 'aes-128-gcm', 'aes-256-siv', 'aes-128-siv'],
  'sign-verify': [
    'ECC_NIST_P256',
    'ECC_NIST_P384',
    'ECC_NIST_P521',
    'RSA_2048',
    'RSA_3072',
    'RSA_4096',
    'ED25519',
    'ML_DSA_44',
    'ML_DSA_65',
    'ML_DSA_87',
  ],
  'generate-verify-mac': ['HMAC_SHA_256', 'HMAC_SHA_1', 'HMAC_SHA_224', 'HMAC_SHA_384', 'HMAC_SHA_512'],
} as const satisfies Record<KeyUsage, readonly string[]>;

export type AlgorithmFor<Usage extends KeyUsage> = (typeof ALGORITHMS)[Usage][number];

export const KmsAlgorithmName = z.enum([
  ...ALGORITHMS['encrypt-decrypt'],
  ...ALGORITHMS['sign-verify'],
  ...ALGORITHMS['generate-verify-mac'],
]);
export type KmsAlgorithmName = z.output<typeof KmsAlgorithmName>;

export const SigningAlgorithmName = z.enum([
  'RSASSA_PSS_SHA_512',
  'RSASSA_PSS_SHA_384',
  'RSASSA_PSS_SHA_256',
  'RSASSA_PKCS1_V1_5_SHA_512',
  'RSASSA_PKCS1_V1_5_SHA_384',
  'RSASSA_PKCS1_V1_5_SHA_256',
  'ECDSA_SHA_512',
  'ECDSA_SHA_384',
  'ECDSA_SHA_256',
  'ED25519',
  'ML_DSA_44',
  'ML_DSA_65',
  'ML_DSA_87',
]);
export type SigningAlgorithmName = z.output<typeof SigningAlgorithmName>;

/** What the keys of an algorithm are for. */
export const usageOf = (algorithm: KmsAlgorithmName): KeyUsage =>
  KeyUsage.options.find((usage) => (ALGORITHMS[usage] as readonly string[]).includes(algorithm))!;
