import { constants, createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, ok } from '../harness/certificates.ts';
import { base64, bytes, createKey, KEYS, use, withRules } from '../harness/kms.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let admin: Caller;
const keys = new Map<string, { id: string; publicKey: KeyObject }>();
beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  admin = test.admin;
});
afterAll(() => test.close());

/** One key of each algorithm for all tests. */
async function keyOf(algorithm: string) {
  const seen = keys.get(algorithm);
  if (seen) return seen;
  const { id } = await createKey(admin, projectId, { algorithm });
  const { publicKey } = ok(await admin('GET', `${KEYS}/${id}/public-key`));
  const made = { id, publicKey: createPublicKey({ key: bytes(publicKey), type: 'spki', format: 'der' }) };
  keys.set(algorithm, made);
  return made;
}

const DATA = Buffer.from('Pay 7 to Ann');
const signedBy = async (id: string, body: object) =>
  ok(await use(admin, id, 'sign', { data: base64(DATA), ...body })) as {
    signature: string;
    keyId: string;
    signingAlgorithm: string;
    keyVersion: number;
  };
const verifiedBy = async (id: string, body: object): Promise<boolean> =>
  ok(await use(admin, id, 'verify', { data: base64(DATA), ...body })).signatureValid;

const RSA = ['PSS', 'PKCS1_V1_5'].flatMap((scheme) => [256, 384, 512].map((size) => `RSASSA_${scheme}_SHA_${size}`));
const ECDSA = [256, 384, 512].map((size) => `ECDSA_SHA_${size}`);
const ALGORITHMS: readonly (readonly [key: string, signing: readonly string[]])[] = [
  ['RSA_2048', RSA],
  ['ECC_NIST_P256', ECDSA],
  ['ECC_NIST_P384', ECDSA],
  ['ECC_NIST_P521', ECDSA],
  ['ED25519', ['ED25519']],
  ['ML_DSA_44', ['ML_DSA_44']],
  ['ML_DSA_65', ['ML_DSA_65']],
  ['ML_DSA_87', ['ML_DSA_87']],
];

/** How OpenSSL, as Node has it, signs and verifies with an algorithm. */
function openssl(signing: string) {
  const hash = /SHA_(\d+)$/.exec(signing)?.[1];
  const how = signing.includes('PSS')
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {};
  return { hash: hash ? `sha${hash}` : null, how };
}

const hasDigests = (signing: string) => openssl(signing).hash !== null;

describe.each(ALGORITHMS)('a key of %s', (algorithm, signing) => {
  it('lists how it signs', async () => {
    const { id } = await keyOf(algorithm);
    const { signingAlgorithms } = ok(await admin('GET', `${KEYS}/${id}/signing-algorithms`));
    expect(signingAlgorithms.toSorted()).toEqual([...signing].toSorted());
  });

  it.each(signing)('signs by %s what others verify, and what it verifies itself', async (signingAlgorithm) => {
    const { id, publicKey } = await keyOf(algorithm);
    const { hash, how } = openssl(signingAlgorithm);
    const made = await signedBy(id, { signingAlgorithm });
    expect(made).toEqual({ signature: expect.any(String), keyId: id, signingAlgorithm, keyVersion: 1 });
    expect(verify(hash, DATA, { key: publicKey, ...how }, bytes(made.signature))).toBe(true);
    const { signature } = made;
    expect(await verifiedBy(id, { signingAlgorithm, signature })).toBe(true);
    expect(await verifiedBy(id, { signingAlgorithm, signature, data: base64('Pay 8 to Ann') })).toBe(false);
    const changed = bytes(signature);
    changed[changed.length - 1]! ^= 1;
    for (const wrong of [base64(changed), '', base64(bytes(signature).subarray(1)), base64('none')])
      expect(await verifiedBy(id, { signingAlgorithm, signature: wrong })).toBe(false);
    for (const other of signing.filter((one) => one !== signingAlgorithm))
      expect([other, await verifiedBy(id, { signingAlgorithm: other, signature })]).toEqual([other, false]);
  });

  it.each(signing.filter(hasDigests))('signs digests by %s as it signs messages', async (signingAlgorithm) => {
    const { id, publicKey } = await keyOf(algorithm);
    const { hash, how } = openssl(signingAlgorithm);
    const digest = { data: base64(createHash(hash!).update(DATA).digest()), isDigest: true, signingAlgorithm };
    for (let round = 0; round < 3; round++) {
      const ofDigest = await signedBy(id, digest);
      expect(verify(hash, DATA, { key: publicKey, ...how }, bytes(ofDigest.signature))).toBe(true);
      expect(await verifiedBy(id, { signingAlgorithm, signature: ofDigest.signature })).toBe(true);
      const { signature } = await signedBy(id, { signingAlgorithm });
      expect(await verifiedBy(id, { ...digest, signature })).toBe(true);
      const changed = bytes(signature);
      changed[changed.length >> 1]! ^= 1;
      expect(await verifiedBy(id, { ...digest, signature: base64(changed) })).toBe(false);
      expect(await verifiedBy(id, { ...digest, signature: '' })).toBe(false);
    }
    const short = await use(admin, id, 'sign', { ...digest, data: base64('too short') });
    expect([short.status, short.body.message]).toEqual([400, expect.stringContaining('9 bytes')]);
  });
});

describe('signing', () => {
  it.each(['ED25519', 'ML_DSA_44'])('digests is refused by %s, which hashes by itself', async (algorithm) => {
    const { id } = await keyOf(algorithm);
    for (const operation of ['sign', 'verify']) {
      const body = { data: base64(Buffer.alloc(32)), isDigest: true, signature: '' };
      const refused = await use(admin, id, operation, body);
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('isDigest')]);
    }
  });

  it('takes the usual algorithm of the key, and no algorithm of other keys', async () => {
    const { id } = await keyOf('ECC_NIST_P256');
    expect(await signedBy(id, {})).toMatchObject({ signingAlgorithm: 'ECDSA_SHA_256' });
    const refused = await use(admin, id, 'sign', { data: '', signingAlgorithm: 'RSASSA_PSS_SHA_256' });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('ECDSA_SHA_256')]);
    expect((await use(admin, id, 'sign', { data: '', signingAlgorithm: 'none' })).status).toBe(422);
  });

  it('with a rotated key verifies what its older versions signed, and no other key does', async () => {
    const { id } = await createKey(admin, projectId, { algorithm: 'ED25519' });
    const first = await signedBy(id, {});
    ok(await admin('POST', `${KEYS}/${id}/rotate`));
    const second = await signedBy(id, {});
    expect([first.keyVersion, second.keyVersion]).toEqual([1, 2]);
    for (const { signature, keyVersion } of [first, second]) {
      expect(await verifiedBy(id, { signature })).toBe(true);
      const named = await Promise.all([1, 2, 3].map((one) => verifiedBy(id, { signature, keyVersion: one })));
      expect(named).toEqual([1, 2, 3].map((one) => one === keyVersion));
    }
    const { id: other } = await createKey(admin, projectId, { algorithm: 'ED25519' });
    expect(await verifiedBy(other, { signature: first.signature })).toBe(false);
  });

  it('and verifying are events and two rights', async () => {
    const { id } = await createKey(admin, projectId, { algorithm: 'ECC_NIST_P256' });
    const [signer, verifier] = [
      await withRules(test, projectId, { action: ['sign'] }),
      await withRules(test, projectId, { action: ['verify'] }),
    ];
    const { signature } = ok(await use(signer, id, 'sign', { data: base64(DATA) }));
    const body = { data: base64(DATA), signature };
    expect(ok(await use(verifier, id, 'verify', body)).signatureValid).toBe(true);
    expect((await use(signer, id, 'verify', body)).status).toBe(403);
    expect((await use(verifier, id, 'sign', { data: base64(DATA) })).status).toBe(403);
    expect(await eventsOf(test, { keyId: id })).toEqual(['kms_key.created', 'kms_key.signed', 'kms_key.verified']);
  });

  it('is not done with a key of another usage', async () => {
    const { id } = await createKey(admin, projectId);
    for (const [operation, body] of [
      ['sign', { data: '' }],
      ['verify', { data: '', signature: '' }],
      ['generate-mac', { data: '' }],
      ['verify-mac', { data: '', mac: '' }],
    ] as const)
      expect([operation, (await use(admin, id, operation, body)).status]).toEqual([operation, 400]);
    expect((await admin('GET', `${KEYS}/${id}/signing-algorithms`)).status).toBe(400);
  });
});

describe('a public key', () => {
  it.each(ALGORITHMS.map(([algorithm]) => algorithm))('of %s is the same as DER, PEM and JWK', async (algorithm) => {
    const { id, publicKey } = await keyOf(algorithm);
    const shown = ok(await admin('GET', `${KEYS}/${id}/public-key`));
    expect(createPublicKey(shown.publicKeyPem).equals(publicKey)).toBe(true);
    expect(createPublicKey({ key: shown.publicKeyJwk, format: 'jwk' }).equals(publicKey)).toBe(true);
    expect(shown).toMatchObject({ version: 1, publicKeyJwk: { kid: `${id}.1`, use: 'sig' } });
    expect(JSON.stringify(shown)).not.toMatch(/PRIVATE|"d":|"priv":/);
  });

  it('is that of the version that is asked for', async () => {
    const { id } = await createKey(admin, projectId, { algorithm: 'ED25519' });
    const shown = async (query = '') => ok(await admin('GET', `${KEYS}/${id}/public-key${query}`));
    const first = await shown();
    ok(await admin('POST', `${KEYS}/${id}/rotate`));
    expect(await shown('?version=1')).toEqual(first);
    expect((await shown()).version).toBe(2);
    expect((await admin('GET', `${KEYS}/${id}/public-key?version=3`)).status).toBe(404);
  });

  it('is none of a symmetric key', async () => {
    const { id } = await createKey(admin, projectId);
    expect((await admin('GET', `${KEYS}/${id}/public-key`)).status).toBe(400);
  });
});

describe.each(['SHA_1', 'SHA_224', 'SHA_256', 'SHA_384', 'SHA_512'])('HMAC_%s', (hash) => {
  it('authenticates data, with every version of the key', async () => {
    const { id } = await createKey(admin, projectId, { algorithm: `HMAC_${hash}` });
    const macOf = async (data: string) => ok(await use(admin, id, 'generate-mac', { data: base64(data) }));
    const isValid = async (data: string, mac: string, keyVersion?: number) =>
      ok(await use(admin, id, 'verify-mac', { data: base64(data), mac, keyVersion })).macValid;
    const made = await macOf('a');
    expect(made).toMatchObject({ keyId: id, macAlgorithm: `HMAC_${hash}`, keyVersion: 1 });
    expect(bytes(made.mac)).toHaveLength(createHash(hash.replace('SHA_', 'sha')).digest().length);
    expect((await macOf('a')).mac).toBe(made.mac);
    ok(await admin('POST', `${KEYS}/${id}/rotate`));
    expect((await macOf('a')).mac).not.toBe(made.mac);
    expect(await isValid('a', made.mac)).toBe(true);
    expect([await isValid('a', made.mac, 1), await isValid('a', made.mac, 2)]).toEqual([true, false]);
    const changed = bytes(made.mac);
    changed[0]! ^= 1;
    for (const [data, mac] of [
      ['b', made.mac],
      ['a', base64(changed)],
      ['a', ''],
      ['a', base64(bytes(made.mac).subarray(1))],
    ] as const)
      expect([data, mac, await isValid(data, mac)]).toEqual([data, mac, false]);
  });
});
