import { createPublicKey, randomUUID, verify, type JsonWebKey } from 'node:crypto';
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

  it('is empty for a project that nobody has', async () => {
    for (const projectId of [randomUUID(), 'none']) expect(await setOf(projectId)).toEqual({ keys: [] });
  });
});
