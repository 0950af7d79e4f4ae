import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sameKey } from './same-key.ts';

describe('sameKey', () => {
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const der = p256.privateKey.export({ type: 'pkcs8', format: 'der' });

  it('recognizes a key, and no other of its type', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect([sameKey(p256.publicKey, p256.publicKey), sameKey(p256.publicKey, other.publicKey)]).toEqual([true, false]);
  });

  it('leaves no error for the next parser after comparing two types', () => {
    expect(sameKey(generateKeyPairSync('ed25519').publicKey, p256.publicKey)).toBe(false);
    expect(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).asymmetricKeyType).toBe('ec');
  });
});
