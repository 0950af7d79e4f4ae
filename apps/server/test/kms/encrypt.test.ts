import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, ok } from '../harness/certificates.ts';
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

const SECRET = base64('4111 1111 1111 1111');
const encrypt = async (keyId: string, body: object = {}): Promise<string> =>
  ok(await use(admin, keyId, 'encrypt', { plaintext: SECRET, ...body })).ciphertext;
const decrypt = (keyId: string, body: object) => use(admin, keyId, 'decrypt', body);

describe.each(['aes-256-gcm', 'aes-128-gcm'])('a key of %s', (algorithm) => {
  it('decrypts what it encrypted, with the same associated data', async () => {
    const { id } = await createKey(admin, projectId, { algorithm });
    const associatedData = base64('invoice 7');
    for (const body of [{}, { associatedData }, { plaintext: '' }, { plaintext: base64(randomBytes(65_536)) }]) {
      const { plaintext = SECRET, ...with_ } = { ...body } as { plaintext?: string };
      const ciphertext = await encrypt(id, body);
      expect(ok(await decrypt(id, { ciphertext, ...with_ }))).toEqual({ plaintext });
    }
    const ciphertext = await encrypt(id, { associatedData });
    for (const other of [{}, { associatedData: base64('invoice 8') }, { associatedData: '' }])
      expect((await decrypt(id, { ciphertext, ...other })).status).toBe(400);
  });

  it('makes another ciphertext each time', async () => {
    const { id } = await createKey(admin, projectId, { algorithm });
    const made = await Promise.all(Array.from({ length: 20 }, () => encrypt(id)));
    expect(new Set(made).size).toBe(20);
  });
});

describe('a ciphertext', () => {
  it('opens with no other key, project or algorithm', async () => {
    const key = await createKey(admin, projectId);
    const ciphertext = await encrypt(key.id);
    const elsewhere = (await test.project()).id;
    for (const other of [
      await createKey(admin, projectId),
      await createKey(admin, projectId, { algorithm: 'aes-128-gcm' }),
      await createKey(admin, elsewhere, { name: key.name }),
    ])
      expect((await decrypt(other.id, { ciphertext })).status).toBe(400);
  });

  it('of an older version still opens, and names its version', async () => {
    const { id } = await createKey(admin, projectId);
    const first = await encrypt(id);
    expect(ok(await admin('POST', `${KEYS}/${id}/rotate`)).key.version).toBe(2);
    const second = await encrypt(id);
    expect([first, second].map((one) => bytes(one).readUInt32BE(2))).toEqual([1, 2]);
    for (const ciphertext of [first, second]) expect(ok(await decrypt(id, { ciphertext })).plaintext).toBe(SECRET);
    const mixed = bytes(first);
    mixed.writeUInt32BE(2, 2);
    const none = bytes(first);
    none.writeUInt32BE(3, 2);
    for (const one of [mixed, none]) expect((await decrypt(id, { ciphertext: base64(one) })).status).toBe(400);
    expect(await eventsOf(test, { keyId: id })).toEqual([
      'kms_key.created',
      'kms_key.encrypted',
      'kms_key.rotated',
      'kms_key.encrypted',
      'kms_key.decrypted',
      'kms_key.decrypted',
    ]);
  });

  it('does not open with any of its bits changed, nor a part of it, and the answer is one and the same', async () => {
    const { id } = await createKey(admin, projectId);
    const whole = bytes(await encrypt(id, { plaintext: base64('ab') }));
    const changed = [
      ...Array.from({ length: whole.length * 8 }, (_, bit) => {
        const one = Buffer.from(whole);
        one[bit >> 3]! ^= 1 << (bit & 7);
        return one;
      }),
      ...Array.from({ length: whole.length }, (_, length) => whole.subarray(0, length)),
      Buffer.concat([whole, Buffer.of(0)]),
    ];
    const messages = new Set<string>();
    for (const one of changed) {
      const { status, body } = await decrypt(id, { ciphertext: base64(one) });
      expect(status).toBe(400);
      messages.add(body.message);
    }
    expect([...messages]).toEqual([expect.stringContaining('does not open')]);
  });
});

describe('input', () => {
  it('that is no base64, or too long, is refused before any work', async () => {
    const { id } = await createKey(admin, projectId);
    for (const plaintext of ['a', 'ab', 'a===', 'YQ', 'YR==', 'YWJ=', 'a b=', 'YWJj\n', 'YW-_', 'ä', 7, null])
      expect([plaintext, (await use(admin, id, 'encrypt', { plaintext })).status]).toEqual([plaintext, 422]);
    expect((await use(admin, id, 'encrypt', { plaintext: base64(randomBytes(65_537)) })).status).toBe(422);
    expect((await use(admin, id, 'encrypt', {})).status).toBe(422);
    expect(await eventsOf(test, { keyId: id })).toEqual(['kms_key.created']);
  });

  it('for a key of another usage is a 400 that names the usage', async () => {
    const { id } = await createKey(admin, projectId, { keyUsage: 'sign-verify' });
    const { status, body } = await use(admin, id, 'encrypt', { plaintext: SECRET });
    expect([status, body.message]).toEqual([400, expect.stringContaining('sign-verify')]);
  });
});

describe('the rights', () => {
  it('to encrypt and to decrypt are two', async () => {
    const { id } = await createKey(admin, projectId);
    const [writer, reader] = [
      await withRules(test, projectId, { action: ['encrypt'] }),
      await withRules(test, projectId, { action: ['decrypt'] }),
    ];
    const { ciphertext } = ok(await use(writer, id, 'encrypt', { plaintext: SECRET }));
    expect(ok(await use(reader, id, 'decrypt', { ciphertext })).plaintext).toBe(SECRET);
    expect((await use(writer, id, 'decrypt', { ciphertext })).status).toBe(403);
    expect((await use(reader, id, 'encrypt', { plaintext: SECRET })).status).toBe(403);
  });
});

describe('a key at rest', () => {
  it('is sealed for its place: material that was moved to another key or version does not open', async () => {
    const [one, other] = [await createKey(admin, projectId), await createKey(admin, projectId)];
    ok(await admin('POST', `${KEYS}/${one.id}/rotate`));
    const material = async (id: string, version: number) =>
      (
        await test.coffer.pool.query<{ material: Buffer }>(
          'select material from kms_key_versions where kms_key_id = $1 and version = $2',
          [id, version],
        )
      ).rows[0]!.material;
    const put = async (id: string, sealed: Buffer) => {
      await test.coffer.pool.query('update kms_key_versions set material = $2 where kms_key_id = $1 and version = 1', [
        id,
        sealed,
      ]);
      test.coffer.invalidate([`kms_key:${id}`]);
    };
    const own = await material(other.id, 1);
    for (const [from, version] of [
      [one.id, 1],
      [one.id, 2],
    ] as const) {
      await put(other.id, await material(from, version));
      expect((await use(admin, other.id, 'encrypt', { plaintext: SECRET })).status).toBe(500);
    }
    await put(other.id, own);
    expect((await use(admin, other.id, 'encrypt', { plaintext: SECRET })).status).toBe(200);
  });
});
