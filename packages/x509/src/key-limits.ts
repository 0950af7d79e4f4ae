import type { KeyObject } from 'node:crypto';

/** The maximum RSA modulus in bits for keys of callers. Twice the length takes eight times as long to sign. */
export const MAX_RSA_BITS = 8192;
export const MAX_EXPONENT_BITS = 256;

const VERIFIED = ['rsa', 'rsa-pss', 'ec', 'ed25519', 'ed448'];
/** Others, and those with parameters of their own, take milliseconds for a signature. */
const CURVES = [
  ...['prime256v1', 'secp384r1', 'secp521r1', 'secp224r1', 'secp256k1'],
  ...['brainpoolP256r1', 'brainpoolP384r1', 'brainpoolP512r1'],
];

/** Whether signatures by this public key are verified: not DSA, nor slow RSA keys and curves. */
export function isVerifiable({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = details;
  if (!VERIFIED.includes(type ?? '') || (type === 'ec' && !CURVES.includes(namedCurve))) return false;
  return modulusLength <= MAX_RSA_BITS && publicExponent < 1n << BigInt(MAX_EXPONENT_BITS);
}
