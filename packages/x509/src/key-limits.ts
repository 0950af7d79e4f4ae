import type { KeyObject } from 'node:crypto';

/** The longest modulus of RSA, in bits, of keys that callers send. Twice the length takes eight times as long to sign. */
export const MAX_RSA_BITS = 8192;
export const MAX_EXPONENT_BITS = 256;

const VERIFIED = ['rsa', 'rsa-pss', 'ec', 'ed25519', 'ed448'];

/** Whether signatures are verified by this public key: not by DSA, nor by RSA that takes a while for each of them. */
export function isVerifiable({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = details ?? {};
  return (
    VERIFIED.includes(type ?? '') && modulusLength <= MAX_RSA_BITS && publicExponent < 1n << BigInt(MAX_EXPONENT_BITS)
  );
}
