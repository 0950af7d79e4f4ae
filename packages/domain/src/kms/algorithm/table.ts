import type { CipherAlgorithm, KeyAlgorithm, MacAlgorithm, SignatureAlgorithm } from './algorithm.ts';
import { ec, ed25519, mlDsa, rsa } from './asymmetric.ts';
import type { AlgorithmFor, KmsAlgorithmName } from './names.ts';
import { ECDSA_SIGNING, ED25519_SIGNING, mlDsaSigning, RSA_SIGNING } from './signing.ts';
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
  RSA_2048: rsa(2048, RSA_SIGNING),
  RSA_3072: rsa(3072, RSA_SIGNING),
  RSA_4096: rsa(4096, RSA_SIGNING),
  ECC_NIST_P256: ec('prime256v1', ECDSA_SIGNING),
  ECC_NIST_P384: ec('secp384r1', ECDSA_SIGNING),
  ECC_NIST_P521: ec('secp521r1', ECDSA_SIGNING),
  ED25519: ed25519(ED25519_SIGNING),
  ML_DSA_44: mlDsa('ml-dsa-44', '608648016503040311', mlDsaSigning('ML_DSA_44')),
  ML_DSA_65: mlDsa('ml-dsa-65', '608648016503040312', mlDsaSigning('ML_DSA_65')),
  ML_DSA_87: mlDsa('ml-dsa-87', '608648016503040313', mlDsaSigning('ML_DSA_87')),
  HMAC_SHA_1: hmac('sha1', 20),
  HMAC_SHA_224: hmac('sha224', 28),
  HMAC_SHA_256: hmac('sha256', 32),
  HMAC_SHA_384: hmac('sha384', 48),
  HMAC_SHA_512: hmac('sha512', 64),
};

export const algorithmOf = (name: KmsAlgorithmName): KeyAlgorithm => TABLE[name];
