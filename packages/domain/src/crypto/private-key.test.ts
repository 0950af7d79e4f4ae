import { createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { der } from '@coffer/x509/ber';
import { isVerifiable } from '@coffer/x509/key-limits';
import { readPrivateKey } from './private-key.ts';

const SOURCES = join(import.meta.dirname, '..');
const block = (label: string, bytes: Uint8Array) =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString('base64')}\n-----END ${label}-----\n`;
const pem = (key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1') => key.export({ type, format: 'pem' }).toString();
const bytesOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'der' });

const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).privateKey;
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey;
const ed25519 = generateKeyPairSync('ed25519').privateKey;
const [rsa2048, p256] = [rsa(2048), ec('P-256')];

const number = (bits: number) => {
  const octets = randomBytes(bits / 8);
  octets[0]! |= 0x80;
  octets[octets.length - 1]! |= 1;
  return der(0x02, Buffer.of(0), octets);
};
const SMALL = der(0x02, Buffer.of(1));
const ZERO = der(0x02, Buffer.of(0));
const rsaOf = (...numbers: readonly Buffer[]) => block('RSA PRIVATE KEY', der(0x30, ZERO, ...numbers));
const dsaNumbers = (bits: number) => der(0x30, ZERO, ...Array.from({ length: 5 }, () => number(bits)));
const dsa = (bits: number) => {
  const parameters = der(0x30, number(bits), number(bits), number(bits));
  const algorithm = der(0x30, der(0x06, Buffer.from('2a8648ce380401', 'hex')), parameters);
  return der(0x30, ZERO, algorithm, der(0x04, number(bits)));
};

describe('readPrivateKey', () => {
  it.each([
    ['RSA in PKCS #8', rsa2048, pem(rsa2048, 'pkcs8')],
    ['RSA in PKCS #1', rsa2048, pem(rsa2048, 'pkcs1')],
    ['a short RSA key', ...both(rsa(1024), 'pkcs1')],
    ['P-256 in PKCS #8', p256, pem(p256, 'pkcs8')],
    ['P-256 in SEC 1', p256, pem(p256, 'sec1')],
    ['RSA by its numbers', rsa2048, rsaOf(...numbersOf(rsa2048))],
    ['a key behind its curve', p256, block('EC PARAMETERS', der(0x06, Buffer.of(42))) + pem(p256, 'sec1')],
    ['P-384', ...both(ec('P-384'), 'sec1')],
    ['P-521', ...both(ec('P-521'), 'pkcs8')],
    ['Ed25519', ed25519, pem(ed25519, 'pkcs8')],
    ['text around it and lines of Windows', p256, `Bag Attributes\r\n${pem(p256, 'pkcs8').replaceAll('\n', '\r\n')}`],
  ])('parses %s unchanged', (_, key, text) => {
    expect(bytesOf(readPrivateKey(text)!)).toEqual(bytesOf(key));
  });

  const long = number(8200);
  it.each<readonly [string, string]>([
    ['DSA in PKCS #8', block('PRIVATE KEY', dsa(512))],
    ['DSA of 100,000 bits', block('PRIVATE KEY', dsa(100_000))],
    ['DSA in its own form', block('DSA PRIVATE KEY', dsaNumbers(512))],
    ['DSA that is called EC', block('EC PRIVATE KEY', dsaNumbers(512))],
    ['DSA that is called RSA', block('RSA PRIVATE KEY', dsa(512))],
    ['DSA beside another key', block('DSA PRIVATE KEY', dsaNumbers(512)) + pem(p256, 'pkcs8')],
    ['two keys', pem(p256, 'pkcs8') + pem(p256, 'sec1')],
    ['an RSA modulus of 8,200 bits', rsaOf(long, ...Array(7).fill(SMALL))],
    ['a long public exponent', rsaOf(number(2048), number(264), ...Array(6).fill(SMALL))],
    ['an even public exponent', rsaOf(number(2048), der(0x02, Buffer.of(4)), ...Array(6).fill(SMALL))],
    ...Array.from({ length: 6 }, (_, at) => {
      const numbers = [number(2048), SMALL, ...Array<Buffer>(6).fill(SMALL)];
      numbers[at + 2] = long;
      return [`number ${at + 2} of RSA longer than the modulus`, rsaOf(...numbers)] as const;
    }),
    ['a number of RSA that is zero', rsaOf(number(2048), SMALL, ...Array(5).fill(SMALL), ZERO)],
    ['primes of another key', rsaOf(...numbersOf(rsa2048).slice(0, 3), ...numbersOf(rsa(2048)).slice(3))],
    [
      'primes as long as the modulus',
      rsaOf(...numbersOf(rsa2048).slice(0, 3), ...Array.from({ length: 5 }, () => number(2048))),
    ],
    ['another private exponent', rsaOf(...numbersOf(rsa2048).with(2, number(2040)))],
    ['an exponent of another prime', rsaOf(...numbersOf(rsa2048).with(5, numbersOf(rsa2048)[6]!))],
    ['RSA of three primes', rsaOf(number(2048), ...Array(7).fill(SMALL), der(0x30))],
    ['another curve', pem(ec('secp256k1'), 'sec1')],
    ['a curve that is written out', explicitCurve()],
    ['a long EC key', block('EC PRIVATE KEY', ecOf(Buffer.alloc(3000, 0x11)))],
    ['X25519', pem(generateKeyPairSync('x25519').privateKey, 'pkcs8')],
    ['RSA-PSS', pem(generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).privateKey, 'pkcs8')],
    ['a key with a password', sealed()],
    ['a public key', createPublicKey(p256).export({ type: 'spki', format: 'pem' }).toString()],
    ['octets behind a key', block('PRIVATE KEY', Buffer.concat([bytesOf(p256), Buffer.of(5, 0)]))],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(readPrivateKey(text)).toBeUndefined();
  });

  it('parses or rejects a modified key, and never throws', () => {
    const keys = [rsa2048, p256, ed25519].map(bytesOf);
    const octet = fc.record({ at: fc.nat(), value: fc.nat(255) });
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.array(octet, { minLength: 1, maxLength: 3 }), (key, changes) => {
        const changed = Buffer.from(key);
        for (const { at, value } of changes) changed[at % Math.min(changed.length, 80)] = value;
        const read = readPrivateKey(block('PRIVATE KEY', changed));
        expect([undefined, 'rsa', 'ec', 'ed25519']).toContain(read?.asymmetricKeyType);
      }),
      { numRuns: 300 },
    );
  });

  it('is used for every foreign private key', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing/'),
    );
    const callers = files.filter((file) => /\bcreatePrivateKey\(/.test(readFileSync(join(SOURCES, file), 'utf8')));
    expect(callers.toSorted()).toEqual([
      'crypto/private-key.ts',
      // The read key was sealed here.
      'instance/instance.ts',
      // The operator's own.
      'kernel/rsa-pem.ts',
      'kms/algorithm/asymmetric.ts',
      'kms/key/import-key.ts',
      'pki/authority/sealed-key.ts',
      // It was made here.
      'pki/certificate-order/place.ts',
      'pki/certificate/sealed.ts',
    ]);
  });
});

it('verifies by no DSA key and by no RSA key of more than 8,192 bits', () => {
  const rsaKey = (bits: number) =>
    createPublicKey({ key: der(0x30, number(bits), SMALL), type: 'pkcs1', format: 'der' });
  const parameters = der(0x30, number(1024), number(160), number(1024));
  const algorithm = der(0x30, der(0x06, Buffer.from('2a8648ce380401', 'hex')), parameters);
  const info = der(0x30, algorithm, der(0x03, Buffer.of(0), number(1024)));
  expect(isVerifiable(createPublicKey({ key: info, type: 'spki', format: 'der' }))).toBe(false);
  expect([8192, 8200].map((bits) => isVerifiable(rsaKey(bits)))).toEqual([true, false]);
  expect([rsa2048, p256, ed25519].every((key) => isVerifiable(createPublicKey(key)))).toBe(true);
});

function both(key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1'): [KeyObject, string] {
  return [key, pem(key, type)];
}

/** In their order in RFC 8017, appendix A.1.2. */
function numbersOf(key: KeyObject): Buffer[] {
  const { n = '', e = '', d = '', p = '', q = '', dp = '', dq = '', qi = '' } = key.export({ format: 'jwk' });
  return [n, e, d, p, q, dp, dq, qi].map((one) => der(0x02, Buffer.of(0), Buffer.from(one, 'base64url')));
}

function ecOf(octets: Buffer): Buffer {
  const curve = der(0xa0, der(0x06, Buffer.from('2a8648ce3d030107', 'hex')));
  return der(0x30, SMALL, der(0x04, octets), curve);
}

function explicitCurve(): string {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' }).privateKey;
  return pem(key, 'sec1');
}

function sealed(): string {
  return p256.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' }).toString();
}
