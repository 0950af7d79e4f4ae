import { openCoffer, parseRootKey } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { ok } from '../harness/certificates.ts';
import { base64, bytes, createKey, keyName, KEYS, use } from '../harness/kms.ts';
import { repeatedTransactions } from '../harness/repeated-transactions.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';
import { turnsOf } from '../harness/turns.ts';

let test: TestServer;
let projectId: string;
let admin: Caller;
beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  admin = test.admin;
});
afterAll(() => test.close());

const versionOf = (ciphertext: string): number => bytes(ciphertext).readUInt32BE(2);

describe('a key that is rotated while it is used', () => {
  it('loses nothing: what was encrypted meanwhile opens, and its versions have no gaps', async () => {
    const { id } = await createKey(admin, projectId);
    const encrypting = Array.from({ length: 60 }, (_, index) => ({ plaintext: base64(`${index}`) }));
    const [made, rotated] = await Promise.all([
      Promise.all(encrypting.map((body) => use(admin, id, 'encrypt', body))),
      Promise.all(Array.from({ length: 8 }, () => admin('POST', `${KEYS}/${id}/rotate`))),
    ]);
    expect(rotated.map((answer) => ok(answer).key.version).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    for (const [index, answer] of made.entries()) {
      const { ciphertext } = ok(answer);
      expect(ok(await use(admin, id, 'decrypt', { ciphertext })).plaintext).toBe(base64(`${index}`));
    }
    expect(versionOf(ok(await use(admin, id, 'encrypt', { plaintext: '' })).ciphertext)).toBe(9);
    const { rows } = await test.coffer.pool.query(
      'select version from kms_key_versions where kms_key_id = $1 order by 1',
      [id],
    );
    expect(rows.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('a key that is deleted several times at once', () => {
  it('is deleted once, and brought back once', async () => {
    const { id } = await createKey(admin, projectId);
    const statuses = async (ask: () => ReturnType<Caller>) =>
      (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status).toSorted((a, b) => a - b);
    expect(await statuses(() => admin('DELETE', `${KEYS}/${id}`))).toEqual([200, 400, 400]);
    expect(await statuses(() => admin('POST', `${KEYS}/${id}/cancel-deletion`))).toEqual([200, 400, 400]);
  });
});

describe('a key whose transaction is repeated after a deadlock', () => {
  const read = async (id: string) =>
    Buffer.from(ok(await admin('GET', `${KEYS}/${id}/private-key`)).privateKey, 'base64');

  it('has the material that it is to have, and not zeros', async () => {
    const repeating = repeatedTransactions(test.coffer);
    const created = await repeating(() => createKey(admin, projectId, { isExportable: true }));
    const { id } = created.result;
    const first = await read(id);
    const rotated = await repeating(() => admin('POST', `${KEYS}/${id}/rotate`));
    ok(rotated.result);
    const second = await read(id);
    const keyMaterial = base64(Buffer.alloc(32, 7));
    const keys = [{ name: keyName(), keyMaterial, isExportable: true }];
    const imported = await repeating(() => admin('POST', `${KEYS}/bulk-import`, { projectId, keys }));
    const third = await read(ok(imported.result).keys[0].id);
    expect([created, rotated, imported].map(({ repeated }) => repeated)).toEqual([1, 1, 1]);
    expect(base64(third)).toBe(keyMaterial);
    for (const one of [first, second]) expect(one).not.toEqual(Buffer.alloc(32));
    expect(second).not.toEqual(first);
  });
});

/** Runs a call that waits for what this statement locks; the lock is released when `meanwhile` is done. */
async function duringLock(
  [text, ...values]: readonly [text: string, ...values: unknown[]],
  call: () => ReturnType<Caller>,
  meanwhile: () => Promise<unknown>,
) {
  const client = await test.coffer.pool.connect();
  try {
    await client.query('begin');
    await client.query(text, values);
    const called = call();
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await test.coffer.pool.query(waiting)).rowCount).toBe(1);
    await meanwhile();
    await client.query('rollback');
    return await called;
  } finally {
    client.release();
  }
}

describe('a caller who loses the right while a key is made', () => {
  const maker = async () => {
    const { id, call } = await test.identity({ projectId, rules: [{ subject: 'cmek', action: [...MAKING] }] });
    const leave = () => admin('DELETE', `/api/v1/projects/${projectId}/memberships/identities/${id}`).then(ok);
    return { call, leave };
  };
  const MAKING = ['create', 'import', 'rotate'] as const;
  /** Another key with this name, not committed. */
  const NAME_TAKEN = `insert into kms_keys select (json_populate_record(k, json_build_object('id', gen_random_uuid(),
    'name', $2::text))).* from kms_keys k where k.id = $1`;

  it('does not rotate it', async () => {
    const { id } = await createKey(admin, projectId);
    const { call, leave } = await maker();
    const lock = ['select 1 from kms_keys where id = $1 for update', id] as const;
    expect((await duringLock(lock, () => call('POST', `${KEYS}/${id}/rotate`), leave)).status).toBe(404);
    expect(ok(await admin('GET', `${KEYS}/${id}`)).key.version).toBe(1);
  });

  it.each(MAKING.filter((action) => action !== 'rotate'))('does not %s it', async (action) => {
    const { id } = await createKey(admin, projectId);
    const { call, leave } = await maker();
    const name = keyName();
    const make = () =>
      action === 'create'
        ? call('POST', KEYS, { projectId, name })
        : call('POST', `${KEYS}/bulk-import`, {
            projectId,
            keys: [{ name, keyMaterial: base64(Buffer.alloc(32, 1)) }],
          });
    expect((await duringLock([NAME_TAKEN, id, name], make, leave)).status).toBe(404);
    expect((await admin('GET', `${KEYS}/key-name/${name}?projectId=${projectId}`)).status).toBe(404);
  });
});

describe('another process', () => {
  it('stops to use a key within a second after it was disabled, and uses a new version', async () => {
    const other = await openCoffer({
      databaseUrl: test.servingUrl,
      rootKey: parseRootKey(test.rootKey),
      fetch: () => Promise.reject(new Error('none')),
      migrate: false,
      poolSize: 2,
    });
    const app = await createApp({ coffer: other });
    const { id } = await createKey(admin, projectId);
    const encrypt = async () => {
      const headers = { authorization: `Bearer ${test.adminIdentity.token}` };
      const url = `${KEYS}/${id}/encrypt`;
      const { statusCode, body } = await app.inject({ method: 'POST', url, headers, payload: { plaintext: '' } });
      return { status: statusCode, body: JSON.parse(body) };
    };
    expect((await encrypt()).status).toBe(200);
    ok(await admin('POST', `${KEYS}/${id}/rotate`));
    await expect.poll(async () => versionOf((await encrypt()).body.ciphertext)).toBe(2);
    ok(await admin('PATCH', `${KEYS}/${id}`, { isDisabled: true }));
    await expect.poll(async () => (await encrypt()).status).toBe(400);
    await app.close();
    await other.close();
  });
});

describe('what a library computes for long, many times at once', () => {
  const TIMES = 20;

  it.each([
    [
      'signatures of digests',
      'sign-verify',
      'ECC_NIST_P521',
      'sign',
      { data: base64(Buffer.alloc(32)), isDigest: true },
    ],
    [
      'deterministic ciphertexts',
      'encrypt-decrypt',
      'aes-256-siv',
      'encrypt',
      { plaintext: base64(Buffer.alloc(65_536)) },
    ],
  ])(
    'is done one in each turn of the event loop: %s, made and read',
    async (_what, keyUsage, algorithm, make, body) => {
      const { id } = await createKey(admin, projectId, { keyUsage, algorithm });
      const times = (operation: string, input: object) =>
        turnsOf(TIMES, async () => {
          for (const answer of await Promise.all(Array.from({ length: TIMES }, () => use(admin, id, operation, input))))
            ok(answer);
        });
      const { signature, ciphertext } = ok(await use(admin, id, make, body));
      await times(make, body);
      await (make === 'sign' ? times('verify', { ...body, signature }) : times('decrypt', { ciphertext }));
      expect(signature ?? ciphertext).toBeDefined();
    },
  );
});
