import type { CipherAlgorithm, KeyAlgorithm, MacAlgorithm, SignatureAlgorithm } from './algorithm.ts';
import { ec, ed25519, mlDsa, rsa } from './asymmetric.ts';
import type { AlgorithmFor, KmsAlgorithmName } from './names.ts';
import { aesGcm, aesSiv, hmac } from './symmetric.ts';

type Table = Record<AlgorithmFor<'encrypt-decrypt'>, CipherAlgorithm> &
  Record<AlgorithmFor<'sign-verify'>, SignatureAlgorithm> &
  Record<AlgorithmFor<'generate-verify-mac'>, MacAlgorithm>;

/**
 * Every algorithm of keys. To add one: its name in `names.ts` and its member here. Operations ask the member, and know no
 * names.
 */
const TABLE: Table = {
  'aes-256-gcm': aesGcm(1, 32),
  'aes-128-gcm': aesGcm(2, 16),
  'aes-256-siv': aesSiv(3, 64),
  'aes-128-siv': aesSiv(4, 32),
  RSA_2048: rsa(2048, { sign: 1_200, verify: 60, verifyDigest: 200 }),
  RSA_3072: rsa(3072, { sign: 3_500, verify: 100, verifyDigest: 250 }),
  RSA_4096: rsa(4096, { sign: 7_000, verify: 150, verifyDigest: 300 }),
  ECC_NIST_P256: ec('prime256v1', { sign: 150, verify: 150, signDigest: 4_000, verifyDigest: 7_000 }),
  ECC_NIST_P384: ec('secp384r1', { sign: 2_000, verify: 1_600, signDigest: 5_000, verifyDigest: 14_000 }),
  ECC_NIST_P521: ec('secp521r1', { sign: 3_500, verify: 3_000, signDigest: 7_000, verifyDigest: 22_000 }),
  ED25519: ed25519({ sign: 100, verify: 200 }),
  ML_DSA_44: mlDsa('ML_DSA_44', '608648016503040311', { sign: 2_100, verify: 300 }),
  ML_DSA_65: mlDsa('ML_DSA_65', '608648016503040312', { sign: 3_000, verify: 400 }),
  ML_DSA_87: mlDsa('ML_DSA_87', '608648016503040313', { sign: 3_500, verify: 550 }),
  HMAC_SHA_1: hmac('sha1', 20),
  HMAC_SHA_224: hmac('sha224', 28),
  HMAC_SHA_256: hmac('sha256', 32),
  HMAC_SHA_384: hmac('sha384', 48),
  HMAC_SHA_512: hmac('sha512', 64),
};

export const algorithmOf = (name: KmsAlgorithmName): KeyAlgorithm => TABLE[name];
