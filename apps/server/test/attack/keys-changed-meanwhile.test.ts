// @long: holds statements of many operations
import { appRouter, operationsOf } from '@coffer/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf, ok } from '../harness/certificates.ts';
import { HeldStatements } from '../harness/held-statement.ts';
import { base64, createKey, KEYS, rotateDue, use, withRules } from '../harness/kms.ts';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

// Each operation on a key waits while the key is disabled, deleted or gets another name. Its answer is that of the same request
// afterwards. A new operation fails until it is listed.

let test: TestServer;
let projectId: string;
let held: HeldStatements;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
  projectId = (await test.project()).id;
  held = new HeldStatements(test);
});
afterAll(() => test.close());

const KINDS = {
  cipher: {},
  signer: { keyUsage: 'sign-verify', algorithm: 'ECC_NIST_P256' },
  mac: { keyUsage: 'generate-verify-mac', algorithm: 'HMAC_SHA_256' },
};
const [data, plaintext] = [base64('data'), base64('plaintext')];

/** How an operation reads what it uses, when nothing of the key is cached. */
const VERSION = /from kms_key_versions/;
/** How others than uses read it. */
const LOCK = /from kms_keys k .* for update/s;
const EVENT = /insert into audit_events/;

interface Operation {
  /** The method, and the path after that of the key. */
  readonly path: string;
  readonly kind: keyof typeof KINDS;
  readonly waits?: RegExp;
  readonly body?: (keyId: string) => Promise<object>;
  /** What a disabled key still does. */
  readonly despite?: 'disabled';
}
const made = async (keyId: string, operation: string, body: object) =>
  ok(await use(test.admin, keyId, operation, body));
const encrypted = async (keyId: string) => {
  const { ciphertext } = await made(keyId, 'encrypt', { plaintext });
  return { ciphertext };
};
const signed = async (keyId: string) => {
  const { signature } = await made(keyId, 'sign', { data });
  return { data, signature };
};
const batchOf = (one: (keyId: string) => Promise<object>) => async (keyId: string) => ({ items: [await one(keyId)] });

const OPERATIONS: readonly Operation[] = [
  { path: 'POST /encrypt', kind: 'cipher', body: async () => ({ plaintext }) },
  { path: 'POST /decrypt', kind: 'cipher', body: encrypted },
  { path: 'POST /re-encrypt', kind: 'cipher', body: encrypted },
  { path: 'POST /data-key', kind: 'cipher', body: async () => ({}) },
  { path: 'POST /sign', kind: 'signer', body: async () => ({ data }) },
  { path: 'POST /verify', kind: 'signer', body: signed },
  { path: 'POST /generate-mac', kind: 'mac', body: async () => ({ data }) },
  {
    path: 'POST /verify-mac',
    kind: 'mac',
    body: async (keyId) => ({ data, mac: (await made(keyId, 'generate-mac', { data })).mac }),
  },
  { path: 'POST /encrypt/batch', kind: 'cipher', body: batchOf(async () => ({ plaintext })) },
  { path: 'POST /decrypt/batch', kind: 'cipher', body: batchOf(encrypted) },
  { path: 'POST /sign/batch', kind: 'signer', body: batchOf(async () => ({ data })) },
  { path: 'POST /verify/batch', kind: 'signer', body: batchOf(signed) },
  { path: 'GET /private-key', kind: 'cipher' },
  { path: 'GET /public-key', kind: 'signer', despite: 'disabled' },
  { path: 'PATCH ', kind: 'cipher', waits: LOCK, body: async () => ({ description: 'another' }), despite: 'disabled' },
  { path: 'DELETE ', kind: 'cipher', waits: LOCK, despite: 'disabled' },
  { path: 'POST /rotate', kind: 'cipher', waits: LOCK, body: async () => ({}) },
];
/** What is shown is read by one statement, and the right to it is checked after that. */
const OTHERS = ['GET ', 'GET /signing-algorithms'];
/** Takes a deleted key. */
const OF_DELETED = 'POST /cancel-deletion';

interface Asked {
  readonly keyId: string;
  readonly request: () => Promise<Answer>;
}
async function asked({ path, kind, body }: Operation): Promise<Asked> {
  const name = nameOf('dev');
  const { id: keyId } = await createKey(test.admin, projectId, { name, isExportable: true, ...KINDS[kind] });
  const [method, rest] = path.split(' ') as ['GET', string];
  const sent = await body?.(keyId);
  // So that it is read anew.
  ok(await test.admin('PATCH', `${KEYS}/${keyId}`, { description: 'new' }));
  const call = await ofNames();
  return { keyId, request: () => call(method, `${KEYS}/${keyId}${rest}`, sent) };
}
const ALL = ['read', 'create', 'edit', 'delete', 'rotate', 'encrypt', 'decrypt', 'sign', 'verify'];
const ofNames = () =>
  withRules(test, projectId, {
    action: [...ALL, 'generate-mac', 'verify-mac', 'export-private-key'],
    conditions: { keyName: { $glob: 'dev*' } },
  });

const disable = (keyId: string) => test.admin('PATCH', `${KEYS}/${keyId}`, { isDisabled: true });
const rename = (keyId: string) => test.admin('PATCH', `${KEYS}/${keyId}`, { name: nameOf('prod') });
const remove = (keyId: string) => test.admin('DELETE', `${KEYS}/${keyId}`);
const ENABLED = OPERATIONS.filter(({ despite }) => despite !== 'disabled');
const CHANGES = [
  ['is disabled', 400, disable, ENABLED],
  ['gets another name', 403, rename, OPERATIONS],
  ['is deleted', 400, remove, ENABLED],
] as const;
const outcome = ({ status, body }: Answer) => [status, body.message];

describe('attack: a key that is changed while a request waits', () => {
  it.each(CHANGES)('and %s does nothing that it would not do afterwards', async (_what, status, change, operations) => {
    for (const operation of operations) {
      const { keyId, request } = await asked(operation);
      const { path, waits = VERSION } = operation;
      const answer = await held.during(waits, request, async () => ok(await change(keyId)));
      const [, reason] = outcome(await request());
      expect({ path, answer: outcome(answer) }).toEqual({ path, answer: [status, reason] });
    }
  });

  it.each(['POST /sign', 'POST /decrypt', 'POST /encrypt/batch', 'GET /private-key'])(
    'and disabled answers nothing after its use was recorded: %s',
    async (path) => {
      const { keyId, request } = await asked(OPERATIONS.find((one) => one.path === path)!);
      // Its own event is stored with those of others.
      const answer = await held.during(EVENT, request, async () => ok(await disable(keyId)), { isShared: true });
      expect(answer.status).toBe(400);
      expect(outcome(answer)).toEqual(outcome(await request()));
    },
  );

  it('is not brought back under a name for which the caller has no right', async () => {
    const { id } = await createKey(test.admin, projectId, { name: nameOf('dev') });
    ok(await test.admin('DELETE', `${KEYS}/${id}`));
    const call = await ofNames();
    const request = () => call('POST', `${KEYS}/${id}/cancel-deletion`);
    const answer = await held.during(LOCK, request, async () => {
      ok(await test.admin('POST', `${KEYS}/${id}/cancel-deletion`));
      ok(await test.admin('PATCH', `${KEYS}/${id}`, { name: nameOf('prod') }));
      ok(await test.admin('DELETE', `${KEYS}/${id}`));
    });
    expect(answer.status).toBe(403);
  });

  it('is exported with no others', async () => {
    const keyIds: string[] = [];
    for (let count = 0; count < 100; count++)
      keyIds.push((await createKey(test.admin, projectId, { name: nameOf('dev'), isExportable: true })).id);
    const call = await ofNames();
    const request = () => call('POST', `${KEYS}/bulk-export-private-keys`, { keyIds });
    expect((await request()).status).toBe(200);
    const answer = await held.during(VERSION, request, async () => ok(await rename(keyIds.at(-1)!)), { after: 99 });
    expect(answer.status).toBe(403);
  });

  it.each(['encrypt', 'sign', 'generate-mac', 're-encrypt', 'data-key'])(
    'and rotated works with its newest version: %s',
    async (name) => {
      const operation = OPERATIONS.find(({ path }) => path === `POST /${name}`)!;
      const { keyId, request } = await asked(operation);
      const answer = await held.during(VERSION, request, async () => made(keyId, 'rotate', {}));
      const { keyVersion, ciphertext } = ok(answer);
      expect(keyVersion ?? Buffer.from(ciphertext, 'base64').readUInt32BE(2)).toBe(2);
    },
  );

  it('is not rotated by a schedule that has ended', async () => {
    const { id } = await createKey(test.admin, projectId, { rotationPeriodDays: 1 });
    test.advance(2 * 86_400_000);
    const ending = async () => ok(await test.admin('PATCH', `${KEYS}/${id}`, { rotationPeriodDays: null }));
    await held.during(LOCK, () => rotateDue(test), ending, { isShared: true });
    expect(ok(await test.admin('GET', `${KEYS}/${id}`)).key).toMatchObject({ version: 1, nextRotationDate: null });
  });

  it('has no other operations', () => {
    const prefix = `${KEYS}/{keyId}`;
    const published = operationsOf(appRouter).flatMap(({ meta: { openapi } }) =>
      openapi?.path.startsWith(prefix) ? `${openapi.method} ${openapi.path.slice(prefix.length)}` : [],
    );
    expect(new Set(published)).toEqual(new Set([...OPERATIONS.map(({ path }) => path), ...OTHERS, OF_DELETED]));
  });
});
