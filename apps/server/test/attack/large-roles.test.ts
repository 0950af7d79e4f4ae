// @long: large values, many callers
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
      const members: Rule = { subject: 'member', action: ['read', 'create', 'edit', 'grant-privileges'] };
      const holder = await test.identity({ projectId, rules: [members] });
      await test.coffer.pool.query(
        `update roles c set permissions = $3 from membership_roles r join memberships m on m.id = r.membership_id
         where c.id = r.custom_role_id and m.actor_id = $1 and m.project_id = $2`,
        [holder.id, projectId, JSON.stringify([...rules, members])],
      );
      for (const call of [test.admin, holder.call]) {
        const { email } = await makeUser(test.coffer, { organizationId: test.organizationId });
        const add = { usernames: [email], emails: [], roleSlugs: [role, other] };
        let answer: Answer | undefined;
        await turnsOf(call === holder.call ? 3 : 0, async () => {
          answer = await call('POST', `/api/v1/projects/${projectId}/memberships`, add);
        });
        expect([200, 400, 403]).toContain(answer!.status);
      }
    },
  );
});

describe('attack: many large roles', () => {
  it('do not block others in a request that names them all, nor in the list of who has access', async () => {
    const { id } = await test.project();
    const rules = LARGE[0]![1].map((rule, n) => ({
      ...rule,
      conditions: { secretName: { $in: [`A_${n}`, `B_${n}`] } },
    }));
    const roles = Array.from({ length: 12 }, (_, n) => ({ role: `large-${n}`, isTemporary: false }));
    for (const { role: slug } of roles) {
      const body = { slug, name: slug, permissions: rules };
      expect((await test.admin('POST', `/api/v1/projects/${id}/roles`, body)).status).toBe(200);
    }
    for (let from = 0; from < 12; from += 6) {
      const { id: identityId } = await test.identity();
      const [url, some] = [`/api/v1/projects/${id}/memberships/identities/${identityId}`, roles.slice(from, from + 6)];
      expect((await test.admin('POST', url, { roles: some })).status).toBe(200);
      await turnsOf(0, async () => {
        expect((await test.admin('PATCH', url, { roles })).status).toBe(400);
      });
    }
    await turnsOf(2, async () => {
      const access = await test.admin('GET', `/api/v1/projects/${id}/access?environment=dev&secretPath=/`);
      expect(access.status).toBe(200);
    });
  });
});

const inFolders = (count: number, name = 'a'): Rule[] =>
  Array.from({ length: count }, (_, n) => ({
    subject: 'secrets',
    action: ['readValue', 'describeSecret'],
    conditions: { environment: { $in: ['dev', `e${n}`] }, secretPath: { $glob: `/${name}${n}/**` } },
  }));

/** A service token of a new member with these roles. */
async function tokenOf(roleSlugs: string[], name: string, scopes: readonly object[], permissions: readonly string[]) {
  const creator = await makeUser(test.coffer, { organizationId: test.organizationId });
  const add = { usernames: [creator.email], emails: [], roleSlugs };
  expect((await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, add)).status).toBe(200);
  const { status, body } = await test.as(creator.token)('POST', '/api/v2/service-token', {
    ...{ name, workspaceId: projectId, scopes, permissions, expiresIn: 3_600 },
    ...{ encryptedKey: 'x', iv: 'x', tag: 'x' },
  });
  expect(status).toBe(200);
  return test.as(body.serviceToken);
}

describe('attack: rules without end', () => {
  it('a service token with many scopes, of a creator with many rules, lists by the first ones that can be combined, and affects nobody else', async () => {
    const issuing: Rule = { subject: 'service-tokens', action: ['read', 'create'] };
    const scopes = Array.from({ length: 100 }, (_, n) => ({ environment: 'dev', secretPath: n ? `/x${n}/**` : '/**' }));
    const widest: Rule[] = ['secrets', 'secret-folders', 'secret-imports'].map((subject) => ({
      ...{ subject, action: subject === 'secrets' ? ['readValue', 'describeSecret'] : ['read'] },
      conditions: { environment: { $ne: 'prod' } },
    }));
    const role = await storedRole([issuing, ...widest]);
    const token = await tokenOf([role], 'scopes', scopes, ['read']);
    const many = JSON.stringify([...widest, ...inFolders(1_000)]);
    await test.coffer.pool.query('update roles set permissions = $2 where slug = $1', [role, many]);
    const at = `projectId=${projectId}&environment=dev&secretPath=/`;
    await test.admin('POST', '/api/v2/folders', { projectId, environment: 'dev', path: '/', name: 'seen' });
    const folders = await token('GET', `/api/v2/folders?projectId=${projectId}&environment=dev&recursive=true`);
    expect([folders.status, folders.body.folders?.map(({ name }: { name: string }) => name)]).toEqual([200, ['seen']]);
    expect((await test.admin('GET', `/api/v4/secrets?${at}`)).status).toBe(200);
    const access = await test.admin('GET', `/api/v1/projects/${projectId}/access?environment=dev&secretPath=/`);
    expect(access.status).toBe(200);
    expect(access.body.access.actors.map((one: { actor: { type: string } }) => one.actor.type)).toContain('service');
  });

  it('many service tokens of a creator with many rules do not block others in the list of who has access', async () => {
    const role = await storedRole(inFolders(200, 'b'));
    await tokenOf([role, 'member'], 'many', [{ environment: 'dev', secretPath: '/**' }], ['read']);
    await test.coffer.pool.query(
      `insert into service_tokens select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()))).*
       from service_tokens t, generate_series(1, 400) where t.name = 'many'`,
    );
    let count = 0;
    await turnsOf(2, async () => {
      const url = `/api/v1/projects/${projectId}/access?environment=dev&secretPath=/&limit=100`;
      const { status, body } = await test.admin('GET', url);
      expect([status, body.message]).toEqual([200, undefined]);
      count = body.access.totalCount;
    });
    expect(count).toBeGreaterThan(400);
  });

  it('a member has a maximum of rules by its privileges and custom roles together, also after updates', async () => {
    const { id: identityId } = await test.identity({ projectId, projectRole: 'member' });
    const privileges = '/api/v2/identity-project-additional-privilege';
    const inEnvironments = (count: number, name: string): Rule[] =>
      Array.from({ length: count }, (_, n) => ({
        ...{ subject: 'secrets', action: ['describeSecret'], conditions: { environment: `${name}${n}` } },
      }));
    const permissions = inEnvironments(1_000, 'c');
    const give = (few: Rule[]) => test.admin('POST', privileges, { identityId, projectId, permissions: few, type });
    const type = { isTemporary: false };
    for (let n = 0; n < 10; n++) expect((await give(permissions)).status).toBe(200);
    const refused = { status: 400, body: { message: expect.stringContaining('more than 10000 rules') as string } };
    expect(await give(inEnvironments(1, 'd'))).toMatchObject(refused);
    const one = await test.admin('GET', `${privileges}?identityId=${identityId}&projectId=${projectId}`);
    const { id } = one.body.privileges[0];
    const update = (few: Rule[]) => test.admin('PATCH', `${privileges}/${id}`, { permissions: few });
    expect((await update(inEnvironments(1, 'd'))).status).toBe(200);
    expect((await give(inEnvironments(999, 'e'))).status).toBe(200);
    expect(await update(permissions)).toMatchObject(refused);
  });

  it('of tens of thousands of rules, as earlier releases stored them, the first ones and those without conditions count', async () => {
    const place = { projectId, environment: 'dev', secretPath: '/' };
    await test.admin('POST', '/api/v4/secrets/SEEN', { ...place, secretValue: 'x' });
    const seenBy = async (rules: readonly Rule[]) => {
      const { id: identityId, call } = await test.identity({ projectId, projectRole: 'no-access' });
      const give = { identityId, projectId, permissions: inFolders(1, 'f'), type: { isTemporary: false } };
      const { body } = await test.admin('POST', '/api/v2/identity-project-additional-privilege', give);
      const update = 'update additional_privileges set permissions = $2 where id = $1';
      await test.coffer.pool.query(update, [body.privilege.id, JSON.stringify(rules)]);
      const list = await call('GET', `/api/v4/secrets?${new URLSearchParams(place).toString()}`);
      return list.body.secrets?.length ?? list.status;
    };
    const dev = { subject: 'secrets', action: ['readValue', 'describeSecret'], conditions: { environment: 'dev' } };
    const { conditions: _, ...all } = dev;
    const many = inFolders(12_000, 'f');
    expect(await seenBy([dev, ...many])).toBe(1);
    expect(await seenBy([...many, dev])).toBe(0);
    expect(await seenBy([...many, all])).toBe(1);
    expect(await seenBy([all, ...many, { ...dev, inverted: true }])).toBe(0);
    // A denial that is beyond the limit denies more.
    const denials = many.map((rule) => ({ ...rule, inverted: true }));
    expect(await seenBy([all, ...denials.slice(0, 10_000)])).toBe(1);
    expect(await seenBy([all, ...denials])).toBe(0);
  });
});

describe('attack: lists of roles with many rules', () => {
  const enlarge = (slug: string, megabytes: number) =>
    test.coffer.pool.query(
      `update roles set permissions = (select jsonb_agg(jsonb_build_object('subject', 'tags', 'action', 'read',
         'conditions', jsonb_build_object('slug', repeat('a', 1000000)))) from generate_series(1, $2::integer)) where slug = $1`,
      [slug, megabytes],
    );

  it('read no rules where they show none', async () => {
    const slug = await storedRole([]);
    await enlarge(slug, 100);
    const before = process.memoryUsage().rss;
    const { status, body } = await test.admin('GET', `/api/v1/projects/${projectId}/roles`);
    expect([status, body.roles.some((role: { slug: string }) => role.slug === slug)]).toEqual([200, true]);
    expect(process.memoryUsage().rss - before).toBeLessThan(90_000_000);
    await test.coffer.pool.query('delete from roles where slug = $1', [slug]);
  });

  it('are refused before they are read where they are too large for an answer', async () => {
    const slug = `large-${randomUUID().slice(0, 8)}`;
    const body = { slug, name: slug, permissions: [] };
    expect((await test.admin('POST', '/api/v1/organization/roles', body)).status).toBe(200);
    await enlarge(slug, 70);
    const refused = await test.admin('GET', '/api/v1/organization/roles');
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('64 MiB')]);
    await test.coffer.pool.query('delete from roles where slug = $1', [slug]);
    expect((await test.admin('GET', '/api/v1/organization/roles')).status).toBe(200);
  });
});
