import { createPublicKey, randomUUID, verify, type JsonWebKey } from 'node:crypto';
import { getKmsJwks } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/certificates.ts';
import { base64, bytes, createKey, KEYS, use } from '../harness/kms.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let admin: Caller;
beforeAll(async () => {
  test = await testServer();
  admin = test.admin;
});
afterAll(() => test.close());

const ask = (projectId: string, headers: Record<string, string> = {}) =>
  test.as()('GET', `/api/v1/projects/${projectId}/kms/jwks`, undefined, headers);
const anybody = () => test.coffer.contextFor({ type: 'anonymous' });
type Key = JsonWebKey & { readonly kid: string };
const setOf = async (projectId: string): Promise<{ keys: Key[] }> => {
  const { status, body } = await ask(projectId);
  expect(status).toBe(200);
  return typeof body === 'string' ? JSON.parse(body) : body;
};
const kidsOf = async (projectId: string) => (await setOf(projectId)).keys.map(({ kid }) => kid);

describe('the JWKS of a project', () => {
  it('verifies what its keys sign, in all their versions', async () => {
    const { id: projectId } = await test.project();
    const { id } = await createKey(admin, projectId, { algorithm: 'ED25519' });
    ok(await admin('POST', `${KEYS}/${id}/rotate`));
    expect(await kidsOf(projectId)).toEqual([`${id}.2`, `${id}.1`]);
    const { signature, keyVersion } = ok(await use(admin, id, 'sign', { data: base64('a token') }));
    const key = (await setOf(projectId)).keys.find(({ kid }) => kid === `${id}.${keyVersion}`)!;
    expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519', use: 'sig' });
    const publicKey = createPublicKey({ key, format: 'jwk' });
    expect(verify(null, Buffer.from('a token'), publicKey, bytes(signature))).toBe(true);
  });

  it('has the public halves of enabled signing keys, and nothing else', async () => {
    const { id: projectId } = await test.project();
    expect(await setOf(projectId)).toEqual({ keys: [] });
    await createKey(admin, projectId, { algorithm: 'HMAC_SHA_256' });
    await createKey(admin, projectId);
    const algorithms = ['RSA_2048', 'ECC_NIST_P256', 'ECC_NIST_P521', 'ED25519', 'ML_DSA_44'];
    const kids: string[] = [];
    for (const algorithm of algorithms) kids.push(`${(await createKey(admin, projectId, { algorithm })).id}.1`);
    const { keys } = await setOf(projectId);
    expect(keys.map(({ kid }) => kid).toSorted()).toEqual(kids.toSorted());
    const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'priv'];
    expect(keys.filter((key) => secret.some((field) => field in key))).toEqual([]);
    const [first, second] = kids.map((kid) => kid.split('.')[0]!);
    ok(await admin('PATCH', `${KEYS}/${first}`, { isDisabled: true }));
    ok(await admin('DELETE', `${KEYS}/${second}`));
    expect((await kidsOf(projectId)).toSorted()).toEqual(kids.slice(2).toSorted());
    ok(await admin('POST', `${KEYS}/${second}/cancel-deletion`));
    expect(await kidsOf(projectId)).toContain(kids[1]);
  });

  it('is public, may be cached, and is not sent again to who has it', async () => {
    const { id: projectId } = await test.project();
    await createKey(admin, projectId, { algorithm: 'ED25519' });
    const { headers } = await ask(projectId);
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining('application/jwk-set+json'),
      'cache-control': 'public, max-age=60',
    });
    const tag = String(headers['etag']);
    expect((await ask(projectId, { 'if-none-match': tag })).status).toBe(304);
    await createKey(admin, projectId, { algorithm: 'ED25519' });
    expect((await ask(projectId, { 'if-none-match': tag })).status).toBe(200);
  });

  it('has at most 1,000 keys: first the newest versions of all, of which ten at most', async () => {
    const { id: projectId } = await test.project();
    const keys: { id: string }[] = [];
    for (let count = 0; count < 3; count++) keys.push(await createKey(admin, projectId, { algorithm: 'ED25519' }));
    // As if each had been rotated 12 times, and the first had so many siblings that the set is full.
    const { pool } = test.coffer;
    const ids = keys.map(({ id }) => id);
    await pool.query(
      `insert into kms_key_versions (id, organization_id, project_id, kms_key_id, version, material, public_key, created_at)
       select gen_random_uuid(), organization_id, project_id, kms_key_id, n, material, public_key, created_at
       from kms_key_versions cross join generate_series(2, 12) n where kms_key_id = any($1)`,
      [ids],
    );
    await pool.query('update kms_keys set version = 12 where id = any($1)', [ids]);
    test.coffer.invalidate([`kms_keys:${projectId}`]);
    expect(await kidsOf(projectId)).toHaveLength(30);
    await pool.query(
      `with made as (insert into kms_keys select (json_populate_record(k, json_build_object('id', gen_random_uuid(),
         'name', 'sibling-' || n, 'version', 1, 'created_at', k.created_at - interval '1 hour'))).*
       from kms_keys k cross join generate_series(1, 990) n where k.id = $1 returning id)
       insert into kms_key_versions (id, organization_id, project_id, kms_key_id, version, material, public_key, created_at)
       select gen_random_uuid(), v.organization_id, v.project_id, made.id, 1, v.material, v.public_key, v.created_at
       from made, kms_key_versions v where v.kms_key_id = $1 and v.version = 1`,
      [ids[0]],
    );
    test.coffer.invalidate([`kms_keys:${projectId}`]);
    const kids = await kidsOf(projectId);
    const newest = ids.toReversed().map((id) => `${id}.12`);
    expect([kids.length, kids.slice(0, 3)]).toEqual([1_000, newest]);
    expect(kids.filter((kid) => kid.endsWith('.11'))).toHaveLength(3);
    expect(kids.filter((kid) => kid.endsWith('.10'))).toHaveLength(3);
    expect(kids.filter((kid) => kid.endsWith('.8'))).toHaveLength(0);
  });

  it('is made once, and again when its keys change', async () => {
    const { id: projectId } = await test.project();
    await createKey(admin, projectId, { algorithm: 'ED25519' });
    const read = () => getKmsJwks(anybody(), { projectId });
    // Until this process has heard of its own change.
    await expect.poll(async () => (await read()) === (await read())).toBe(true);
    const made = await read();
    await createKey(admin, projectId, { algorithm: 'ED25519' });
    expect((await read()).etag).not.toBe(made.etag);
  });

  it('is empty for a project that nobody has', async () => {
    for (const projectId of [randomUUID(), 'none']) expect(await setOf(projectId)).toEqual({ keys: [] });
  });
});
