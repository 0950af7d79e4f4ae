import { isVerifiable, MAX_RSA_BITS } from '@coffer/x509/key-limits';
import { z } from 'zod';
import { nodeCrypto } from '../../../kernel/schema.ts';

/** Maximum number of keys that are tried for a token without `kid`. */
export const MAX_KEYS = 10;
const MAX_PEM = 16_384;
/** Weaker RSA keys verify nothing. */
const MIN_RSA_BITS = 2048;
const PEM = /^-----BEGIN ((?:RSA )?PUBLIC KEY)-----[A-Za-z0-9+/=\s]+-----END \1-----$/;

/** A public key for verifying signatures: one PEM block, stored as given. */
export const PublicKey = z
  .string()
  .trim()
  .max(MAX_PEM, { abort: true })
  .refine(
    canVerify,
    `Expected a public key in PEM form: RSA of ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits, P-256, P-384, P-521 or Ed25519`,
  );

function canVerify(pem: string): boolean {
  if (!PEM.test(pem)) return false;
  if (!nodeCrypto) return true;
  try {
    const key = nodeCrypto.createPublicKey(pem);
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
    if (!isVerifiable(key)) return false;
    if (type === 'rsa') return (details?.modulusLength ?? 0) >= MIN_RSA_BITS;
    if (type === 'ec') return ['prime256v1', 'secp384r1', 'secp521r1'].includes(details?.namedCurve ?? '');
    return type === 'ed25519';
  } catch {
    return false;
  }
}
