import {
  constants,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  webcrypto,
  type KeyObject,
} from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/certificates.ts';
import { sealBySiv } from '../harness/aes-siv.ts';
import { base64, boundTo, bytes, createKey, headerOf, keyName, KEYS, use } from '../harness/kms.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

// Every operation with others' implementations on the other side: what they made is accepted here, and the reverse.

const { subtle } = webcrypto;
const DATA = Buffer.from('Pay 7 to Ann');

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const EC = ['P-256', 'P-384', 'P-521'].map((namedCurve) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve });
  return [`ECC_NIST_${namedCurve.replace('-', '')}`, privateKey] as const;
});
const ML_DSA = ([44, 65, 87] as const).map(
  (size) => [`ML_DSA_${size}`, generateKeyPairSync(`ml-dsa-${size}`).privateKey] as const,
);

let test: TestServer;
let projectId: string;
let admin: Caller;
beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  admin = test.admin;
});
afterAll(() => test.close());

const importKey = async (algorithm: string, material: Buffer): Promise<string> => {
  const key = { name: keyName(), algorithm, keyMaterial: base64(material) };
  const { keys, errors } = ok(await admin('POST', `${KEYS}/bulk-import`, { projectId, keys: [key] }));
  expect(errors).toEqual([]);
  return keys[0].id;
};
const pkcs8 = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'der' });
const isValid = async (id: string, signingAlgorithm: string, signature: Uint8Array): Promise<boolean> =>
  ok(await use(admin, id, 'verify', { data: base64(DATA), signingAlgorithm, signature: base64(signature) }))
    .signatureValid;
const signedBy = async (id: string, signingAlgorithm: string): Promise<Buffer> =>
  bytes(ok(await use(admin, id, 'sign', { data: base64(DATA), signingAlgorithm })).signature);

describe('WebCrypto', () => {
  it.each([
    ['aes-256-gcm', 1],
    ['aes-128-gcm', 2],
  ] as const)('opens what a key of %s encrypted, and encrypts what it opens', async (algorithm, code) => {
    const { id } = await createKey(admin, projectId, { algorithm, isExportable: true });
    const { privateKey } = ok(await admin('GET', `${KEYS}/${id}/private-key`));
    const key = await subtle.importKey('raw', bytes(privateKey), 'AES-GCM', false, ['encrypt', 'decrypt']);
    const associatedData = Buffer.from('invoice 7');
    const additionalData = boundTo({ projectId, keyId: id, code }, associatedData);
    const sent = { plaintext: base64(DATA), associatedData: base64(associatedData) };
    const whole = bytes(ok(await use(admin, id, 'encrypt', sent)).ciphertext);
    expect([whole[0], whole[1], whole.readUInt32BE(2)]).toEqual([1, code, 1]);
    const how = { name: 'AES-GCM', iv: whole.subarray(6, 18), additionalData };
    expect(Buffer.from(await subtle.decrypt(how, key, whole.subarray(18)))).toEqual(DATA);
    const iv = Buffer.alloc(12, 7);
    const made = Buffer.from(await subtle.encrypt({ ...how, iv }, key, Buffer.from('Pay 8')));
    const ciphertext = base64(Buffer.concat([whole.subarray(0, 6), iv, made]));
    const opened = await use(admin, id, 'decrypt', { ciphertext, associatedData: base64(associatedData) });
    expect(ok(opened).plaintext).toBe(base64('Pay 8'));
  });

  it.each(['SHA-256', 'SHA-384', 'SHA-512'])('and RSA with %s agree', async (hash) => {
    for (const [name, scheme] of [
      ['RSA-PSS', 'PSS'],
      ['RSASSA-PKCS1-v1_5', 'PKCS1_V1_5'],
    ] as const) {
      const id = await importKey('RSA_2048', pkcs8(RSA));
      const signing = `RSASSA_${scheme}_${hash.replace('-', '_')}`;
      const imported = { name, hash };
      const how = { name, saltLength: Number(hash.slice(4)) / 8 };
      const privateKey = await subtle.importKey('pkcs8', pkcs8(RSA), imported, false, ['sign']);
      const spki = createPublicKey(RSA).export({ type: 'spki', format: 'der' });
      const publicKey = await subtle.importKey('spki', spki, imported, false, ['verify']);
      expect(await isValid(id, signing, new Uint8Array(await subtle.sign(how, privateKey, DATA)))).toBe(true);
      expect(await subtle.verify(how, publicKey, await signedBy(id, signing), DATA)).toBe(true);
    }
  });

  it('and Ed25519 agree, to the bit', async () => {
    const own = generateKeyPairSync('ed25519').privateKey;
    const id = await importKey('ED25519', pkcs8(own));
    const key = await subtle.importKey('pkcs8', pkcs8(own), 'Ed25519', false, ['sign']);
    const made = new Uint8Array(await subtle.sign('Ed25519', key, DATA));
    expect(await isValid(id, 'ED25519', made)).toBe(true);
    expect(await signedBy(id, 'ED25519')).toEqual(Buffer.from(made));
  });

  it.each(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'])('and HMAC with %s agree', async (hash) => {
    const secret = Buffer.alloc(32, 7);
    const id = await importKey(`HMAC_${hash.replace('-', '_')}`, secret);
    const key = await subtle.importKey('raw', secret, { name: 'HMAC', hash }, false, ['sign']);
    const mac = base64(new Uint8Array(await subtle.sign('HMAC', key, DATA)));
    expect(ok(await use(admin, id, 'generate-mac', { data: base64(DATA) })).mac).toBe(mac);
    expect(ok(await use(admin, id, 'verify-mac', { data: base64(DATA), mac })).macValid).toBe(true);
    expect(createHmac(hash.replace('-', '').toLowerCase(), secret).update(DATA).digest('base64')).toBe(mac);
  });
});

describe('AES-SIV over the AES of OpenSSL', () => {
  it.each([
    ['aes-256-siv', 3],
    ['aes-128-siv', 4],
  ] as const)('makes what a key of %s makes, to the bit, and what it opens', async (algorithm, code) => {
    const { id } = await createKey(admin, projectId, { algorithm, isExportable: true });
    const key = bytes(ok(await admin('GET', `${KEYS}/${id}/private-key`)).privateKey);
    const items = [0, 1, 15, 16, 17, 32, 33, 1_000].map((length) => {
      const [plaintext, associatedData] = [randomBytes(length), randomBytes(length % 33)];
      const sealed = sealBySiv(key, plaintext, boundTo({ projectId, keyId: id, code }, associatedData));
      const ciphertext = base64(Buffer.concat([headerOf(code), sealed]));
      return { ciphertext, plaintext: base64(plaintext), associatedData: base64(associatedData) };
    });
    const wanted = (field: 'ciphertext' | 'plaintext') => items.map((item) => ({ [field]: item[field] }));
    const results = async (operation: string) => ok(await use(admin, id, `${operation}/batch`, { items })).results;
    expect(await results('encrypt')).toEqual(wanted('ciphertext'));
    expect(await results('decrypt')).toEqual(wanted('plaintext'));
  });
});

describe('OpenSSL', () => {
  it.each(EC)('signs with a key of %s what it verifies, also as digests', async (algorithm, own) => {
    const id = await importKey(algorithm, pkcs8(own));
    for (const size of [256, 384, 512]) {
      const made = sign(`sha${size}`, DATA, own);
      expect(await isValid(id, `ECDSA_SHA_${size}`, made)).toBe(true);
      const digest = await subtle.digest(`SHA-${size}`, DATA);
      const sent = { data: base64(new Uint8Array(digest)), isDigest: true, signingAlgorithm: `ECDSA_SHA_${size}` };
      expect(ok(await use(admin, id, 'verify', { ...sent, signature: base64(made) })).signatureValid).toBe(true);
    }
  });

  it('signs with RSA what it verifies, and refuses other salts', async () => {
    const id = await importKey('RSA_2048', pkcs8(RSA));
    const signature = (saltLength: number) =>
      sign('sha256', DATA, { key: RSA, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
    expect(await isValid(id, 'RSASSA_PSS_SHA_256', signature(32))).toBe(true);
    expect(await isValid(id, 'RSASSA_PSS_SHA_256', signature(20))).toBe(false);
    const digest = { data: base64(new Uint8Array(await subtle.digest('SHA-256', DATA))), isDigest: true };
    for (const [salt, expected] of [
      [32, true],
      [20, false],
    ] as const) {
      const body = { ...digest, signingAlgorithm: 'RSASSA_PSS_SHA_256', signature: base64(signature(salt)) };
      expect(ok(await use(admin, id, 'verify', body)).signatureValid).toBe(expected);
    }
    expect(await isValid(id, 'RSASSA_PKCS1_V1_5_SHA_512', sign('sha512', DATA, RSA))).toBe(true);
  });

  it.each(ML_DSA)('signs with %s what it verifies', async (algorithm, own) => {
    const id = await importKey(algorithm, pkcs8(own));
    expect(await isValid(id, algorithm, sign(null, DATA, own))).toBe(true);
  });
});
