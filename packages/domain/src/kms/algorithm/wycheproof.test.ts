import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CipherAlgorithm } from './algorithm.ts';
import type { KmsAlgorithmName } from './names.ts';
import { algorithmOf } from './table.ts';

interface Vector {
  readonly tcId: number;
  readonly algorithm: KmsAlgorithmName;
  readonly key: string;
  readonly aad: string;
  readonly msg: string;
  readonly sealed: string;
  readonly isValid: boolean;
}

const { ciphers } = JSON.parse(readFileSync(new URL('testing/wycheproof.json', import.meta.url), 'utf8')) as {
  ciphers: readonly { file: string; tests: readonly Vector[] }[];
};
const ofHex = (hex: string): Buffer => Buffer.from(hex, 'hex');

describe('the vectors of Wycheproof', () => {
  it.each(ciphers)('in $file open as they should', ({ tests }) => {
    const wrong = tests.filter(({ algorithm, key, aad, msg, sealed, isValid }) => {
      const cipher = algorithmOf(algorithm) as CipherAlgorithm;
      const opened = cipher.decrypt(cipher.open(ofHex(key)), ofHex(sealed), ofHex(aad));
      return isValid ? !opened?.equals(ofHex(msg)) : opened !== undefined;
    });
    expect(wrong.map(({ tcId }) => tcId)).toEqual([]);
    expect(tests.filter(({ isValid }) => !isValid).length).toBeGreaterThan(5);
  });

  it('of AES-SIV are what it makes, since it has no nonce', () => {
    const tests = ciphers.find(({ file }) => file.startsWith('aes_siv'))!.tests.filter(({ isValid }) => isValid);
    const wrong = tests.filter(({ algorithm, key, aad, msg, sealed }) => {
      const cipher = algorithmOf(algorithm) as CipherAlgorithm;
      const made = Buffer.concat(cipher.encrypt(cipher.open(ofHex(key)), ofHex(msg), ofHex(aad)));
      return !made.equals(ofHex(sealed));
    });
    expect(wrong.map(({ tcId }) => tcId)).toEqual([]);
  });
});
