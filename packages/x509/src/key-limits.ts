import type { KeyObject } from 'node:crypto';

/** The maximum RSA modulus in bits for keys of callers. Twice the length takes eight times as long to sign. */
export const MAX_RSA_BITS = 8192;
export const MAX_EXPONENT_BITS = 256;

const VERIFIED = ['rsa', 'rsa-pss', 'ec', 'ed25519', 'ed448'];

/** Whether signatures by this public key are verified: not DSA, nor slow RSA keys. */
export function isVerifiable({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = details ?? {};
  return (
    VERIFIED.includes(type ?? '') && modulusLength <= MAX_RSA_BITS && publicExponent < 1n << BigInt(MAX_EXPONENT_BITS)
  );
}
