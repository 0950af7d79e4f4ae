import { randomUUID } from 'node:crypto';
import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turnsOf } from '../harness/turns.ts';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;

beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
});
afterAll(() => test.close());

/** A role of 900 kB, stored directly, like one of an earlier release. */
async function storedRole(rules: readonly Rule[]): Promise<string> {
  const slug = `large-${randomUUID().slice(0, 8)}`;
  const body = { slug, name: slug, permissions: [] };
  expect((await test.admin('POST', `/api/v1/projects/${projectId}/roles`, body)).status).toBe(200);
  await test.coffer.pool.query('update roles set permissions = $2 where slug = $1', [slug, JSON.stringify(rules)]);
  return slug;
}

const LARGE: [string, Rule[]][] = [
  [
    'many texts',
    Array.from({ length: 900 }, (_, n) => ({
      subject: 'secrets',
      action: ['describeSecret', 'readValue', 'edit'],
      conditions: { secretName: { $in: Array.from({ length: 40 }, (__, m) => `NAME_OF_A_SECRET_${n}_${m}`) } },
    })),
  ],
  [
    'long globs',
    Array.from({ length: 900 }, (_, n) => ({
      subject: 'secrets',
      action: ['describeSecret', 'readValue', 'edit'],
      conditions: { secretName: { $glob: `${'*A'.repeat(440)}B${n}*` } },
    })),
  ],
  [
    'what it forbids',
    Array.from({ length: 900 }, (_, n) => ({
      subject: 'secrets',
      action: ['describeSecret', 'readValue', 'edit'],
      conditions: { secretName: { $in: Array.from({ length: 40 }, (__, m) => `NAME_OF_A_SECRET_${n}_${m}`) } },
      inverted: n % 2 === 1,
    })),
  ],
];

describe('attack: a role as large as earlier releases stored them', () => {
  it.each(LARGE)(
    'does not block others when it is assigned, by its holders or administrators: %s',
    async (_, rules) => {
      const [role, other] = [await storedRole(rules), await storedRole(rules)];
      const holder = await test.identity({
        projectId,
        rules: [...rules, { subject: 'member', action: ['read', 'create', 'edit', 'grant-privileges'] }],
      });
      for (const call of [test.admin, holder.call]) {
        const { email } = await makeUser(test.coffer, { organizationId: test.organizationId });
        const add = { usernames: [email], emails: [], roleSlugs: [role, other] };
        let answer: Answer | undefined;
        await turnsOf(call === holder.call ? 3 : 0, async () => {
          answer = await call('POST', `/api/v1/projects/${projectId}/memberships`, add);
        });
        expect([200, 403]).toContain(answer!.status);
      }
    },
  );
});

const inFolders = (count: number, name = 'a'): Rule[] =>
  Array.from({ length: count }, (_, n) => ({
    subject: 'secrets',
    action: ['readValue', 'describeSecret'],
    conditions: { environment: { $in: ['dev', `e${n}`] }, secretPath: { $glob: `/${name}${n}/**` } },
  }));

describe('attack: rules without end', () => {
  it('a service token with many scopes, of a creator with many rules, is refused what combines them, and affects nobody else', async () => {
    const role = await storedRole(inFolders(1_000));
    const creator = await makeUser(test.coffer, { organizationId: test.organizationId });
    const add = { usernames: [creator.email], emails: [], roleSlugs: [role, 'member'] };
    expect((await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, add)).status).toBe(200);
    const scopes = Array.from({ length: 100 }, (_, n) => ({ environment: 'dev', secretPath: n ? `/x${n}/**` : '/**' }));
    const { body } = await test.as(creator.token)('POST', '/api/v2/service-token', {
      ...{ name: 's', workspaceId: projectId, scopes, permissions: ['read', 'write'], expiresIn: 3_600 },
      ...{ encryptedKey: 'x', iv: 'x', tag: 'x' },
    });
    const token = test.as(body.serviceToken);
    const at = `projectId=${projectId}&environment=dev&secretPath=/`;
    const folders = await token('GET', `/api/v2/folders?projectId=${projectId}&environment=dev&recursive=true`);
    expect([folders.status, folders.body.message]).toEqual([403, expect.stringContaining('Use fewer rules')]);
    expect((await test.admin('GET', `/api/v4/secrets?${at}`)).status).toBe(200);
    const access = await test.admin('GET', `/api/v1/projects/${projectId}/access?environment=dev&secretPath=/`);
    expect(access.status).toBe(200);
    expect(access.body.access.actors.map((one: { actor: { type: string } }) => one.actor.type)).toContain('service');
  });

  it('many service tokens of a creator with many rules do not block others in the list of who has access', async () => {
    const role = await storedRole(inFolders(200, 'b'));
    const creator = await makeUser(test.coffer, { organizationId: test.organizationId });
    const add = { usernames: [creator.email], emails: [], roleSlugs: [role, 'member'] };
    expect((await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, add)).status).toBe(200);
    const scopes = [{ environment: 'dev', secretPath: '/**' }];
    const made = await test.as(creator.token)('POST', '/api/v2/service-token', {
      ...{ name: 'many', workspaceId: projectId, scopes, permissions: ['read'], expiresIn: 3_600 },
      ...{ encryptedKey: 'x', iv: 'x', tag: 'x' },
    });
    expect(made.status).toBe(200);
    await test.coffer.pool.query(
      `insert into service_tokens select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()))).*
       from service_tokens t, generate_series(1, 1000) where t.name = 'many'`,
    );
    let count = 0;
    await turnsOf(5, async () => {
      const url = `/api/v1/projects/${projectId}/access?environment=dev&secretPath=/&limit=100`;
      const { status, body } = await test.admin('GET', url);
      expect([status, body.message]).toEqual([200, undefined]);
      count = body.access.totalCount;
    });
    expect(count).toBeGreaterThan(1_000);
  });

  it('the privileges of a member have a maximum of rules together, also after updates', async () => {
    const { id: identityId } = await test.identity({ projectId, projectRole: 'member' });
    const privileges = '/api/v2/identity-project-additional-privilege';
    const permissions = inFolders(1_000, 'c');
    const give = (few: Rule[]) => test.admin('POST', privileges, { identityId, projectId, permissions: few, type });
    const type = { isTemporary: false };
    for (let n = 0; n < 5; n++) expect((await give(permissions)).status).toBe(200);
    const refused = { status: 400, body: { message: expect.stringContaining('at most 5000 rules') as string } };
    expect(await give(inFolders(1, 'd'))).toMatchObject(refused);
    const one = await test.admin('GET', `${privileges}?identityId=${identityId}&projectId=${projectId}`);
    const { id } = one.body.privileges[0];
    const update = (few: Rule[]) => test.admin('PATCH', `${privileges}/${id}`, { permissions: few });
    expect((await update(inFolders(1, 'd'))).status).toBe(200);
    expect((await give(inFolders(999, 'e'))).status).toBe(200);
    expect(await update(permissions)).toMatchObject(refused);
  });

  it('whoever has tens of thousands of rules is refused alone', async () => {
    const large = await test.identity({ projectId, rules: inFolders(12_000, 'f') });
    const at = `projectId=${projectId}&environment=dev&secretPath=/`;
    const { status, body } = await large.call('GET', `/api/v4/secrets?${at}`);
    expect([status, body.message]).toEqual([403, expect.stringContaining('Use fewer rules')]);
    const all = await test.identity({ projectId, projectRole: 'admin' });
    const few = { identityId: all.id, projectId, permissions: inFolders(1, 'g'), type: { isTemporary: false } };
    const given = await test.admin('POST', '/api/v2/identity-project-additional-privilege', few);
    const update = 'update additional_privileges set permissions = $2 where id = $1';
    await test.coffer.pool.query(update, [given.body.privilege.id, JSON.stringify(inFolders(12_000, 'f'))]);
    expect((await all.call('GET', `/api/v4/secrets?${at}`)).status).toBe(200);
  });
});
