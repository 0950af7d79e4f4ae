import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  generateKey,
  isWrittenAs,
  keyAlgorithmOf,
  keyFromSpki,
  keyIdOf,
  signatureAlgorithmOf,
  signBytes,
  spkiOf,
  verifyBytes,
} from './algorithm.ts';
import { KEY_ALGORITHMS } from './content.ts';
import { newKey } from './new-key.ts';
import { isWeakModulus } from './weak-key.ts';
import { keyOf } from './testing/authority.ts';
import { newSerialNumber } from './serial.ts';

describe.each(KEY_ALGORITHMS)('a key of the kind %s', (algorithm) => {
  it('is identified, and signs with its own algorithm only', async () => {
    const key = await keyOf(algorithm);
    expect([keyAlgorithmOf(key.publicKey), keyAlgorithmOf(key.privateKey)]).toEqual([algorithm, algorithm]);
    for (const bytes of [Buffer.from('short'), Buffer.alloc(100_000, 7)]) {
      const made = await signBytes({ ...key, algorithm }, bytes);
      expect(verifyBytes(key.publicKey, bytes, made)).toBe(true);
      expect(verifyBytes(key.publicKey, Buffer.concat([bytes, bytes]), made)).toBe(false);
      expect(verifyBytes(key.publicKey, bytes, made.subarray(1))).toBe(false);
      expect(verifyBytes((await keyOf(algorithm, 'Other')).publicKey, bytes, made)).toBe(false);
    }
    const again = keyFromSpki(spkiOf(key.publicKey));
    expect(again?.equals(key.publicKey)).toBe(true);
    expect(keyIdOf(key.publicKey)).toHaveLength(20);
  });
});

describe('generateKey', () => {
  it('generates RSA keys without blocking', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await Promise.all([generateKey('RSA_2048'), generateKey('RSA_2048')]);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});

describe.each(KEY_ALGORITHMS)('a new key of the kind %s', (algorithm) => {
  it('is written as OpenSSL writes it', async () => {
    // One in 256 begins with a zero.
    const count = algorithm.startsWith('EC') ? 600 : 1;
    for (let made = 0; made < count; made++) {
      const { publicKey, privateKey } = await newKey(algorithm);
      const read = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
      expect(read.export({ type: 'pkcs8', format: 'der' })).toEqual(privateKey);
      expect(createPublicKey(read).export({ type: 'spki', format: 'der' })).toEqual(publicKey.spki);
      expect(keyAlgorithmOf(keyFromSpki(publicKey.spki)!)).toBe(algorithm);
    }
  });
});

describe('isWrittenAs', () => {
  it('is true of nothing but the octets of the key itself', async () => {
    const [one, other] = await Promise.all([generateKey('EC_prime256v1'), generateKey('EC_prime256v1')]);
    const written = { spki: spkiOf(one.publicKey), algorithm: 'EC_prime256v1' } as const;
    expect(isWrittenAs(one.publicKey, written.spki)).toBe(true);
    expect(isWrittenAs(written, written.spki)).toBe(true);
    expect(isWrittenAs(other.publicKey, written.spki)).toBe(false);
    const broken = Buffer.from(written.spki);
    broken[broken.length - 1]! ^= 1;
    expect(isWrittenAs(written, broken)).toBe(false);
  });

  it('is never true of RSA, whose keys have several encodings', async () => {
    const { publicKey } = await keyOf('RSA_2048');
    expect(isWrittenAs(publicKey, spkiOf(publicKey))).toBe(false);
  });
});

describe('keyAlgorithmOf', () => {
  it.each([
    ['RSA of 1024 bits', () => generateKeyPairSync('rsa', { modulusLength: 1024 })],
    ['RSA of 2056 bits', () => generateKeyPairSync('rsa', { modulusLength: 2056 })],
    ['RSA with the exponent 3', () => generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 })],
    ['RSA-PSS', () => generateKeyPairSync('rsa-pss', { modulusLength: 2048 })],
    ['P-521', () => generateKeyPairSync('ec', { namedCurve: 'secp521r1' })],
    ['secp256k1', () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' })],
    ['X25519', () => generateKeyPairSync('x25519')],
    ['Ed448', () => generateKeyPairSync('ed448')],
  ])('rejects %s', (_, make) => {
    expect(keyAlgorithmOf(make().publicKey)).toBeUndefined();
  });

  it('rejects points of small order', () => {
    for (const point of [
      '01'.padEnd(64, '0'),
      '00'.repeat(32),
      `ec${'ff'.repeat(30)}7f`,
      `${'01'.padEnd(62, '0')}80`,
    ]) {
      const key = createPublicKey({
        key: Buffer.from(`302a300506032b6570032100${point}`, 'hex'),
        format: 'der',
        type: 'spki',
      });
      expect(keyAlgorithmOf(key)).toBeUndefined();
    }
  });

  it('returns the signature algorithm of keys', () => {
    expect(KEY_ALGORITHMS.map(signatureAlgorithmOf)).toEqual([
      'RSA-SHA256',
      'RSA-SHA256',
      'RSA-SHA256',
      'ECDSA-SHA256',
      'ECDSA-SHA384',
      'Ed25519',
    ]);
  });
});

describe('isWeakModulus', () => {
  const nextPrime = (from: bigint) => {
    let prime = from | 1n;
    const isPrime = (n: bigint) => {
      // Fermat's test to the base 2 is enough to make examples.
      let [result, base, exponent] = [1n, 2n, n - 1n];
      for (; exponent; exponent >>= 1n, base = (base * base) % n) if (exponent & 1n) result = (result * base) % n;
      return result === 1n;
    };
    while (!isPrime(prime)) prime += 2n;
    return prime;
  };

  it('finds two primes that are close, small factors, and even numbers', () => {
    const p = nextPrime((1n << 255n) + 12_345n);
    const q = nextPrime(p + 1000n);
    expect(isWeakModulus(p * q)).toBe(true);
    expect(isWeakModulus(p * p)).toBe(true);
    expect(isWeakModulus(751n * p)).toBe(true);
    expect(isWeakModulus(2n * p)).toBe(true);
    expect(isWeakModulus(p * nextPrime((1n << 256n) - (1n << 250n)))).toBe(false);
  });

  it('finds keys of the generator of CVE-2017-15361', () => {
    // Primes of the form k·M + (65537^a mod M), M the product of the first 39 primes (Nemec et al., 2017, section 2.2).
    const primes = [
      2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107,
      109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
    ];
    const M = primes.reduce((product, prime) => product * BigInt(prime), 1n);
    const power = (a: number) => Array.from({ length: a }).reduce<bigint>((value) => (value * 65_537n) % M, 1n);
    const modulus = (3_000_001n * M + power(77)) * (7_654_321n * M * M + power(123));
    expect(isWeakModulus(modulus)).toBe(true);
  });

  it('finds no other keys', async () => {
    for (const algorithm of ['RSA_2048', 'RSA_3072', 'RSA_4096'] as const) {
      const { n = '' } = (await keyOf(algorithm)).publicKey.export({ format: 'jwk' });
      expect(isWeakModulus(BigInt(`0x${Buffer.from(n, 'base64url').toString('hex')}`))).toBe(false);
    }
  });
});

describe('newSerialNumber', () => {
  it('is 40 characters, positive, and never the same', () => {
    const made = Array.from({ length: 10_000 }, newSerialNumber);
    expect(new Set(made).size).toBe(made.length);
    expect(made.filter((serial) => !/^(?!00)[0-7][0-9a-f]{39}$/.test(serial))).toEqual([]);
  });
});
