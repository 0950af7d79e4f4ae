import {
  constants,
  createCipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  publicEncrypt,
  randomBytes,
  verify,
} from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, ok } from '../harness/certificates.ts';
import { base64, bytes, createKey, keyName, KEYS, use, withRules } from '../harness/kms.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let admin: Caller;
beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  admin = test.admin;
});
afterAll(() => test.close());

const importing = async (keys: readonly object[], call = admin) =>
  ok(await call('POST', `${KEYS}/bulk-import`, { projectId, keys }));
const importOne = async (key: object) => {
  const { keys, errors } = await importing([{ name: keyName(), ...key }]);
  expect(errors).toEqual([]);
  return keys[0];
};
const exported = async (id: string, query = '') => ok(await admin('GET', `${KEYS}/${id}/private-key${query}`));

const pkcs8 = (type: 'ec' | 'ed25519' | 'rsa', options: object = {}) => {
  const { privateKey } = generateKeyPairSync(type as 'ec', options as { namedCurve: string });
  return privateKey;
};
const der = (key: ReturnType<typeof pkcs8>) => key.export({ type: 'pkcs8', format: 'der' });

const ASYMMETRIC = [
  ['RSA_2048', () => pkcs8('rsa', { modulusLength: 2048 })],
  ['ECC_NIST_P256', () => pkcs8('ec', { namedCurve: 'P-256' })],
  ['ECC_NIST_P384', () => pkcs8('ec', { namedCurve: 'P-384' })],
  ['ECC_NIST_P521', () => pkcs8('ec', { namedCurve: 'P-521' })],
  ['ED25519', () => pkcs8('ed25519')],
  ['ML_DSA_44', () => generateKeyPairSync('ml-dsa-44').privateKey],
  ['ML_DSA_65', () => generateKeyPairSync('ml-dsa-65').privateKey],
  ['ML_DSA_87', () => generateKeyPairSync('ml-dsa-87').privateKey],
] as const;

const SYMMETRIC = [
  ['aes-256-gcm', 32],
  ['aes-128-gcm', 16],
  ['aes-256-siv', 64],
  ['aes-128-siv', 32],
  ['HMAC_SHA_1', 20],
  ['HMAC_SHA_256', 14],
  ['HMAC_SHA_512', 512],
] as const;

describe('an imported key', () => {
  it.each(ASYMMETRIC)('of %s signs as its owner does, and is exported as it was', async (algorithm, make) => {
    const own = make();
    const key = await importOne({ algorithm, keyMaterial: base64(der(own)), isExportable: true });
    expect(key).toMatchObject({ algorithm, isImported: true, isExportable: true, version: 1 });
    const { signature, signingAlgorithm } = ok(await use(admin, key.id, 'sign', { data: base64('x') }));
    const hash = /SHA_(\d+)$/.exec(signingAlgorithm)?.[1];
    const how = algorithm.startsWith('RSA')
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : {};
    const publicKey = createPublicKey(own);
    expect(verify(hash ? `sha${hash}` : null, Buffer.from('x'), { key: publicKey, ...how }, bytes(signature))).toBe(
      true,
    );
    const { privateKey, ...rest } = await exported(key.id);
    const spki = base64(publicKey.export({ type: 'spki', format: 'der' }));
    expect(rest).toEqual({
      keyId: key.id,
      name: key.name,
      keyUsage: 'sign-verify',
      algorithm,
      version: 1,
      publicKey: spki,
    });
    expect(createPrivateKey({ key: bytes(privateKey), type: 'pkcs8', format: 'der' }).equals(own)).toBe(true);
  });

  it.each(SYMMETRIC)('of %s works, and is exported as it was', async (algorithm, length) => {
    const keyMaterial = base64(randomBytes(length));
    const key = await importOne({ algorithm, keyMaterial, isExportable: true });
    expect((await exported(key.id)).privateKey).toBe(keyMaterial);
    const [operation, body] = algorithm.startsWith('HMAC')
      ? ['generate-mac', { data: '' }]
      : ['encrypt', { plaintext: '' }];
    expect((await use(admin, key.id, operation, body)).status).toBe(200);
  });

  it('may be PEM, of any form that OpenSSL writes', async () => {
    for (const [algorithm, make] of ASYMMETRIC.slice(0, 2))
      for (const type of ['pkcs8', algorithm === 'RSA_2048' ? 'pkcs1' : 'sec1'] as const) {
        const pem = make().export({ type, format: 'pem' });
        expect(await importOne({ algorithm, keyMaterial: base64(pem as string) })).toMatchObject({ algorithm });
      }
  });

  it('rotates to material of Coffer; the imported one stays for what it signed', async () => {
    const key = await importOne({ algorithm: 'ED25519', keyMaterial: base64(der(pkcs8('ed25519'))) });
    const { signature } = ok(await use(admin, key.id, 'sign', { data: '' }));
    ok(await admin('POST', `${KEYS}/${key.id}/rotate`));
    expect(ok(await use(admin, key.id, 'verify', { data: '', signature })).signatureValid).toBe(true);
  });
});

describe('an import', () => {
  it('is done key by key, each whole or not at all, and says what is wrong with the others', async () => {
    const p256 = der(pkcs8('ec', { namedCurve: 'P-256' }));
    const good = [keyName(), keyName()];
    const wrong = {
      'another-curve': { algorithm: 'ECC_NIST_P384', keyMaterial: base64(p256) },
      'another-kind': { algorithm: 'ED25519', keyMaterial: base64(p256) },
      'another-size': { algorithm: 'RSA_4096', keyMaterial: base64(der(pkcs8('rsa', { modulusLength: 2048 }))) },
      'public-half': {
        algorithm: 'ECC_NIST_P256',
        keyMaterial: base64(
          generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'der' }),
        ),
      },
      'no-key': { algorithm: 'ECC_NIST_P256', keyMaterial: base64(randomBytes(121)) },
      'ml-dsa-of-another-size': {
        algorithm: 'ML_DSA_65',
        keyMaterial: base64(generateKeyPairSync('ml-dsa-44').privateKey.export({ type: 'pkcs8', format: 'der' })),
      },
      'too-short': { algorithm: 'aes-256-gcm', keyMaterial: base64(randomBytes(16)) },
      'too-short-for-hmac': { algorithm: 'HMAC_SHA_256', keyMaterial: base64(randomBytes(13)) },
      'of-another-usage': { algorithm: 'aes-256-gcm', keyUsage: 'sign-verify', keyMaterial: base64(randomBytes(32)) },
      [good[0]!]: { algorithm: 'aes-256-gcm', keyMaterial: base64(randomBytes(32)) },
    };
    const keys = [
      { name: good[0], keyMaterial: base64(randomBytes(32)) },
      ...Object.entries(wrong).map(([name, key]) => ({ name, ...key })),
      { name: good[1], algorithm: 'ECC_NIST_P256', keyMaterial: base64(p256) },
    ];
    const answer = await importing(keys);
    expect(answer.keys.map(({ name }: { name: string }) => name)).toEqual(good);
    expect(answer.errors.map(({ name }: { name: string }) => name)).toEqual(Object.keys(wrong));
    expect(JSON.stringify(answer.errors)).not.toContain(keys[0]!.keyMaterial);
    const { rows } = await test.coffer.pool.query(
      `select k.name from kms_keys k where k.project_id = $1 and k.name = any($2) and
         not exists (select from kms_key_versions v where v.kms_key_id = k.id)`,
      [projectId, [...good, ...Object.keys(wrong)]],
    );
    expect(rows).toEqual([]);
    expect(await eventsOf(test, { keyId: answer.keys[1].id })).toEqual(['kms_key.created', 'kms_key.imported']);
  });

  it('of a key whose halves do not fit is refused', async () => {
    const [one, other] = [pkcs8('rsa', { modulusLength: 2048 }), pkcs8('rsa', { modulusLength: 2048 })].map((key) =>
      key.export({ format: 'jwk' }),
    );
    const mixed = createPrivateKey({ key: { ...other, n: one!.n!, e: one!.e! }, format: 'jwk' });
    const { errors } = await importing([{ name: keyName(), algorithm: 'RSA_2048', keyMaterial: base64(der(mixed)) }]);
    expect(errors).toEqual([{ name: expect.any(String), code: 'kms_key.material', message: expect.any(String) }]);
  });

  it('needs the rights to create and to import every key, or none is imported', async () => {
    const names = [keyName(), keyName()];
    const keys = names.map((name) => ({ name, keyMaterial: base64(randomBytes(32)) }));
    for (const rules of [
      [{ action: ['import'] }],
      [{ action: ['create'] }],
      [{ action: ['create', 'import'], conditions: { keyName: names[0] } }],
    ]) {
      const caller = await withRules(test, projectId, ...rules);
      expect((await caller('POST', `${KEYS}/bulk-import`, { projectId, keys })).status).toBe(403);
    }
    const caller = await withRules(test, projectId, { action: ['create', 'import'] });
    expect((await importing(keys, caller)).keys).toHaveLength(2);
  });

  it('of more than 100 keys, or none, is refused', async () => {
    const keys = Array.from({ length: 101 }, () => ({ name: keyName(), keyMaterial: '' }));
    for (const given of [keys, []])
      expect((await admin('POST', `${KEYS}/bulk-import`, { projectId, keys: given })).status).toBe(422);
  });
});

describe('wrapped material', () => {
  const importKey = async () => ok(await admin('POST', '/api/v1/kms/import-key', { projectId })).importKey;
  const oaep = (publicKeyPem: string, data: Buffer) =>
    publicEncrypt({ key: publicKeyPem, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, data);
  /** CKM_RSA_AES_KEY_WRAP of PKCS #11. */
  const wrapped = (publicKeyPem: string, data: Buffer) => {
    const key = randomBytes(32);
    const cipher = createCipheriv('id-aes256-wrap-pad', key, Buffer.from('a65959a6', 'hex'));
    return Buffer.concat([oaep(publicKeyPem, key), cipher.update(data), cipher.final()]);
  };

  it('is imported: symmetric keys by RSA-OAEP, all by RSA and AES', async () => {
    const { publicKeyPem } = await importKey();
    const secret = randomBytes(32);
    for (const keyMaterial of [oaep(publicKeyPem, secret), wrapped(publicKeyPem, secret)]) {
      const wrapping = keyMaterial.length === 384 ? 'RSA_OAEP_SHA_256' : 'RSA_AES_KEY_WRAP_SHA_256';
      const key = await importOne({ keyMaterial: base64(keyMaterial), wrapping, isExportable: true });
      expect(bytes((await exported(key.id)).privateKey)).toEqual(secret);
    }
    const rsa = wrapped(publicKeyPem, der(pkcs8('rsa', { modulusLength: 3072 })));
    await importOne({ algorithm: 'RSA_3072', keyMaterial: base64(rsa), wrapping: 'RSA_AES_KEY_WRAP_SHA_256' });
  });

  it('that was wrapped by another key, or changed, is refused', async () => {
    const { publicKeyPem } = await importKey();
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 3072 });
    const other = publicKey.export({ type: 'spki', format: 'pem' }) as string;
    const changed = wrapped(publicKeyPem, randomBytes(32));
    changed[changed.length - 1]! ^= 1;
    for (const [keyMaterial, wrapping] of [
      [oaep(other, randomBytes(32)), 'RSA_OAEP_SHA_256'],
      [wrapped(other, randomBytes(32)), 'RSA_AES_KEY_WRAP_SHA_256'],
      [changed, 'RSA_AES_KEY_WRAP_SHA_256'],
      [oaep(publicKeyPem, randomBytes(32)), 'RSA_AES_KEY_WRAP_SHA_256'],
      [Buffer.of(), 'RSA_OAEP_SHA_256'],
    ] as const) {
      const { errors } = await importing([{ name: keyName(), keyMaterial: base64(keyMaterial), wrapping }]);
      expect(errors).toMatchObject([{ code: 'kms_key.unwrap' }]);
    }
  });

  it('is wrapped by a key that every caller may read who may import something', async () => {
    const ask = (caller: Caller) => caller('POST', '/api/v1/kms/import-key', { projectId });
    const some = await withRules(test, projectId, { action: ['import'], conditions: { keyName: 'mine' } });
    expect(ok(await ask(some)).importKey.id).not.toBe((await importKey()).id);
    expect((await ask(await withRules(test, projectId, { action: ['create'] }))).status).toBe(403);
  });

  it('opens for whoever wrapped it, and for no other importer of the project', async () => {
    const rules = (name: string) => ({ action: ['create', 'import'], conditions: { keyName: { $eq: name } } });
    const [own, other] = [
      await withRules(test, projectId, rules('own')),
      await withRules(test, projectId, rules('other')),
    ];
    const { publicKeyPem } = ok(await own('POST', '/api/v1/kms/import-key', { projectId })).importKey;
    const key = { keyMaterial: base64(oaep(publicKeyPem, randomBytes(32))), wrapping: 'RSA_OAEP_SHA_256' };
    const errorsFor = async (caller: Caller, name: string) =>
      ok(await caller('POST', `${KEYS}/bulk-import`, { projectId, keys: [{ name, isExportable: true, ...key }] }))
        .errors;
    const without = await other('POST', `${KEYS}/bulk-import`, { projectId, keys: [{ name: 'other', ...key }] });
    expect([without.status, without.body.message]).toEqual([400, expect.stringContaining('Read your import key')]);
    ok(await other('POST', '/api/v1/kms/import-key', { projectId }));
    expect(await errorsFor(other, 'other')).toMatchObject([{ code: 'kms_key.unwrap' }]);
    expect(await errorsFor(admin, 'other')).toMatchObject([{ code: 'kms_key.unwrap' }]);
    expect(await errorsFor(own, 'own')).toEqual([]);
  });

  it('is for the import key of its caller and project, which is one while it lasts', async () => {
    const first = await importKey();
    expect(await importKey()).toEqual(first);
    const other = (await test.project()).id;
    const made = await Promise.all([1, 2, 3].map(() => admin('POST', '/api/v1/kms/import-key', { projectId: other })));
    expect(new Set(made.map((answer) => ok(answer).importKey.id)).size).toBe(1);
    expect(made[0]!.body.importKey.publicKey).not.toBe(first.publicKey);
    const keyMaterial = base64(oaep(first.publicKeyPem, randomBytes(32)));
    const key = { name: keyName(), keyMaterial, wrapping: 'RSA_OAEP_SHA_256' };
    const { errors } = ok(await admin('POST', `${KEYS}/bulk-import`, { projectId: other, keys: [key] }));
    expect(errors).toMatchObject([{ code: 'kms_key.unwrap' }]);
  });
});

describe('an export', () => {
  it('is of keys that were created exportable, while they are enabled, with its own right', async () => {
    const [open, closed] = [
      await createKey(admin, projectId, { isExportable: true }),
      await createKey(admin, projectId),
    ];
    const urlOf = ({ id }: { id: string }) => `${KEYS}/${id}/private-key`;
    expect((await admin('GET', urlOf(closed))).status).toBe(400);
    const member = (await test.identity({ projectId, projectRole: 'member' })).call;
    expect((await member('GET', urlOf(open))).status).toBe(403);
    const exporter = await withRules(test, projectId, { action: ['export-private-key'] });
    expect(bytes(ok(await exporter('GET', urlOf(open))).privateKey)).toHaveLength(32);
    expect(await eventsOf(test, { keyId: open.id })).toEqual(['kms_key.created', 'kms_key.exported']);
    ok(await admin('PATCH', `${KEYS}/${open.id}`, { isDisabled: true }));
    expect((await admin('GET', urlOf(open))).body.details).toEqual({ state: 'disabled' });
    ok(await admin('DELETE', `${KEYS}/${open.id}`));
    expect((await admin('GET', urlOf(open))).body.details).toEqual({ state: 'pending-deletion' });
  });

  it('of a version has the material of that version', async () => {
    const { id } = await createKey(admin, projectId, { isExportable: true });
    const first = await exported(id);
    ok(await admin('POST', `${KEYS}/${id}/rotate`));
    expect((await exported(id)).privateKey).not.toBe(first.privateKey);
    expect(await exported(id, '?version=1')).toEqual(first);
    expect((await admin('GET', `${KEYS}/${id}/private-key?version=3`)).status).toBe(404);
  });

  it('of several keys is of all or none', async () => {
    const open = [await createKey(admin, projectId, { isExportable: true, algorithm: 'ED25519' })];
    open.push(await createKey(admin, projectId, { isExportable: true }));
    const closed = await createKey(admin, projectId);
    const ask = (keyIds: string[]) => admin('POST', `${KEYS}/bulk-export-private-keys`, { keyIds });
    const { keys } = ok(await ask(open.map(({ id }) => id)));
    expect(keys).toEqual(await Promise.all(open.map(({ id }) => exported(id))));
    expect((await ask([open[0]!.id, closed.id])).status).toBe(400);
    expect((await ask([open[0]!.id, 'none'])).status).toBe(404);
    expect((await ask([])).status).toBe(422);
  });
});
