import { destroyDeletedKeys, enqueueDueKeys } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, eventsOf, ok } from '../harness/certificates.ts';
import { base64, createKey, KEYS, rotateDue, use } from '../harness/kms.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const LIMITS = { block: 8, rotateAt: 64, limit: 256 };

let test: TestServer;
let projectId: string;
let admin: Caller;
beforeAll(async () => {
  test = await testServer({ clock: 'standing', keyUseLimits: LIMITS });
  projectId = (await test.project()).id;
  admin = test.admin;
});
afterAll(() => test.close());

const anywhere = () => test.coffer.contextFor({ type: 'platform', organizationId: undefined });
const versionOf = async (id: string): Promise<number> => ok(await admin('GET', `${KEYS}/${id}`)).key.version;

describe('a schedule', () => {
  it('rotates a key once for each of its days', async () => {
    const key = await createKey(admin, projectId, { rotationPeriodDays: 30 });
    const due = (from: number) => new Date(from + 30 * DAY).toISOString();
    expect(key.nextRotationDate).toBe(due(test.coffer.now().getTime()));
    await rotateDue(test);
    expect(await versionOf(key.id)).toBe(1);
    test.advance(30 * DAY);
    await rotateDue(test);
    await rotateDue(test);
    expect(ok(await admin('GET', `${KEYS}/${key.id}`)).key).toMatchObject({
      version: 2,
      nextRotationDate: due(test.coffer.now().getTime()),
    });
    ok(await admin('PATCH', `${KEYS}/${key.id}`, { rotationPeriodDays: null }));
    test.advance(60 * DAY);
    await rotateDue(test);
    expect(await versionOf(key.id)).toBe(2);
    expect(await eventsOf(test, { keyId: key.id })).toEqual(['kms_key.created', 'kms_key.rotated', 'kms_key.updated']);
  });

  it('rotates a key, whatever others have due that cannot be rotated', async () => {
    const { call } = await test.foreign();
    const others = ok(await call('POST', '/api/v1/projects', { projectName: 'Others' })).project.id;
    const { id } = await createKey(call, others, { rotationPeriodDays: 1 });
    await test.coffer.pool.query(
      `insert into kms_keys select (jsonb_populate_record(k, jsonb_build_object(
         'id', gen_random_uuid(), 'name', 'copy-' || n))).* from kms_keys k, generate_series(1, 1000) n where k.id = $1`,
      [id],
    );
    test.advance(1000);
    const own = await createKey(admin, projectId, { rotationPeriodDays: 1 });
    test.advance(DAY);
    await enqueueDueKeys(anywhere());
    const { rows } = await test.coffer.pool.query('select from graphile_worker.jobs where key = $1', [
      `kms:${own.id}:1`,
    ]);
    expect(rows).toHaveLength(1);
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    await test.coffer.pool.query('delete from kms_keys where project_id = $1', [others]);
  });

  it('leaves disabled and deleted keys alone', async () => {
    const keys = [
      await createKey(admin, projectId, { rotationPeriodDays: 1 }),
      await createKey(admin, projectId, { rotationPeriodDays: 1 }),
    ];
    ok(await admin('PATCH', `${KEYS}/${keys[0].id}`, { isDisabled: true }));
    ok(await admin('DELETE', `${KEYS}/${keys[1].id}`));
    test.advance(2 * DAY);
    await rotateDue(test);
    expect(await Promise.all(keys.map(({ id }) => versionOf(id)))).toEqual([1, 1]);
  });
});

describe('the encryptions with a key', () => {
  it('are counted by version before they are done, and rotate it long before their limit', async () => {
    const key = await createKey(admin, projectId);
    const ciphertexts: string[] = [];
    const encrypt = async (times: number) => {
      for (let done = 0; done < times; done++)
        ciphertexts.push(ok(await use(admin, key.id, 'encrypt', { plaintext: base64('a') })).ciphertext);
    };
    const counted = async () =>
      (
        await test.coffer.pool.query<{ uses: number }>(
          'select uses::int as uses from kms_key_versions where kms_key_id = $1 order by version',
          [key.id],
        )
      ).rows.map(({ uses }) => uses);
    /** Never fewer than there were, and at most a block more. */
    const expectCounts = async (...used: number[]) => {
      const spare = (await counted()).map((count, index) => count - used[index]!);
      expect(spare).toEqual(used.map(() => expect.toSatisfy((one: number) => one >= 0 && one <= LIMITS.block)));
    };
    await encrypt(10);
    await expectCounts(10);
    await rotateDue(test);
    expect(await versionOf(key.id)).toBe(1);
    await encrypt(LIMITS.rotateAt - 10);
    await expectCounts(LIMITS.rotateAt);
    await rotateDue(test);
    expect(await versionOf(key.id)).toBe(2);
    await encrypt(5);
    await expectCounts(LIMITS.rotateAt, 5);
    for (const ciphertext of [ciphertexts[0]!, ciphertexts.at(-1)!])
      expect((await use(admin, key.id, 'decrypt', { ciphertext })).status).toBe(200);
  });

  it('end at their limit, while ciphertexts still open', async () => {
    const key = await createKey(admin, projectId);
    const { ciphertext } = ok(await use(admin, key.id, 'encrypt', { plaintext: base64('a') }));
    let encrypted = 1;
    let refused = 0;
    for (let tries = 0; tries < LIMITS.limit + 8; tries++) {
      const { status, body } = await use(admin, key.id, 'encrypt', { plaintext: '' });
      if (status === 200) encrypted++;
      else refused += Number(status === 400 && body.message.includes('rotate it'));
    }
    expect([encrypted, refused]).toEqual([LIMITS.limit, 9]);
    expect((await use(admin, key.id, 'decrypt', { ciphertext })).status).toBe(200);
    ok(await admin('POST', `${KEYS}/${key.id}/rotate`));
    expect((await use(admin, key.id, 'encrypt', { plaintext: '' })).status).toBe(200);
  });
});

describe('a deleted key', () => {
  it('is destroyed with its versions at its end, and is unknown from that instant on', async () => {
    const key = await createKey(admin, projectId);
    ok(await admin('DELETE', `${KEYS}/${key.id}`, { pendingDays: 2 }));
    const rows = async () =>
      (await test.coffer.pool.query('select 1 from kms_key_versions where kms_key_id = $1', [key.id])).rowCount;
    test.advance(2 * DAY - 1);
    await destroyDeletedKeys(anywhere());
    expect([(await admin('GET', `${KEYS}/${key.id}`)).status, await rows()]).toEqual([200, 1]);
    test.advance(1);
    expect((await admin('GET', `${KEYS}/${key.id}`)).status).toBe(404);
    expect((await use(admin, key.id, 'encrypt', { plaintext: '' })).status).toBe(404);
    expect((await admin('POST', `${KEYS}/${key.id}/cancel-deletion`)).status).toBe(404);
    expect(await rows()).toBe(1);
    expect(await destroyDeletedKeys(anywhere())).toBeGreaterThan(0);
    expect(await rows()).toBe(0);
    expect(await destroyDeletedKeys(anywhere())).toBe(0);
    expect(await eventsOf(test, { keyId: key.id })).toEqual([
      'kms_key.created',
      'kms_key.deleted',
      'kms_key.destroyed',
    ]);
  });

  it('is destroyed at its end, however many of others end before', async () => {
    const { call } = await test.foreign();
    const others = ok(await call('POST', '/api/v1/projects', { projectName: 'Many' })).project.id;
    const { id } = await createKey(call, others);
    const own = await createKey(admin, projectId);
    ok(await call('DELETE', `${KEYS}/${id}`, { pendingDays: 1 }));
    test.advance(1000);
    ok(await admin('DELETE', `${KEYS}/${own.id}`, { pendingDays: 1 }));
    const { pool } = test.coffer;
    await pool.query(
      `insert into kms_keys select (jsonb_populate_record(k, jsonb_build_object(
         'id', '00000000-0000-7000-8000-' || lpad(n::text, 12, '0'), 'name', 'copy-' || n))).*
       from kms_keys k, generate_series(1, 1000) n where k.id = $1`,
      [id],
    );
    test.advance(DAY);
    await destroyDeletedKeys(anywhere());
    const { rows } = await pool.query('select from kms_keys where project_id = $1 or id = $2', [others, own.id]);
    expect(rows).toEqual([]);
  });
});
