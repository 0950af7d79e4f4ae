import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/certificates.ts';
import { base64, bytes, createKey, KEYS, use, withRules } from '../harness/kms.ts';
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

const batch = async (keyId: string, operation: string, items: readonly object[]) =>
  ok(await use(admin, keyId, `${operation}/batch`, { items })).results;
const eventsOfBatch = async (keyId: string) =>
  (
    await test.coffer.pool.query<{ data: object }>(
      `select data from audit_events where data ->> 'keyId' = $1 and data ? 'items' order by id`,
      [keyId],
    )
  ).rows.map(({ data }) => data);

describe('a batch', () => {
  it('of 1,000 items encrypts and decrypts all of them, with one event each', async () => {
    const { id } = await createKey(admin, projectId);
    const plaintexts = Array.from({ length: 1_000 }, (_, index) => base64(`value ${index}`));
    const made = await batch(
      id,
      'encrypt',
      plaintexts.map((plaintext) => ({ plaintext })),
    );
    expect(await batch(id, 'decrypt', made)).toEqual(plaintexts.map((plaintext) => ({ plaintext })));
    expect(await eventsOfBatch(id)).toMatchObject([
      { keyVersion: 1, keyVersions: [1], items: 1_000, failed: 0 },
      { keyVersion: 1, keyVersions: [1], items: 1_000, failed: 0 },
    ]);
    const many = Array.from({ length: 1_001 }, () => ({ plaintext: '' }));
    for (const items of [many, []]) expect((await use(admin, id, 'encrypt/batch', { items })).status).toBe(422);
  });

  it('has a result for each item, whatever is wrong with others', async () => {
    const { id } = await createKey(admin, projectId);
    const one = ok(await use(admin, id, 'encrypt', { plaintext: base64('a'), associatedData: base64('b') }));
    const changed = bytes(one.ciphertext);
    changed[changed.length - 1]! ^= 1;
    const results = await batch(id, 'decrypt', [
      one,
      { ...one, associatedData: base64('b') },
      { ciphertext: base64(changed), associatedData: base64('b') },
      { ciphertext: '' },
    ]);
    const refused = { error: { code: 'kms.ciphertext', message: expect.any(String) } };
    expect(results).toEqual([refused, { plaintext: base64('a') }, refused, refused]);
    expect(await eventsOfBatch(id)).toMatchObject([{ keyVersions: [1], items: 4, failed: 3 }]);
  });

  it.each(['ECC_NIST_P256', 'RSA_2048'])('signs and verifies with %s', async (algorithm) => {
    const { id } = await createKey(admin, projectId, { algorithm });
    const data = Array.from({ length: 20 }, (_, index) => base64(`${index}`));
    const made = await batch(id, 'sign', [...data.map((one) => ({ data: one })), { data: '', isDigest: true }]);
    expect(made.pop()).toEqual({ error: { code: 'kms.digest', message: expect.any(String) } });
    const signed = data.map((one, index) => ({ data: one, signature: made[index].signature }));
    const verified = await batch(id, 'verify', [...signed, { ...signed[0], data: data[1] }]);
    expect(verified.map(({ signatureValid }: { signatureValid: boolean }) => signatureValid)).toEqual([
      ...data.map(() => true),
      false,
    ]);
  });

  it('has an event with all algorithms and versions that were used, and with how much was invalid', async () => {
    const { id } = await createKey(admin, projectId, { algorithm: 'ECC_NIST_P256' });
    const algorithms = ['ECDSA_SHA_256', 'ECDSA_SHA_384', 'ECDSA_SHA_256'];
    const items = algorithms.map((signingAlgorithm) => ({ data: base64('a'), signingAlgorithm }));
    const first = await batch(id, 'sign', [...items, { data: base64('a'), signingAlgorithm: 'ED25519' }]);
    ok(await admin('POST', `${KEYS}/${id}/rotate`));
    const second = await batch(id, 'sign', [{ data: base64('a'), signingAlgorithm: 'ECDSA_SHA_512' }]);
    const signed = [first[0], first[1], second[0]].map(({ signature, signingAlgorithm }) => ({
      data: base64('a'),
      signature,
      signingAlgorithm,
    }));
    await batch(id, 'verify', [...signed, { ...signed[0], data: base64('b') }]);
    expect(await eventsOfBatch(id)).toMatchObject([
      { keyVersions: [1], signingAlgorithms: ['ECDSA_SHA_256', 'ECDSA_SHA_384'], items: 4, failed: 1 },
      { keyVersion: 2, keyVersions: [2], signingAlgorithms: ['ECDSA_SHA_512'], items: 1, failed: 0 },
      {
        keyVersions: [1, 2],
        signingAlgorithms: ['ECDSA_SHA_256', 'ECDSA_SHA_384', 'ECDSA_SHA_512'],
        items: 4,
        failed: 0,
        invalid: 1,
      },
    ]);
  });

  it('that may cost too much is refused before any work, with the number of items that would do', async () => {
    const { id } = await createKey(admin, projectId, { algorithm: 'ECC_NIST_P521' });
    const item = { data: base64(Buffer.alloc(32)), isDigest: true, signingAlgorithm: 'ECDSA_SHA_256', signature: '' };
    const most = async (operation: string, more: object = {}): Promise<number | undefined> => {
      const items = Array.from({ length: 1_000 }, () => ({ ...item, ...more }));
      const { status, body } = await use(admin, id, `${operation}/batch`, { items });
      expect([status, body.message]).toEqual([400, expect.stringContaining('send about')]);
      return body.details.items;
    };
    const alone = (await most('verify'))!;
    for (let version = 2; version <= 4; version++) ok(await admin('POST', `${KEYS}/${id}/rotate`));
    expect(await most('verify')).toBe(Math.floor(alone / 4));
    expect(await most('verify', { keyVersion: 2 })).toBe(alone);
    expect(await most('verify', { isDigest: false })).toBeGreaterThan(alone);
    expect(await eventsOfBatch(id)).toEqual([]);
  });

  it('of megabytes is answered whole', async () => {
    const { id } = await createKey(admin, projectId);
    const plaintext = base64(randomBytes(60_000));
    const made = await batch(
      id,
      'encrypt',
      Array.from({ length: 100 }, () => ({ plaintext })),
    );
    expect(new Set(made.map(({ ciphertext }: { ciphertext: string }) => ciphertext)).size).toBe(100);
    expect(await batch(id, 'decrypt', made.slice(50))).toEqual(Array.from({ length: 50 }, () => ({ plaintext })));
  });

  it('needs the rights of the single operation, and a key that is enabled', async () => {
    const { id } = await createKey(admin, projectId);
    const caller = await withRules(test, projectId, { action: ['encrypt'] });
    expect((await use(caller, id, 'encrypt/batch', { items: [{ plaintext: '' }] })).status).toBe(200);
    expect((await use(caller, id, 'decrypt/batch', { items: [{ ciphertext: '' }] })).status).toBe(403);
    ok(await admin('PATCH', `${KEYS}/${id}`, { isDisabled: true }));
    expect((await use(admin, id, 'encrypt/batch', { items: [{ plaintext: '' }] })).body.details).toEqual({
      state: 'disabled',
    });
    const signer = await createKey(admin, projectId, { algorithm: 'ED25519' });
    expect((await use(admin, signer.id, 'encrypt/batch', { items: [{ plaintext: '' }] })).status).toBe(400);
  });
});

describe('re-encryption', () => {
  it('gives a ciphertext of the newest version, with the same associated data, to callers who may only encrypt', async () => {
    const { id } = await createKey(admin, projectId);
    const associatedData = base64('row 7');
    const { ciphertext } = ok(await use(admin, id, 'encrypt', { plaintext: base64('a'), associatedData }));
    ok(await admin('POST', `${KEYS}/${id}/rotate`));
    const caller = await withRules(test, projectId, { action: ['encrypt'] });
    const renewed = ok(await use(caller, id, 're-encrypt', { ciphertext, associatedData }));
    expect(renewed).toEqual({ ciphertext: expect.any(String), keyVersion: 2 });
    const decrypt = (body: object) => use(admin, id, 'decrypt', { ciphertext: renewed.ciphertext, ...body });
    expect(ok(await decrypt({ associatedData })).plaintext).toBe(base64('a'));
    expect((await decrypt({})).status).toBe(400);
    expect((await use(caller, id, 're-encrypt', { ciphertext })).status).toBe(400);
    const reader = await withRules(test, projectId, { action: ['decrypt'] });
    expect((await use(reader, id, 're-encrypt', { ciphertext, associatedData })).status).toBe(403);
  });
});

describe('a data key', () => {
  it('comes as it is and encrypted by the key, of which decryption gives it again', async () => {
    const { id } = await createKey(admin, projectId);
    const associatedData = base64('disk 7');
    const made = ok(await use(admin, id, 'data-key', { associatedData, numberOfBytes: 64 }));
    expect(bytes(made.plaintext)).toHaveLength(64);
    const { ciphertext } = made;
    expect(ok(await use(admin, id, 'decrypt', { ciphertext, associatedData })).plaintext).toBe(made.plaintext);
    expect((await use(admin, id, 'decrypt', { ciphertext })).status).toBe(400);
    const other = ok(await use(admin, id, 'data-key', {}));
    expect(bytes(other.plaintext)).toHaveLength(32);
    expect(ok(await use(admin, id, 'data-key', { withoutPlaintext: true }))).toEqual({
      ciphertext: expect.any(String),
      keyVersion: 1,
    });
    expect((await use(admin, id, 'data-key', { numberOfBytes: 8 })).status).toBe(422);
    expect((await use(await withRules(test, projectId, { action: ['decrypt'] }), id, 'data-key', {})).status).toBe(403);
  });
});

describe('random bytes', () => {
  it('are as many as were asked for, and never the same', async () => {
    const ask = async (body: object) => bytes(ok(await admin('POST', '/api/v1/kms/random', body)).randomBytes);
    const made = await Promise.all(Array.from({ length: 20 }, () => ask({})));
    expect(new Set(made.map((one) => one.toString('hex'))).size).toBe(20);
    expect(await ask({ numberOfBytes: 1_024 })).toHaveLength(1_024);
    for (const numberOfBytes of [0, 1_025, 1.5])
      expect((await admin('POST', '/api/v1/kms/random', { numberOfBytes })).status).toBe(422);
  });
});

describe.each(['aes-256-siv', 'aes-128-siv'])('a key of %s', (algorithm) => {
  it('makes one ciphertext of one plaintext, associated data and version', async () => {
    const { id } = await createKey(admin, projectId, { algorithm });
    const encrypt = async (body: object) =>
      ok(await use(admin, id, 'encrypt', { plaintext: base64('a'), ...body })).ciphertext;
    const associatedData = base64('b');
    const [first, again] = [await encrypt({}), await encrypt({})];
    expect(again).toBe(first);
    const others = [await encrypt({ associatedData }), await encrypt({ plaintext: base64('c') })];
    ok(await admin('POST', `${KEYS}/${id}/rotate`));
    others.push(await encrypt({}));
    expect(new Set([first, ...others]).size).toBe(4);
    expect(ok(await use(admin, id, 'decrypt', { ciphertext: first })).plaintext).toBe(base64('a'));
    expect((await use(admin, id, 'decrypt', { ciphertext: first, associatedData })).status).toBe(400);
    const changed = bytes(first);
    changed[10]! ^= 1;
    expect((await use(admin, id, 'decrypt', { ciphertext: base64(changed) })).status).toBe(400);
  });
});
