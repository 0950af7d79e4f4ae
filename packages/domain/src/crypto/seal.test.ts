import { createSecretKey, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SealingKey } from '../kernel/index.ts';
import { keySet } from './keyring.ts';
import { decrypt, encrypt, keyVersionOf, open, openBytes, seal, sealBytes, type SealedLocation } from './seal.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
const newKey = (version: number): SealingKey => ({
  version,
  key: createSecretKey(randomBytes(32)),
  use: () => undefined,
});

/**
 * AES-256-GCM with nonces of 96 bits and tags of 128 bits: test cases 13 to 16 of McGrew and Viega, "The Galois/Counter
 * Mode of Operation", adopted by NIST, and those of IEEE 802.1AE.
 */
const KEY = 'feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308';
const PLAINTEXT = `d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
  1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255`;
const CIPHERTEXT = `522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
  8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad`;
const vectors = [
  {
    name: 'test case 13',
    key: '00'.repeat(32),
    nonce: '00'.repeat(12),
    plaintext: '',
    associated: '',
    ciphertext: '',
    tag: '530f8afbc74536b9a963b4f1c4cb738b',
  },
  {
    name: 'test case 14',
    key: '00'.repeat(32),
    nonce: '00'.repeat(12),
    plaintext: '00'.repeat(16),
    associated: '',
    ciphertext: 'cea7403d4d606b6e074ec5d3baf39d18',
    tag: 'd0d1c8a799996bf0265b98b5d48ab919',
  },
  {
    name: 'test case 15',
    key: KEY,
    nonce: 'cafebabefacedbaddecaf888',
    plaintext: PLAINTEXT,
    associated: '',
    ciphertext: CIPHERTEXT,
    tag: 'b094dac5d93471bdec1a502270e3cc6c',
  },
  {
    name: 'test case 16',
    key: KEY,
    nonce: 'cafebabefacedbaddecaf888',
    plaintext: PLAINTEXT.replaceAll(/\s/g, '').slice(0, 120),
    associated: 'feedfacedeadbeeffeedfacedeadbeefabaddad2',
    ciphertext: CIPHERTEXT.replaceAll(/\s/g, '').slice(0, 120),
    tag: '76fc6ece0f4e1768cddf8853bb2d551b',
  },
  {
    name: 'IEEE 802.1AE, 2.1.2, 54 bytes authenticated',
    key: 'e3c08a8f06c6e3ad95a70557b23f75483ce33021a9c72b7025666204c69c0b72',
    nonce: '12153524c0895e81b2c28465',
    plaintext: '',
    associated: `d609b1f056637a0d46df998d88e5222ab2c2846512153524c0895e8108000f10
      1112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f30313233340001`,
    ciphertext: '',
    tag: '2f0bc5af409e06d609ea8b7d0fa5ea50',
  },
  {
    name: 'IEEE 802.1AE, 2.2.2, 60 bytes encrypted',
    key: 'e3c08a8f06c6e3ad95a70557b23f75483ce33021a9c72b7025666204c69c0b72',
    nonce: '12153524c0895e81b2c28465',
    plaintext: '08000f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a0002',
    associated: 'd609b1f056637a0d46df998d88e52e00b2c2846512153524c0895e81',
    ciphertext: 'e2006eb42f5277022d9b19925bc419d7a592666c925fe2ef718eb4e308efeaa7c5273b394118860a5be2a97f56ab7836',
    tag: '5ca597cdbb3edb8d1a1151ea0af7b436',
  },
];

describe('the cipher', () => {
  it.each(vectors)('agrees with the published vectors: $name', (vector) => {
    const key = createSecretKey(hex(vector.key));
    const [ciphertext, tag] = encrypt(key, hex(vector.nonce), hex(vector.plaintext), hex(vector.associated));
    expect({ ciphertext: ciphertext.toString('hex'), tag: tag.toString('hex') }).toEqual({
      ciphertext: hex(vector.ciphertext).toString('hex'),
      tag: vector.tag,
    });
    expect(decrypt(key, hex(vector.nonce), ciphertext, tag, hex(vector.associated))).toEqual(hex(vector.plaintext));
  });

  it.each(vectors)('rejects a value with one flipped bit: $name', (vector) => {
    const key = createSecretKey(hex(vector.key));
    const parts = [vector.nonce, vector.ciphertext, vector.tag, vector.associated].map(hex);
    for (const [index, part] of parts.entries()) {
      for (let bit = 0; bit < part.length * 8; bit++) {
        const changed = Buffer.from(part);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        const [nonce, ciphertext, tag, associated] = parts.with(index, changed) as [Buffer, Buffer, Buffer, Buffer];
        expect(decrypt(key, nonce, ciphertext, tag, associated)).toBeUndefined();
      }
    }
  });

  it('accepts no shortened tag', () => {
    const key = createSecretKey(hex(KEY));
    const [ciphertext, tag] = encrypt(key, randomBytes(12), 'x', Buffer.alloc(0));
    expect(() => decrypt(key, randomBytes(12), ciphertext, tag.subarray(0, 12), Buffer.alloc(0))).toThrow(
      'Invalid authentication tag length',
    );
  });
});

const id = fc.uuid();
const place = fc.record<SealedLocation>({
  column: fc.constantFrom('secrets.value', 'secrets.comment', 'identity_auth_methods.sealed', 'data_keys.wrapped'),
  owner: id,
  row: id,
  version: fc.integer({ min: 0, max: 1_000_000 }),
});

describe('a sealed value', () => {
  it('opens at its location, to the original value', () => {
    const keys = keySet([newKey(1), newKey(2)]);
    fc.assert(
      fc.property(place, fc.string({ unit: 'binary', maxLength: 300 }), (at, text) => {
        const sealed = seal(keys, text, at);
        expect(keyVersionOf(sealed)).toBe(2);
        expect(open(keys, sealed, at)).toBe(Buffer.from(text).toString());
      }),
    );
  });

  it('opens in no other row, column, project or version, nor under another key', () => {
    const keys = keySet([newKey(1)]);
    const others = keySet([newKey(1)]);
    fc.assert(
      fc.property(
        place,
        place,
        fc.subarray(['column', 'owner', 'row', 'version'] as const, { minLength: 1 }),
        (at, other, moved) => {
          const there = { ...at, ...Object.fromEntries(moved.map((part) => [part, other[part]])) } as SealedLocation;
          fc.pre(JSON.stringify(there) !== JSON.stringify(at));
          const sealed = seal(keys, 'a secret', at);
          expect(() => openBytes(keys, sealed, there)).toThrow('does not open');
          expect(() => openBytes(others, sealed, at)).toThrow('does not open');
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('names its location in errors, and nothing of its content', () => {
    const keys = keySet([newKey(1)]);
    const at: SealedLocation = { column: 'secrets.value', owner: 'o', row: 'r', version: 1 };
    const sealed = seal(keys, 'canary', at);
    expect(() => open(keys, sealed, { ...at, version: 2 })).toThrow(expect.not.stringContaining('canary') as Error);
    expect(() => open(keySet([newKey(7)]), sealed, at)).toThrow('key version 1 is unknown');
    expect(() => open(keys, sealed.subarray(0, 20), at)).toThrow('not a sealed value');
    expect(() => open(keys, Buffer.concat([Buffer.from([9]), sealed.subarray(1)]), at)).toThrow('not a sealed value');
  });

  it('has a unique nonce: none repeats among 100,000', () => {
    const key = newKey(1);
    const at: SealedLocation = { column: 'secrets.value', owner: 'o', row: 'r', version: 1 };
    const seen = new Set<string>();
    for (let i = 0; i < 100_000; i++) seen.add(sealBytes(key, '', at).toString('latin1', 5, 17));
    expect(seen.size).toBe(100_000);
  });
});
