import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/certificates.ts';
import { TIME, UUID } from '../harness/folder-tree.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;
beforeAll(async () => {
  test = await testServer();
  ({ id: projectId } = await test.project());
});
afterAll(() => test.close());

const URL = '/api/v1/cert-manager/certificate-policies';
const RULES = {
  subject: [{ type: 'common_name', allowed: ['*.example.com'] }],
  sans: [{ type: 'dns_name', allowed: ['*.example.com'], denied: ['admin.*'] }],
  keyUsages: { required: ['digital_signature'] },
  extendedKeyUsages: { allowed: ['server_auth'] },
  algorithms: { signature: ['SHA256-ECDSA'], keyAlgorithm: ['EC_prime256v1'] },
  validity: { max: '90d' },
  basicConstraints: { isCA: 'denied' },
};
let number = 0;
const create = async (more: object = {}) =>
  ok(await test.admin('POST', URL, { projectId, name: `policy-${number++}`, ...more })).certificatePolicy;

describe('a certificate policy', () => {
  it('is created, read, listed, changed and deleted in the published shape', async () => {
    const policy = await create({ name: 'servers', description: 'Of web servers', ...RULES });
    const about = { id: UUID, projectId, name: 'servers', description: 'Of web servers' };
    expect(policy).toEqual({ ...about, ...RULES, createdAt: TIME, updatedAt: TIME });
    const one = `${URL}/${policy.id}`;
    expect(ok(await test.admin('GET', one))).toEqual({ certificatePolicy: policy });
    const listed = ok(await test.admin('GET', `${URL}?projectId=${projectId}&search=SERV`));
    expect(listed).toEqual({ certificatePolicies: [policy], totalCount: 1 });
    const changed = ok(await test.admin('PATCH', one, { validity: { max: '30d' }, description: null }));
    expect(changed.certificatePolicy).toMatchObject({ ...RULES, validity: { max: '30d' }, description: null });
    const cleared = ok(await test.admin('PATCH', one, { sans: null })).certificatePolicy;
    expect(cleared).toMatchObject({ subject: RULES.subject, sans: null });
    const { id: _, name: __, createdAt: ___, updatedAt: ____, ...said } = cleared;
    expect(await create(said)).toMatchObject(said);
    expect(ok(await test.admin('DELETE', one)).certificatePolicy.id).toBe(policy.id);
    expect((await test.admin('GET', one)).status).toBe(404);
  });

  it.each([
    ['an unknown attribute', { subject: [{ type: 'constructor' }] }],
    ['an unknown kind of name', { sans: [{ type: 'x400' }] }],
    ['two rules for one thing', { sans: [{ type: 'dns' }, { type: 'dns_name', denied: ['*'] }] }],
    ['an unknown usage', { keyUsages: { denied: ['everything'] } }],
    ['an unknown algorithm', { algorithms: { keyAlgorithm: ['DSA'] } }],
    ['no duration', { validity: { max: 'soon' } }],
  ])('with %s is refused', async (_, rules) => {
    const { status } = await test.admin('POST', URL, { projectId, name: 'bad', ...rules });
    expect(status).toBe(422);
  });

  it('has a unique name in the project', async () => {
    const { name } = await create();
    expect((await test.admin('POST', URL, { projectId, name })).status).toBe(400);
  });

  it('needs a token and rights, by name, and is nothing to others', async () => {
    const { id, name } = await create();
    const other = await create();
    expect((await test.as('none')('GET', `${URL}/${id}`)).status).toBe(401);
    expect((await test.admin('GET', `${URL}/${randomUUID()}`)).status).toBe(404);
    const rules = [{ subject: 'certificate-policies', action: 'read', conditions: { name } }];
    const { call } = await test.identity({ projectId, rules });
    expect(ok(await call('GET', `${URL}?projectId=${projectId}`)).totalCount).toBe(1);
    expect((await call('GET', `${URL}/${id}`)).status).toBe(200);
    expect((await call('GET', `${URL}/${other.id}`)).status).toBe(403);
    expect((await call('DELETE', `${URL}/${id}`)).status).toBe(403);
  });
});
