import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isVerifiable } from './key-limits.ts';

const isEcVerifiable = (namedCurve: string, paramEncoding: 'named' | 'explicit' = 'named') =>
  isVerifiable(generateKeyPairSync('ec', { namedCurve, paramEncoding }).publicKey);

describe('signatures', () => {
  it.each(['P-256', 'P-384', 'P-521', 'brainpoolP512r1', 'secp256k1'])('are verified on the curve %s', (curve) => {
    expect(isEcVerifiable(curve)).toBe(true);
  });

  it.each(['sect571r1', 'sect163k1', 'wap-wsg-idm-ecid-wtls12'])(
    'are not verified on the slow or rare curve %s',
    (curve) => {
      expect(isEcVerifiable(curve)).toBe(false);
    },
  );

  it('are verified by RSA, Ed25519 and Ed448, and not by DSA or very long RSA keys', () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 2048 });
    for (const { publicKey } of [short, generateKeyPairSync('ed25519'), generateKeyPairSync('ed448')])
      expect(isVerifiable(publicKey)).toBe(true);
    const dsa = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 });
    expect(isVerifiable(dsa.publicKey)).toBe(false);
  });
});
