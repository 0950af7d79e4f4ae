import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, eventsOf, ok } from '../harness/certificates.ts';
import { TIME, UUID } from '../harness/folder-tree.ts';
import { base64, createKey, keyName, KEYS, use, withRules } from '../harness/kms.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const UNKNOWN = randomUUID();

let test: TestServer;
let projectId: string;
let admin: Caller;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
  projectId = (await test.project()).id;
  admin = test.admin;
});
afterAll(() => test.close());

const list = async (query = '', project = projectId) => ok(await admin('GET', `${KEYS}?projectId=${project}${query}`));
const codeOf = ({ status, body }: { status: number; body: { details?: unknown; message?: string } }) => [
  status,
  body.details ?? body.message,
];

describe('a key', () => {
  it('is created as published, by default for AES-256-GCM', async () => {
    const name = keyName();
    const { key } = ok(await admin('POST', KEYS, { projectId, name, description: 'Invoices' }));
    expect(key).toEqual({
      id: UUID,
      createdAt: TIME,
      updatedAt: TIME,
      orgId: test.organizationId,
      projectId,
      name,
      description: 'Invoices',
      keyUsage: 'encrypt-decrypt',
      encryptionAlgorithm: 'aes-256-gcm',
      algorithm: 'aes-256-gcm',
      version: 1,
      isDisabled: false,
      isExportable: false,
      isImported: false,
      hasDeleteProtection: false,
      rotationPeriodDays: null,
      nextRotationDate: null,
      deletionDate: null,
    });
    expect(ok(await admin('GET', `${KEYS}/${key.id}`)).key).toEqual(key);
    expect(ok(await admin('GET', `${KEYS}/key-name/${name}?projectId=${projectId}`)).key).toEqual(key);
    expect(await eventsOf(test, { keyId: key.id })).toEqual(['kms_key.created']);
  });

  it.each([
    [{ keyUsage: 'sign-verify' }, 'sign-verify', 'ECC_NIST_P256'],
    [{ keyUsage: 'generate-verify-mac' }, 'generate-verify-mac', 'HMAC_SHA_256'],
    [{ algorithm: 'HMAC_SHA_512' }, 'generate-verify-mac', 'HMAC_SHA_512'],
    [{ encryptionAlgorithm: 'ED25519' }, 'sign-verify', 'ED25519'],
    [{ encryptionAlgorithm: 'aes-128-gcm', keyUsage: 'encrypt-decrypt' }, 'encrypt-decrypt', 'aes-128-gcm'],
  ])('with %j has the usage %s and the algorithm %s', async (given, keyUsage, algorithm) => {
    expect(await createKey(admin, projectId, given)).toMatchObject({
      keyUsage,
      algorithm,
      encryptionAlgorithm: algorithm,
    });
  });

  it('is refused where usage and algorithm contradict one another', async () => {
    for (const given of [
      { keyUsage: 'encrypt-decrypt', algorithm: 'ED25519' },
      { keyUsage: 'sign-verify', encryptionAlgorithm: 'aes-256-gcm' },
      { algorithm: 'HMAC_SHA_1', encryptionAlgorithm: 'HMAC_SHA_256' },
    ]) {
      const { status } = await admin('POST', KEYS, { projectId, name: keyName(), ...given });
      expect([given, status]).toEqual([given, 400]);
    }
  });

  it('has a name that no other key of its project has', async () => {
    const { name } = await createKey(admin, projectId);
    const second = await admin('POST', KEYS, { projectId, name });
    expect([second.status, second.body.message]).toEqual([400, 'A key with this name already exists in the project']);
    const other = (await test.project()).id;
    expect((await admin('POST', KEYS, { projectId: other, name })).status).toBe(200);
  });

  it('is updated in the given fields', async () => {
    const key = await createKey(admin, projectId, { description: 'first' });
    const name = keyName();
    const changed = ok(await admin('PATCH', `${KEYS}/${key.id}`, { name, isDisabled: true })).key;
    expect(changed).toEqual({ ...key, name, isDisabled: true, updatedAt: TIME });
    expect(ok(await admin('PATCH', `${KEYS}/${key.id}`, { description: null })).key).toMatchObject({
      name,
      description: null,
      isDisabled: true,
    });
    expect(await eventsOf(test, { keyId: key.id })).toEqual(['kms_key.created', 'kms_key.updated', 'kms_key.updated']);
  });

  it('is listed by name, in pages, with the total number', async () => {
    const { id: own } = await test.project();
    const names = ['alpha', 'beta', 'gamma'];
    for (const name of names.toReversed()) await createKey(admin, own, { name });
    const shown = async (query = '') => {
      const { keys, totalCount } = await list(query, own);
      return [keys.map(({ name }: { name: string }) => name), totalCount];
    };
    expect(await shown()).toEqual([names, 3]);
    expect(await shown('&limit=1&offset=1')).toEqual([['beta'], 3]);
    expect(await shown('&orderBy=name&orderDirection=desc')).toEqual([names.toReversed(), 3]);
    expect(await shown('&search=LPH')).toEqual([['alpha'], 1]);
  });

  it('is refused with wrong input, before anything is done', async () => {
    for (const body of [
      {},
      { projectId },
      { projectId, name: '' },
      { projectId, name: 'with space' },
      { projectId, name: 'x'.repeat(65) },
      { projectId, name: keyName(), algorithm: 'DES' },
      { projectId, name: keyName(), rotationPeriodDays: 0 },
    ])
      expect([body, (await admin('POST', KEYS, body)).status]).toEqual([body, 422]);
    expect((await admin('POST', KEYS, { projectId: UNKNOWN, name: keyName() })).status).toBe(404);
    expect((await admin('GET', `${KEYS}/${UNKNOWN}`)).status).toBe(404);
    expect((await admin('GET', `${KEYS}/key-name/none?projectId=${projectId}`)).status).toBe(404);
  });
});

describe('a disabled key', () => {
  it('is used again when it is enabled', async () => {
    const key = await createKey(admin, projectId);
    const { ciphertext } = ok(await use(admin, key.id, 'encrypt', { plaintext: base64('x') }));
    ok(await admin('PATCH', `${KEYS}/${key.id}`, { isDisabled: true }));
    for (const [operation, body] of [
      ['encrypt', { plaintext: base64('x') }],
      ['decrypt', { ciphertext }],
    ] as const)
      expect(codeOf(await use(admin, key.id, operation, body))).toEqual([400, { state: 'disabled' }]);
    expect((await admin('POST', `${KEYS}/${key.id}/rotate`)).status).toBe(400);
    ok(await admin('PATCH', `${KEYS}/${key.id}`, { isDisabled: false }));
    expect(ok(await use(admin, key.id, 'decrypt', { ciphertext })).plaintext).toBe(base64('x'));
  });
});

describe('a deleted key', () => {
  it('is answered by its id with its end, has given its name away, and is not used', async () => {
    const key = await createKey(admin, projectId);
    const { ciphertext } = ok(await use(admin, key.id, 'encrypt', { plaintext: base64('x') }));
    const deleted = ok(await admin('DELETE', `${KEYS}/${key.id}`)).key;
    const deletionDate = new Date(test.coffer.now().getTime() + 30 * DAY).toISOString();
    expect(deleted).toEqual({ ...key, updatedAt: TIME, deletionDate });
    expect(ok(await admin('GET', `${KEYS}/${key.id}`)).key).toEqual(deleted);
    expect((await admin('GET', `${KEYS}/key-name/${key.name}?projectId=${projectId}`)).status).toBe(404);
    expect(codeOf(await use(admin, key.id, 'decrypt', { ciphertext }))).toEqual([400, { state: 'pending-deletion' }]);
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const)
      expect([path, (await admin(method, `${KEYS}/${key.id}${path}`, {})).status]).toEqual([path, 400]);
    const again = await createKey(admin, projectId, { name: key.name });
    expect(again.id).not.toBe(key.id);
    const ids = ({ keys }: { keys: { id: string }[] }) => keys.map(({ id }) => id);
    expect(ids(await list())).not.toContain(key.id);
    expect(ids(await list('&state=pending-deletion'))).toContain(key.id);
  });

  it('comes back if its deletion is cancelled, unless another key has its name', async () => {
    const key = await createKey(admin, projectId);
    const { ciphertext } = ok(await use(admin, key.id, 'encrypt', { plaintext: base64('x') }));
    ok(await admin('DELETE', `${KEYS}/${key.id}`, { pendingDays: 7 }));
    const other = await createKey(admin, projectId, { name: key.name });
    const cancel = () => admin('POST', `${KEYS}/${key.id}/cancel-deletion`);
    expect((await cancel()).status).toBe(400);
    ok(await admin('PATCH', `${KEYS}/${other.id}`, { name: keyName() }));
    expect(ok(await cancel()).key).toEqual({ ...key, updatedAt: TIME });
    expect(ok(await use(admin, key.id, 'decrypt', { ciphertext })).plaintext).toBe(base64('x'));
    expect((await cancel()).status).toBe(400);
    expect(await eventsOf(test, { keyId: key.id })).toEqual([
      'kms_key.created',
      'kms_key.encrypted',
      'kms_key.deleted',
      'kms_key.deletion_cancelled',
      'kms_key.decrypted',
    ]);
  });

  it('is protected until its protection is taken away', async () => {
    const key = await createKey(admin, projectId, { hasDeleteProtection: true });
    const refused = await admin('DELETE', `${KEYS}/${key.id}`);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('hasDeleteProtection')]);
    ok(await admin('PATCH', `${KEYS}/${key.id}`, { hasDeleteProtection: false }));
    ok(await admin('DELETE', `${KEYS}/${key.id}`));
  });
});

describe('rights to keys', () => {
  it('can be of single names', async () => {
    const { id: own } = await test.project();
    const [mine, theirs] = [
      await createKey(admin, own, { name: 'mine' }),
      await createKey(admin, own, { name: 'theirs' }),
    ];
    const caller = await withRules(test, own, {
      action: ['read', 'create', 'edit', 'delete', 'encrypt'],
      conditions: { keyName: { $glob: 'mine*' } },
    });
    expect(ok(await caller('GET', `${KEYS}?projectId=${own}`))).toEqual({ keys: [mine], totalCount: 1 });
    expect((await caller('GET', `${KEYS}/${theirs.id}`)).status).toBe(403);
    expect((await caller('GET', `${KEYS}/key-name/theirs?projectId=${own}`)).status).toBe(403);
    expect((await use(caller, theirs.id, 'encrypt', { plaintext: '' })).status).toBe(403);
    expect((await use(caller, mine.id, 'encrypt', { plaintext: '' })).status).toBe(200);
    expect((await caller('POST', KEYS, { projectId: own, name: 'other' })).status).toBe(403);
    expect((await caller('PATCH', `${KEYS}/${mine.id}`, { name: 'other' })).status).toBe(403);
    expect((await caller('PATCH', `${KEYS}/${mine.id}`, { name: 'mine-too' })).status).toBe(200);
    expect((await caller('DELETE', `${KEYS}/${theirs.id}`)).status).toBe(403);
    expect((await caller('POST', `${KEYS}/${mine.id}/rotate`)).status).toBe(403);
  });

  it('do not come by another name: whoever may rename a key gives no one more than it may itself', async () => {
    const { id: own } = await test.project();
    const key = await createKey(admin, own, { name: 'plain' });
    await withRules(test, own, { action: ['decrypt'], conditions: { keyName: { $glob: 'open-*' } } });
    const editor = await withRules(test, own, { action: ['create', 'edit', 'delete'] });
    const renamed = await editor('PATCH', `${KEYS}/${key.id}`, { name: 'open-plain' });
    expect(renamed.status).toBe(403);
    expect((await admin('GET', `${KEYS}/${key.id}`)).body.key.name).toBe('plain');
  });

  it('to delete do not bring a deleted key back under its name, for which the right to create it is needed, too', async () => {
    const { id: own } = await test.project();
    const key = await createKey(admin, own, { name: 'leaked' });
    const deleter = await withRules(test, own, { action: ['delete'] });
    const cancel = (call: Caller) => call('POST', `${KEYS}/${key.id}/cancel-deletion`);
    ok(await deleter('DELETE', `${KEYS}/${key.id}`));
    expect((await cancel(deleter)).status).toBe(403);
    expect((await cancel(await withRules(test, own, { action: ['create'] }))).status).toBe(403);
    expect((await admin('GET', `${KEYS}/key-name/leaked?projectId=${own}`)).status).toBe(404);
    ok(await cancel(await withRules(test, own, { action: ['create', 'delete'] })));
  });

  it('to delete and create do not resume a schedule with a deleted key, for which the right to rotate it is needed, too', async () => {
    const { id: own } = await test.project();
    const key = await createKey(admin, own, { name: 'scheduled', rotationPeriodDays: 30 });
    ok(await admin('DELETE', `${KEYS}/${key.id}`));
    const cancel = (call: Caller) => call('POST', `${KEYS}/${key.id}/cancel-deletion`);
    expect((await cancel(await withRules(test, own, { action: ['create', 'delete'] }))).status).toBe(403);
    ok(await cancel(await withRules(test, own, { action: ['create', 'delete', 'rotate'] })));
  });

  it('are unknown to callers of another organization, and to members of other projects', async () => {
    const key = await createKey(admin, projectId);
    const other = await test.foreign();
    const outsider = (await test.identity({ projectId: (await test.project()).id, projectRole: 'admin' })).call;
    for (const call of [other.call, outsider]) {
      expect((await call('GET', `${KEYS}/${key.id}`)).status).toBe(404);
      expect((await use(call, key.id, 'encrypt', { plaintext: '' })).status).toBe(404);
      expect((await call('GET', `${KEYS}?projectId=${projectId}`)).status).toBe(404);
    }
  });

  it('of operators are to use keys and not to change them', async () => {
    const key = await createKey(admin, projectId);
    const operator = (await test.identity({ projectId, projectRole: 'cryptographic-operator' })).call;
    const { ciphertext } = ok(await use(operator, key.id, 'encrypt', { plaintext: base64('x') }));
    expect(ok(await use(operator, key.id, 'decrypt', { ciphertext })).plaintext).toBe(base64('x'));
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const)
      expect([method, (await operator(method, `${KEYS}/${key.id}${path}`)).status]).toEqual([method, 403]);
  });
});
