// @long: large values, many callers
import { randomUUID } from 'node:crypto';
import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityUrl, ok, projectUrl } from '../harness/groups.ts';
import { HeldStatements } from '../harness/held-statement.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

// Rules that allow more may be given by somebody without authority over who gets them. They must take nothing: neither
// rights, nor the possibility to be given more by others.

let test: TestServer;
let projectId: string;

const LARGE = 1_000;
const TOO_MANY = { status: 400, body: { message: expect.stringContaining('more than 5000 rules') } };

const manyRules = (name: string, rule: Partial<Rule> = {}): Rule[] =>
  Array.from({ length: LARGE }, (_, n) => ({
    ...{ subject: 'dynamic-secrets', action: ['lease'], conditions: { environment: `${name}-${n}` } },
    ...rule,
  }));
const roles = (slugs: readonly string[]) => ({ roles: slugs.map((role) => ({ role, isTemporary: false })) });
const slug = () => `r-${randomUUID().slice(0, 8)}`;

/** Creates roles in the project. */
async function rolesBy(call: Caller, rules: readonly (readonly Rule[])[]) {
  const made: { id: string; slug: string }[] = [];
  for (const permissions of rules) {
    const name = slug();
    made.push((await ok(call('POST', `/api/v1/projects/${projectId}/roles`, { slug: name, name, permissions }))).role);
  }
  return made;
}

/** A member who leads the project, and whose rights in it all have conditions. */
async function makeVictim(roleSlugs: readonly string[] = ['lead'], isKnown = true) {
  const { id, email, token } = await makeUser(test.coffer, { organizationId: test.organizationId });
  const add = { usernames: [email], emails: [], roleSlugs };
  const { memberships } = await ok(test.admin('POST', `/api/v1/projects/${projectId}/memberships`, add));
  const call = test.as(token);
  const place = `projectId=${projectId}&environment=dev&secretPath=/`;
  /** What it may do: some requests that must all succeed. */
  const works = async () => {
    const asked = [`/api/v4/secrets?${place}`, `/api/v1/projects/${projectId}/memberships`];
    for (const url of [...asked, `/api/v1/projects/${projectId}/roles`, `/api/v1/projects/${projectId}`])
      expect([url, (await call('GET', url)).status]).toEqual([url, 200]);
    const { secrets } = await ok(call('GET', `/api/v4/secrets?${place}`));
    expect(secrets.map((one: { secretValue: string }) => one.secretValue)).toEqual(['value']);
  };
  if (isKnown) await works();
  return { id, call, works, membershipId: memberships[0].id as string };
}

const LEAD: Rule[] = [
  { subject: 'secrets', action: ['describeSecret', 'readValue', 'edit'], conditions: { environment: 'dev' } },
  { subject: 'dynamic-secrets', action: ['lease'], conditions: { environment: 'dev' } },
  { subject: 'member', action: ['read', 'create', 'edit', 'delete', 'grant-privileges'] },
  { subject: 'role', action: ['read', 'create', 'edit', 'delete'] },
  { subject: 'groups', action: ['read', 'create', 'edit', 'delete'] },
  { subject: 'service-tokens', action: ['read', 'create'] },
];
const ATTACKER: Rule[] = [
  { subject: 'member', action: ['read', 'create', 'edit', 'grant-privileges'] },
  { subject: 'groups', action: ['read', 'create'] },
  { subject: 'role', action: ['read', 'create', 'edit'] },
  { subject: 'dynamic-secrets', action: ['lease'] },
];

let attacker: { call: Caller };
/** Eleven roles of a thousand rules, made by the attacker. */
let large: string[];

beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  const place = { projectId, environment: 'dev', secretPath: '/' };
  await ok(test.admin('POST', '/api/v4/secrets/KEY', { ...place, secretValue: 'value' }));
  await ok(
    test.admin('POST', `/api/v1/projects/${projectId}/roles`, { slug: 'lead', name: 'lead', permissions: LEAD }),
  );
  attacker = await test.identity({ projectId, rules: ATTACKER });
  const rules = Array.from({ length: 11 }, (_, n) => manyRules(`${n}`));
  large = (await rolesBy(attacker.call, rules)).map((role) => role.slug);
});
afterAll(() => test.close());

const groupWith = async (actor: { id: string }): Promise<{ id: string }> => {
  const group = await ok(test.admin('POST', '/api/v1/groups', { name: slug(), role: 'no-access' }));
  const { rows } = await test.coffer.pool.query('select username from users where id = $1', [actor.id]);
  await ok(test.admin('POST', `/api/v1/groups/${group.id}/users/${rows[0].username}`));
  return group;
};

describe('attack: many rules, given by somebody without authority over who gets them,', () => {
  it('do not lock out the members of a group, nor keep others from giving them rights', async () => {
    const victim = await makeVictim();
    const attempt = (some: readonly string[], group: { id: string }) =>
      attacker.call('POST', projectUrl({ id: projectId }, group), roles(some));
    expect(
      (await attacker.call('DELETE', `/api/v1/projects/${projectId}/memberships/${victim.membershipId}`)).status,
    ).toBe(403);
    expect(await attempt(large, await groupWith(victim))).toMatchObject(TOO_MANY);
    await ok(attempt(large.slice(0, 4), await groupWith(victim)));
    expect(await attempt(large.slice(4), await groupWith(victim))).toMatchObject(TOO_MANY);
    await victim.works();
    const type = { isTemporary: false };
    const give = { projectMembershipId: victim.membershipId, permissions: manyRules('more'), type };
    const privileges = '/api/v1/user-project-additional-privilege';
    expect(await attacker.call('POST', privileges, give)).toMatchObject(TOO_MANY);
    await ok(test.admin('POST', privileges, { ...give, slug: slug() }));
    await victim.works();
  });

  it('do not lock out an administrator by a group', async () => {
    const { id, email, token } = await makeUser(test.coffer, { organizationId: test.organizationId });
    const admins = await groupWith({ id });
    await ok(test.admin('POST', projectUrl({ id: projectId }, admins), { role: 'admin' }));
    const add = (roleSlugs: readonly string[]) =>
      attacker.call('POST', `/api/v1/projects/${projectId}/memberships`, { usernames: [email], emails: [], roleSlugs });
    expect(await add(large)).toMatchObject(TOO_MANY);
    await ok(add(large.slice(0, 4)));
    await ok(test.as(token)('GET', `/api/v1/projects/${projectId}/memberships`));
  });

  it('do not lock out a member of the organization by groups that it is added to', async () => {
    const strong: Rule[] = [
      { subject: 'role', action: ['read', 'create', 'edit', 'delete'] },
      { subject: 'identity', action: ['read', 'create', 'edit', 'delete', 'grant-privileges'] },
      { subject: 'app-connections', action: ['connect'], conditions: { connectionId: 'a' } },
    ];
    const victim = await test.identity({ organizationRules: strong });
    const { call } = await test.identity({
      organizationRules: [
        { subject: 'groups', action: ['read', 'create', 'add-identities'] },
        { subject: 'role', action: ['read', 'create'] },
        { subject: 'app-connections', action: ['connect'] },
      ],
    });
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) {
      const rule = (m: number) => ({ connectionId: `${n}-${m}` });
      const permissions = manyRules('').map((_, m) => ({
        ...{ subject: 'app-connections', action: ['connect'], conditions: rule(m) },
      }));
      const name = slug();
      await ok(call('POST', '/api/v1/organization/roles', { slug: name, name, permissions }));
      const group = await ok(call('POST', '/api/v1/groups', { name, role: name }));
      statuses.push((await call('POST', identityUrl(group, victim))).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 400, 400]);
    await ok(victim.call('GET', '/api/v1/organization/roles'));
  });

  it('do not lock out by changes of roles that they hold', async () => {
    const small = await rolesBy(
      attacker.call,
      Array.from({ length: 6 }, (_, n) => manyRules(`s${n}`).slice(0, 1)),
    );
    const victim = await makeVictim(['lead', ...small.map((role) => role.slug)]);
    const statuses: number[] = [];
    for (const [n, { id }] of small.entries()) {
      const permissions = manyRules(`s${n}`);
      statuses.push(
        (await attacker.call('PATCH', `/api/v1/projects/${projectId}/roles/${id}`, { permissions })).status,
      );
    }
    expect(statuses).toEqual([200, 200, 200, 200, 400, 400]);
    await victim.works();
    // Fewer rules are never refused.
    await ok(
      attacker.call('PATCH', `/api/v1/projects/${projectId}/roles/${small[0]!.id}`, {
        permissions: manyRules('s0').slice(0, 2),
      }),
    );
  });

  it('do not lock out by long globs on what its own rules are about', async () => {
    const victim = await makeVictim();
    const { call } = await test.identity({
      projectId,
      rules: [...ATTACKER, { subject: 'secrets', action: ['describeSecret'] }],
    });
    const long = Array.from({ length: 4 }, (_, n) =>
      Array.from({ length: 95 }, (__, m): Rule => {
        const glob = `${'*A'.repeat(500)}B${n}-${m}*`;
        return { subject: 'secrets', action: ['describeSecret'], conditions: { secretName: { $glob: glob } } };
      }),
    );
    const made = await rolesBy(call, long);
    const statuses: number[] = [];
    for (const role of made) {
      const group = await groupWith(victim);
      statuses.push((await call('POST', projectUrl({ id: projectId }, group), roles([role.slug]))).status);
    }
    expect(statuses).toEqual([200, 400, 400, 400]);
    await victim.works();
    await join(await stored(made), victim);
    await ok(test.admin('PATCH', `/api/v1/projects/${projectId}/roles/${made[0]!.id}`, { name: 'Renamed' }));
    await victim.works();
  });

  it('do not lock out by templates in globs, which become longer than they were', async () => {
    const victim = await makeVictim();
    const privileges = '/api/v1/user-project-additional-privilege';
    const give = (call: Caller, permissions: readonly Rule[]) =>
      call('POST', privileges, {
        ...{ projectMembershipId: victim.membershipId, slug: slug() },
        ...{ permissions, type: { isTemporary: false } },
      });
    const templated = Array.from({ length: 45 }, (_, n) => ({
      ...{ subject: 'dynamic-secrets', action: ['lease'] },
      conditions: { secretPath: { $glob: `/${'{{identity.id}}'.repeat(26)}${n}*` } },
    }));
    await ok(give(attacker.call, templated));
    const conditions = { environment: 'prod' };
    await ok(give(test.admin, [{ subject: 'secrets', action: ['describeSecret', 'readValue'], conditions }]));
    await victim.works();
    const prod = await victim.call('GET', `/api/v4/secrets?projectId=${projectId}&environment=prod&secretPath=/`);
    expect(prod.status).toBe(200);
    expect(await give(attacker.call, templated)).toMatchObject(TOO_MANY);
  });

  it('do not lock out by short globs with many alternatives', async () => {
    const victim = await makeVictim();
    const { call } = await test.identity({
      projectId,
      rules: [...ATTACKER, { subject: 'secrets', action: ['describeSecret', 'readValue'] }],
    });
    const give = (name: string, count: number) =>
      call('POST', '/api/v1/user-project-additional-privilege', {
        ...{ projectMembershipId: victim.membershipId, slug: slug(), type: { isTemporary: false } },
        permissions: Array.from({ length: count }, (_, n): Rule => {
          const secretName = { $glob: `${'{a,b}'.repeat(7)}${name}${n}` };
          return { subject: 'secrets', action: ['describeSecret', 'readValue'], conditions: { secretName } };
        }),
      });
    await ok(give('x', 60));
    expect(await give('y', 60)).toMatchObject(TOO_MANY);
    // Also where the previous release wrote what it has, without a size.
    const forget = 'update additional_privileges set rules_size = null where project_id = $1';
    await test.coffer.pool.query(forget, [projectId]);
    expect(await give('z', 60)).toMatchObject(TOO_MANY);
    await ok(give('few', 1));
    await victim.works();
  });

  it('do not lock out by what they forbid', async () => {
    const victim = await makeVictim();
    const denials = Array.from({ length: 6 }, (_, n) => manyRules(`d${n}`, { inverted: true }));
    const group = await groupWith(victim);
    const forbidding = (await rolesBy(attacker.call, denials)).map((role) => role.slug);
    const answer = await attacker.call('POST', projectUrl({ id: projectId }, group), roles(forbidding));
    expect(answer).toMatchObject(TOO_MANY);
    await victim.works();
  });

  it('take nothing, also where they are more together: of an earlier release, or given at the same time', async () => {
    const victim = await makeVictim(['lead'], false);
    const scopes = [{ environment: 'dev', secretPath: '/**' }];
    const { serviceToken } = await ok(
      victim.call('POST', '/api/v2/service-token', {
        ...{ name: 'own', workspaceId: projectId, scopes, permissions: ['readValue'] },
        ...{ encryptedKey: 'x', iv: 'x', tag: 'x' },
      }),
    );
    const other = await makeUser(test.coffer, { organizationId: test.organizationId });
    const group = await groupWith(other);
    const secrets = manyRules('x', { subject: 'secrets', action: ['describeSecret', 'readValue'] });
    const more = await rolesBy(test.admin, Array<Rule[]>(4).fill(secrets));
    await ok(attacker.call('POST', projectUrl({ id: projectId }, group), roles(large.slice(0, 5))));
    for (const some of [large.slice(5, 9), more.map((role) => role.slug)]) {
      const further = await groupWith(victim);
      await test.coffer.pool.query('delete from group_members where group_id = $1', [further.id]);
      await ok(test.admin('POST', projectUrl({ id: projectId }, further), roles(some)));
      await join(further, victim);
    }
    await join(group, victim);
    await victim.works();
    const place = `projectId=${projectId}&environment=dev&secretPath=/`;
    const list = await ok(test.as(serviceToken)('GET', `/api/v4/secrets?${place}`));
    expect(list.secrets).toHaveLength(1);
  });
});

/** A group with these roles, and nobody in it. */
async function stored(some: readonly { slug: string }[]): Promise<{ id: string }> {
  const group = await ok(test.admin('POST', '/api/v1/groups', { name: slug() }));
  await ok(test.admin('POST', projectUrl({ id: projectId }, group), roles(some.map((role) => role.slug))));
  return group;
}

/** Without a check. */
const join = (group: { id: string }, { id }: { id: string }) =>
  test.coffer.pool.query(
    `insert into group_members (id, organization_id, group_id, membership_id, actor_id)
     select gen_random_uuid(), organization_id, $1, id, actor_id from memberships
     where actor_id = $2 and project_id is null`,
    [group.id, id],
  );

describe('attack: many privileges that have ended', () => {
  const url = '/api/v2/identity-project-additional-privilege';
  const ended = { isTemporary: true, temporaryMode: 'relative', temporaryRange: '1s' } as const;
  const type = { ...ended, temporaryAccessStartTime: '2026-01-01T00:00:00.000Z' };

  it('are kept as long as they have no more rules than a member may have', async () => {
    const { id: identityId } = await test.identity({ projectId, rules: [] });
    const give = (name: string, window: object) =>
      ok(test.admin('POST', url, { identityId, projectId, slug: name, permissions: manyRules(name), type: window }));
    await give('lasting', { isTemporary: false });
    for (let n = 0; n < 12; n++) await give(`ended-${n}`, type);
    const { privileges } = await ok(test.admin('GET', `${url}?identityId=${identityId}&projectId=${projectId}`));
    const slugs = privileges.map((one: { slug: string }) => one.slug);
    expect(slugs).toEqual(['lasting', ...Array.from({ length: 10 }, (_, n) => `ended-${n + 2}`)]);
  });

  it('are not removed while they are given again', async () => {
    const { id: identityId } = await test.identity({ projectId, rules: [] });
    const give = (name: string) =>
      test.admin('POST', url, { identityId, projectId, slug: name, permissions: manyRules(name), type });
    const { privilege } = await ok(give('ended-0'));
    for (let n = 1; n < 10; n++) await ok(give(`ended-${n}`));
    const again = () => test.admin('PATCH', `${url}/${privilege.id}`, { type: { isTemporary: false } });
    const held = new HeldStatements(test);
    const [given, other] = await held.beside(/^update "?additional_privileges/, again, () => give('ended-10'));
    expect([given.status, other.status]).toEqual([200, 200]);
    expect((await ok(test.admin('GET', `${url}/${privilege.id}`))).privilege).toMatchObject({ isTemporary: false });
  });
});
