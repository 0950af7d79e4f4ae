import { expect } from 'vitest';
import type { ServiceScope } from '@coffer/domain';
import { makeIdentity, makeOrganization, makeProject, makeUser } from '@coffer/domain/testing';
import type { Caller, TestServer } from '../test-server.ts';
import type { Thing } from '../matrix-world.ts';
import type { Dice } from './dice.ts';
import { KEY_NAMES, NAMES, randomRules, SECRET } from './rules.ts';

export interface Attacker {
  readonly id: string;
  readonly type: 'user' | 'identity';
  readonly call: Caller;
}

/** An organization with all kinds of members, some of whom try to get more than they were given. */
export interface GrantingWorld {
  readonly organizationId: string;
  readonly projectIds: readonly string[];
  /** Full administrators: a machine identity and a user. */
  readonly masters: readonly Attacker[];
  /** Actors with some rights, partly temporary. */
  readonly attackers: readonly Attacker[];
  readonly serviceTokens: readonly MadeServiceToken[];
  /** The machines that a change policy of a project exempts by name. */
  readonly exempt: { readonly projectId: string; readonly identityIds: readonly string[] };
}

/** A service token with its creation data. */
export interface MadeServiceToken {
  readonly creatorId: string;
  readonly projectId: string;
  readonly scopes: readonly ServiceScope[];
  readonly call: Caller;
}

const MINUTE = 60_000;

export async function makeGrantingWorld(test: TestServer, dice: Dice): Promise<GrantingWorld> {
  const { id: organizationId, admin } = await makeOrganization(test.coffer);
  const call = test.as(admin.token);
  const ask = async (method: 'POST' | 'PATCH', url: string, body: object) => {
    const { status, body: answer } = await call(method, url, body);
    expect([url, status, status === 200 ? '' : answer]).toEqual([url, 200, '']);
    return answer;
  };
  const projects = [
    await makeProject(test.coffer, organizationId, admin.actor),
    await makeProject(test.coffer, organizationId, admin.actor),
  ] as const;
  const [first, second] = projects;
  let count = 0;
  const projectRole = async (projectId: string, permissions: object[]): Promise<string> => {
    const slug = `given-${++count}`;
    await ask('POST', `/api/v1/projects/${projectId}/roles`, { slug, name: slug, permissions });
    return slug;
  };
  const organizationRole = async (permissions: object[]): Promise<string> => {
    const slug = `given-${++count}`;
    await ask('POST', '/api/v1/organization/roles', { slug, name: slug, permissions });
    return slug;
  };
  const addPerson = (projectId: string, { email }: { email: string }, role: string) =>
    ask('POST', `/api/v1/projects/${projectId}/memberships`, { emails: [email], usernames: [], roleSlugs: [role] });
  const group = async (...roles: readonly (readonly [projectId: string, role: string])[]) => {
    const made = await ask('POST', '/api/v1/groups', { name: `group ${++count}` });
    for (const [projectId, role] of roles)
      await ask('POST', `/api/v1/projects/${projectId}/memberships/groups/${made.id}`, { role });
    return made.id as string;
  };

  // Bystanders, who have more than the attackers.
  const machine = await makeIdentity(test.coffer, { organizationId, projectId: first.id, projectRole: 'admin' });
  const viewer = await makeIdentity(test.coffer, { organizationId, projectId: second.id, projectRole: 'viewer' });
  const boss = await makeUser(test.coffer, { organizationId, role: 'admin' });
  await addPerson(first.id, boss, 'admin');
  await addPerson(second.id, boss, 'admin');
  const person = await makeUser(test.coffer, { organizationId, role: 'member' });
  await addPerson(second.id, person, 'member');
  const administrators = await group([first.id, 'admin'], [second.id, 'viewer']);
  await ask('POST', `/api/v1/groups/${administrators}/users/${person.email}`, {});
  await ask('POST', '/api/v1/invite-org/signup', {
    inviteeEmails: [`invited-${organizationId}@example.com`],
    organizationId,
    organizationRoleSlug: 'member',
    projects: [{ id: first.id, projectRoleSlug: ['member'] }],
  });
  const inactive = await makeUser(test.coffer, { organizationId, role: 'admin' });
  await test.coffer.pool.query('update memberships set is_active = false where user_id = $1 and organization_id = $2', [
    inactive.id,
    organizationId,
  ]);
  await addPerson(first.id, inactive, 'admin');

  // And some who have less.
  for (const projectId of [first.id, second.id, undefined])
    await makeIdentity(test.coffer, { organizationId, ...(projectId && { projectId, rules: [] }) });
  // One of them has rights by its metadata, which are none yet.
  const unnamed = await makeUser(test.coffer, { organizationId });
  await addPerson(first.id, unnamed, 'no-access');
  await ask('POST', '/api/v1/user-project-additional-privilege', {
    projectMembershipId: await membershipIn(test, first.id, unnamed.id),
    permissions: [
      {
        subject: 'secrets',
        action: ['describeSecret', 'readValue', 'edit'],
        conditions: { secretName: '{{identity.metadata.team}}' },
      },
    ],
    type: { isTemporary: false },
  });
  await group([first.id, 'no-access']);

  // Attackers, and a group that forbids one of them what its own role allows.
  const ids = [machine.id, viewer.id];
  const attackers: Attacker[] = [];
  for (let i = 0; i < 3; i++) {
    const made = await makeIdentity(test.coffer, {
      organizationId,
      organizationRules: randomRules(dice, 'organization', [], 85),
      projectId: first.id,
      rules: randomRules(dice, 'project', ids, 85),
    });
    attackers.push({ id: made.id, type: 'identity', call: test.as(made.token) });
  }
  const role = await organizationRole(randomRules(dice, 'organization', [], 85));
  const user = await makeUser(test.coffer, { organizationId, role });
  await addPerson(first.id, user, await projectRole(first.id, randomRules(dice, 'project', ids, 85)));
  if (dice.is(50)) await addPerson(second.id, user, await projectRole(second.id, randomRules(dice, 'project', ids)));
  attackers.push({ id: user.id, type: 'user', call: test.as(user.token) });
  const denials = randomRules(dice, 'project', ids, 50).map((rule) => ({ ...rule, inverted: true }));
  const forbidding = await group([first.id, await projectRole(first.id, denials)]);
  const everywhere = randomRules(dice, 'organization', [], 50).map((rule) => ({ ...rule, inverted: true }));
  await ask('PATCH', `/api/v1/groups/${forbidding}`, { role: await organizationRole(everywhere) });
  await ask('POST', `/api/v1/groups/${forbidding}/machine-identities/${attackers[0]!.id}`, {});
  // Actors whose own roles and privileges forbid what a group of theirs grants.
  const allowing = await group([first.id, await projectRole(first.id, randomRules(dice, 'project', ids, 50))]);
  await ask('POST', `/api/v1/groups/${allowing}/users/${user.email}`, {});
  for (const one of attackers.slice(1, 3))
    if (one.type === 'identity') await ask('POST', `/api/v1/groups/${allowing}/machine-identities/${one.id}`, {});
  await ask('POST', '/api/v1/user-project-additional-privilege', {
    projectMembershipId: await membershipIn(test, first.id, user.id),
    permissions: denials,
    type: { isTemporary: false },
  });
  await ask('POST', '/api/v2/identity-project-additional-privilege', {
    projectId: first.id,
    identityId: attackers[1]!.id,
    permissions: denials,
    type: { isTemporary: false },
  });
  // Some of their rights begin or end during the search.
  const window = (temporaryRange: string, startsIn: number) => ({
    isTemporary: true,
    temporaryMode: 'relative',
    temporaryRange,
    temporaryAccessStartTime: new Date(test.coffer.now().getTime() + startsIn).toISOString(),
  });
  for (const [index, type] of [window('10s', 0), window('40m', -5 * MINUTE), window('2h', 20 * MINUTE)].entries())
    await ask('POST', '/api/v2/identity-project-additional-privilege', {
      projectId: first.id,
      identityId: attackers[index]!.id,
      permissions: randomRules(dice, 'project', ids, 50),
      type,
    });
  await ask('POST', '/api/v1/user-project-additional-privilege', {
    projectMembershipId: await membershipIn(test, first.id, user.id),
    permissions: randomRules(dice, 'project', ids, 60),
    type: window('30m', 0),
  });
  for (const environment of ['dev', 'prod'])
    await ask('POST', `/api/v4/secrets/${SECRET}`, {
      projectId: first.id,
      environment,
      secretPath: '/',
      secretValue: 'x',
    });
  for (const name of KEY_NAMES.slice(0, 2)) await ask('POST', '/api/v1/kms/keys', { projectId: first.id, name });
  // Requesters with few rights, and approvers with more and with all.
  for (const environment of ['dev', 'prod']) {
    await ask('POST', '/api/v1/access-approvals/policies', {
      projectSlug: first.slug,
      environment,
      approvers: [user, boss].map(({ id }) => ({ type: 'user', id })),
    });
    const wanted = { subject: 'secrets', action: ['describeSecret', 'readValue'], conditions: { environment } };
    const url = `/api/v1/access-approvals/requests?projectSlug=${first.slug}`;
    const asked = await test.as(unnamed.token)('POST', url, { permissions: [wanted], isTemporary: false });
    expect(asked.status).toBe(200);
  }
  await ask('POST', '/api/v1/project-templates', {
    name: 'template',
    roles: [{ name: 'x', slug: 'x', permissions: randomRules(dice, 'project') }],
  });
  const scopes = [{ environment: 'prod', secretPath: '/**' }];
  const token = await test.as(boss.token)('POST', '/api/v2/service-token', {
    name: 'token',
    workspaceId: first.id,
    scopes,
    permissions: ['read'],
    expiresIn: 3600 * 24,
  });
  expect(token.status).toBe(200);
  await ask('PATCH', `/api/v1/identities/${viewer.id}`, { metadata: [{ key: 'team', value: dice.one(NAMES) }] });
  const exempt = [machine.id, ...attackers.flatMap(({ id, type }) => (type === 'identity' ? [id] : []))];
  await ask('POST', '/api/v1/secret-approvals', {
    workspaceId: first.id,
    environment: 'prod',
    approvers: [{ type: 'user', id: boss.id }],
    exemptIdentityIds: exempt,
  });
  return {
    exempt: { projectId: first.id, identityIds: exempt },
    organizationId,
    projectIds: projects.map(({ id }) => id),
    masters: [
      { id: admin.id, type: 'identity', call },
      { id: boss.id, type: 'user', call: test.as(boss.token) },
    ],
    attackers,
    serviceTokens: [{ creatorId: boss.id, projectId: first.id, scopes, call: test.as(token.body.serviceToken) }],
  };
}

async function membershipIn(test: TestServer, projectId: string, actorId: string): Promise<string> {
  const { rows } = await test.coffer.pool.query<{ id: string }>(
    'select id from memberships where project_id = $1 and actor_id = $2',
    [projectId, actorId],
  );
  return rows[0]!.id;
}

/** One resource that operations may name, with its project. */
export interface NamedThing {
  readonly value: string;
  readonly projectId: string | null;
}

const QUERIES: Partial<Record<Thing, string>> = {
  accessPolicy: `select id as value, project_id as project from approval_policies
    where organization_id = $1 and kind = 'access' and deleted_at is null`,
  accessRequest: `select id as value, project_id as project from access_approval_requests
    where organization_id = $1 and status = 'pending'`,
  accessToken: 'select id as value, null as project from identity_access_tokens where organization_id = $1',
  clientSecret: 'select id as value, null as project from client_secrets where organization_id = $1',
  group: 'select id as value, null as project from groups where organization_id = $1',
  identity: 'select id as value, null as project from identities where organization_id = $1',
  identityMembership:
    'select id as value, project_id as project from memberships where organization_id = $1 and identity_id is not null and project_id is not null',
  identityPrivilege:
    'select p.id as value, p.project_id as project from additional_privileges p join memberships m on m.id = p.membership_id where p.organization_id = $1 and m.identity_id is not null',
  identityPrivilegeSlug:
    'select p.slug as value, p.project_id as project from additional_privileges p where p.organization_id = $1',
  kmsKey: 'select id as value, project_id as project from kms_keys where organization_id = $1 and deletion_at is null',
  organization: 'select id as value, null as project from organizations where id = $1',
  organizationMembership:
    'select id as value, null as project from memberships where organization_id = $1 and project_id is null and user_id is not null',
  organizationRole: 'select id as value, null as project from roles where organization_id = $1 and project_id is null',
  organizationRoleSlug:
    'select slug as value, null as project from roles where organization_id = $1 and project_id is null',
  project: 'select id as value, id as project from projects where organization_id = $1',
  projectIdentity:
    'select id as value, project_id as project from identities where organization_id = $1 and project_id is not null',
  projectMembership:
    'select id as value, project_id as project from memberships where organization_id = $1 and user_id is not null',
  projectRole:
    'select id as value, project_id as project from roles where organization_id = $1 and project_id is not null',
  projectRoleSlug:
    'select slug as value, project_id as project from roles where organization_id = $1 and project_id is not null',
  projectSlug: 'select slug as value, id as project from projects where organization_id = $1',
  projectTemplate: 'select id as value, null as project from project_templates where organization_id = $1',
  serviceToken: 'select id as value, project_id as project from service_tokens where organization_id = $1',
  user: 'select m.user_id as value, null as project from memberships m where m.organization_id = $1 and m.user_id is not null and m.project_id is null',
  userMembership:
    'select id as value, null as project from memberships where organization_id = $1 and user_id is not null and project_id is null',
  userPrivilege:
    'select p.id as value, p.project_id as project from additional_privileges p join memberships m on m.id = p.membership_id where p.organization_id = $1 and m.user_id is not null',
  username:
    'select u.username as value, null as project from memberships m join users u on u.id = m.user_id where m.organization_id = $1 and m.project_id is null',
};

/** Every name of an actor. */
export async function namesOf(test: TestServer, { id }: Attacker): Promise<string[]> {
  const { rows } = await test.coffer.pool.query<{ name: string }>(
    `select id::text as name from memberships where actor_id = $1 union all select username from users where id = $1
     union all select id::text from identity_access_tokens where identity_id = $1`,
    [id],
  );
  return [id, ...rows.map(({ name }) => name)];
}

/** The resources by kind, except those with one of these names. */
export async function thingsOf(
  test: TestServer,
  organizationId: string,
  except: readonly string[] = [],
): Promise<ReadonlyMap<string, readonly NamedThing[]>> {
  const text = [
    ...Object.entries(QUERIES).map(
      ([kind, query]) => `select '${kind}' as kind, value::text, project::text from (${query}) t`,
    ),
    // The identities that have a login method, by that; and what belongs together, in pairs.
    'select kind, identity_id::text, null from identity_auth_methods where organization_id = $1',
    `select 'machine of group', group_id || ' ' || actor_id, null from group_members where organization_id = $1`,
    `select 'person of group', g.group_id || ' ' || u.username, null
     from group_members g join users u on u.id = g.actor_id where g.organization_id = $1`,
    `select 'group of project', project_id || ' ' || group_id, null from memberships
     where organization_id = $1 and project_id is not null and group_id is not null`,
    `select 'privilege of machine', p.slug || ' ' || m.identity_id || ' ' || j.slug, null
     from additional_privileges p join memberships m on m.id = p.membership_id join projects j on j.id = p.project_id
     where p.organization_id = $1 and m.identity_id is not null`,
    `select 'machine of project slug', j.slug || ' ' || m.identity_id, null
     from memberships m join projects j on j.id = m.project_id where m.organization_id = $1 and m.identity_id is not null`,
    `select 'person of project', m.project_id || ' ' || u.username, null
     from memberships m join users u on u.id = m.user_id where m.organization_id = $1 and m.project_id is not null`,
    `select 'person outside project', p.id || ' ' || u.username, null from projects p
     join memberships m on m.organization_id = p.organization_id and m.project_id is null join users u on u.id = m.user_id
     where p.organization_id = $1
       and not exists (select 1 from memberships o where o.project_id = p.id and o.user_id = m.user_id)`,
    `select 'person in project', h.actor_id::text, h.project_id::text from effective_memberships h
     join users u on u.id = h.actor_id where h.organization_id = $1 and h.project_id is not null and h.group_id is null`,
    // Actors that are shut out twice: letting them in again is the interesting case.
    `select 'membership of person', id::text, null from memberships
       cross join generate_series(1, case when is_active then 1 else 2 end)
     where organization_id = $1 and user_id is not null and project_id is null`,
    `select 'membership of project', project_id || ' ' || id, null from memberships
     where organization_id = $1 and project_id is not null and user_id is not null`,
    `select 'deleted key', id::text, null from kms_keys where organization_id = $1 and deletion_at is not null`,
    `select 'invited', id::text, null from memberships
     where organization_id = $1 and status = 'invited' and project_id is null`,
    `select 'machine of project', project_id || ' ' || identity_id, null from memberships
     where organization_id = $1 and project_id is not null and identity_id is not null`,
  ].join('\nunion all\n');
  const { rows } = await test.coffer.pool.query<{ kind: string; value: string; project: string | null }>({
    name: 'search.things',
    text: `${text} order by 1, 2`,
    values: [organizationId],
  });
  const named = rows.filter(({ value }) => !except.some((name) => value.includes(name)));
  return new Map(
    Array.from(
      Map.groupBy(named, ({ kind }) => kind),
      ([kind, some]) => [kind, some.map(({ value, project }) => ({ value, projectId: project }))] as const,
    ),
  );
}
