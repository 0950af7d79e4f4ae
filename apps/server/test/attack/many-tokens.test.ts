import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;
const FOLDER = 'a'.repeat(200);

beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  await ok(test.admin('POST', '/api/v2/folders', { projectId, environment: 'dev', path: '/', name: FOLDER }));
});
afterAll(() => test.close());

const globs = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ environment: 'dev', secretPath: `/${'*a'.repeat(90)}*b-${name}-${n}/**` },
  }));

/** Short scopes of some thousand characters each, expanded. */
const alternatives = (count: number, name = '') =>
  Array.from({ length: count }, (_, n) => ({ environment: 'dev', secretPath: `/${'{a,b}'.repeat(7)}${name}${n}` }));

async function makeMember(): Promise<Caller> {
  const user = await makeUser(test.coffer, { organizationId: test.organizationId });
  const add = { usernames: [user.email], emails: [], roleSlugs: ['member'] };
  await ok(test.admin('POST', `/api/v1/projects/${projectId}/memberships`, add));
  return test.as(user.token);
}

const tokenOf = (call: Caller, name: string, scopes: object[]) =>
  call('POST', '/api/v2/service-token', {
    ...{ name, workspaceId: projectId, scopes, permissions: ['read', 'write'], expiresIn: 3600 },
  });

/** As many as the limit, of the longest scopes that are accepted, by copies of one. */
async function tokensOf(call: Caller, name: string): Promise<void> {
  const { status } = await tokenOf(call, name, globs(100, `${name}-0`));
  if (status !== 200) await ok(tokenOf(call, name, globs(5, `${name}-0`)));
  await test.coffer.pool.query(
    `insert into service_tokens select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
       'scopes', replace(t.scopes::text, '-0-', '-' || n || '-')::jsonb))).*
     from service_tokens t, generate_series(1, 199) n where t.name = $1`,
    [name],
  );
}

describe('attack: service tokens with many long globs', () => {
  it('have a limit, of each token, and of the tokens of one user', async () => {
    const call = await makeMember();
    expect((await tokenOf(call, 'long', globs(100, 'x'))).status).toBe(422);
    expect((await tokenOf(call, 'of alternatives', alternatives(25))).status).toBe(422);
    await tokensOf(call, 'many');
    const { status, body } = await tokenOf(call, 'one more', globs(1, 'y'));
    expect([status, body.message]).toEqual([400, expect.stringContaining('at most 200')]);
    await ok(tokenOf(await makeMember(), 'of another', globs(1, 'z')));
    // Requests at the same time are counted one after the other.
    await test.coffer.pool.query(
      `delete from service_tokens where id in (select id from service_tokens where name = 'many' limit 2)`,
    );
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => tokenOf(call, `at once ${n}`, globs(1, `w${n}`))),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(2);
  });

  it('of an earlier release keep nobody from renaming who holds the rights', async () => {
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const { id } = await test.project();
    const add = { usernames: [user.email], emails: [], roleSlugs: ['member'] };
    await ok(test.admin('POST', `/api/v1/projects/${id}/memberships`, add));
    const scopes = [{ environment: 'dev', secretPath: '/app/*' }];
    const body = {
      name: 'of an earlier release',
      workspaceId: id,
      scopes,
      permissions: ['read', 'write'],
      expiresIn: 3600,
    };
    await ok(test.as(user.token)('POST', '/api/v2/service-token', body));
    await test.coffer.pool.query(
      `insert into service_tokens select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
         'scopes', replace($2, '-0-', '-' || n || '-')::jsonb))).*
       from service_tokens t, generate_series(1, 60) n where t.project_id = $1`,
      [id, JSON.stringify(alternatives(25, '-0-'))],
    );
    const place = { projectId: id, environment: 'dev', secretPath: '/' };
    await ok(test.admin('POST', '/api/v4/secrets/KEY', { ...place, secretValue: 'x' }));
    await ok(test.admin('PATCH', '/api/v4/secrets/KEY', { ...place, newSecretName: 'RENAMED' }));
    const { folder } = await ok(test.admin('POST', '/api/v2/folders', { ...place, path: '/', name: 'a' }));
    await ok(test.admin('PATCH', `/api/v2/folders/${folder.id}`, { ...place, path: '/', name: 'b' }));
    const tag = await ok(test.admin('POST', `/api/v1/projects/${id}/tags`, { slug: 'one', color: '' }));
    await ok(test.admin('PATCH', `/api/v1/projects/${id}/tags/${tag.tag.id}`, { slug: 'two', color: '' }));
    // Somebody who holds them at this place alone, and lacks others.
    const rules: Rule[] = [
      {
        subject: 'secrets',
        action: ['describeSecret', 'readValue', 'create', 'edit', 'delete'],
        conditions: { environment: 'dev' },
      },
    ];
    const { call } = await test.identity({ projectId: id, rules });
    expect((await call('PATCH', '/api/v4/secrets/RENAMED', { ...place, newSecretName: 'AGAIN' })).status).toBe(200);
  });

  it('do not keep others from renaming', async () => {
    for (const name of ['first', 'second', 'third']) await tokensOf(await makeMember(), name);
    const rules: Rule[] = [
      { subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit'] },
      { subject: 'secret-folders', action: ['read', 'create', 'edit'] },
    ];
    const { call } = await test.identity({ projectId, rules });
    const place = { projectId, environment: 'dev', secretPath: `/${FOLDER}` };
    const secrets = Array.from({ length: 100 }, (_, n) => ({ secretKey: `KEY_${n}`, secretValue: 'x' }));
    await ok(call('POST', '/api/v4/secrets/batch', { ...place, secrets }));
    await ok(call('PATCH', '/api/v4/secrets/KEY_1', { ...place, newSecretName: 'RENAMED' }));
    const { folders } = await ok(call('GET', `/api/v2/folders?projectId=${projectId}&environment=dev`));
    const rename = { projectId, environment: 'dev', path: '/', name: 'c'.repeat(200) };
    expect((await call('PATCH', `/api/v2/folders/${folders[0].id}`, rename)).status).toBe(200);
  });
});
