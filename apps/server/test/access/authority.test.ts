import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const BOUNDARY = { status: 403, body: { error: 'PermissionBoundaryError' } };
const CRUD = ['read', 'create', 'edit', 'delete'];
const managing = (...subjects: string[]): Rule[] => subjects.map((subject) => ({ subject, action: CRUD }));

let test: TestServer;
let projectId: string;
/** What the targets hold in the project, and in the organization. */
const HELD: Rule = { subject: 'tags', action: ['read', 'create'] };
const HELD_ABOVE: Rule = { subject: 'incident-contact', action: ['read', 'create'] };
const DENIED: Rule = { ...HELD, inverted: true };
let held: { project: string; organization: string; denying: string };
let count = 0;

const MANAGES_PROJECT = managing('member', 'groups', 'identity', 'role');
const MANAGES_ORGANIZATION: Rule[] = [
  ...managing('member', 'identity', 'role'),
  {
    subject: 'groups',
    action: [...CRUD, 'add-members', 'remove-members', 'add-identities', 'remove-identities'],
  },
];
/** May do what the operations ask for, and nothing of what the targets hold. */
let weak: { project: Caller; organization: Caller };
/** The same, and what the targets hold. */
let strong: { project: Caller; organization: Caller };

const ask = async (method: Parameters<Caller>[0], url: string, body?: object): Promise<Answer['body']> => {
  const answer = await test.admin(method, url, body);
  expect([url, answer.status, answer.status === 200 ? '' : answer.body]).toEqual([url, 200, '']);
  return answer.body;
};
const roleOf = async (url: string, permissions: Rule[]): Promise<string> => {
  const slug = `held-${++count}`;
  return (await ask('POST', url, { slug, name: slug, permissions })).role.slug;
};

beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  const projectRoles = `/api/v1/projects/${projectId}/roles`;
  held = {
    project: await roleOf(projectRoles, [HELD]),
    organization: await roleOf('/api/v1/organization/roles', [HELD_ABOVE]),
    denying: await roleOf(projectRoles, [DENIED]),
  };
  const caller = async (inProject: Rule[], above: Rule[]) =>
    (await test.identity({ organizationRules: above, projectId, rules: inProject })).call;
  weak = {
    project: await caller(MANAGES_PROJECT, []),
    organization: await caller(MANAGES_PROJECT, MANAGES_ORGANIZATION),
  };
  strong = {
    project: await caller([...MANAGES_PROJECT, HELD], []),
    organization: await caller([...MANAGES_PROJECT, HELD], [...MANAGES_ORGANIZATION, HELD_ABOVE]),
  };
});
afterAll(() => test.close());

const members = () => `/api/v2/organizations/${test.organizationId}/memberships`;
const inProject = () => `/api/v1/projects/${projectId}/memberships`;
const roles = (role: string) => ({ roles: [{ role, isTemporary: false }] });

/** A user with `HELD_ABOVE` in the organization and `HELD` in the project. */
async function person() {
  const user = await makeUser(test.coffer, { organizationId: test.organizationId, role: held.organization });
  const body = { usernames: [user.email], roleSlugs: [held.project] };
  const { memberships } = await ask('POST', inProject(), body);
  const { rows } = await test.coffer.pool.query<{ id: string }>(
    'select id from memberships where organization_id = $1 and user_id = $2 and project_id is null',
    [test.organizationId, user.id],
  );
  return { ...user, membership: rows[0]!.id, ofProject: memberships[0].id as string, call: test.as(user.token) };
}
const machine = () => test.identity({ organizationRules: [HELD_ABOVE], projectId, rules: [HELD] });
const bystander = () => test.identity({ projectId, projectRole: 'no-access' });
async function group(...actors: { id: string }[]) {
  const { id } = await ask('POST', '/api/v1/groups', { name: `group ${++count}`, role: held.organization });
  await ask('POST', `${inProject()}/groups/${id}`, { role: held.project });
  for (const actor of actors) await ask('POST', `/api/v1/groups/${id}/machine-identities/${actor.id}`, {});
  return id as string;
}
async function privilege(...permissions: Rule[]) {
  const { id } = await bystander();
  const give = { projectId, identityId: id, permissions, type: { isTemporary: false } };
  return (await ask('POST', '/api/v2/identity-project-additional-privilege', give)).privilege.id as string;
}
async function customRole() {
  const slug = await roleOf(`/api/v1/projects/${projectId}/roles`, [HELD]);
  const { id } = await test.identity();
  await ask('POST', `${inProject()}/identities/${id}`, { role: slug });
  return (await ask('GET', `/api/v1/projects/${projectId}/roles/slug/${slug}`)).role.id as string;
}

type Call = readonly [method: Parameters<Caller>[0], url: string, body?: object];
/** Each operation that removes rights: the manager, and the call on a new target. */
const TAKING: Record<string, readonly [level: 'organization' | 'project', prepare: () => Promise<Call>]> = {
  'a role in the organization': [
    'organization',
    async () => ['PATCH', `${members()}/${(await person()).membership}`, { role: 'no-access' }],
  ],
  'access to the organization': [
    'organization',
    async () => ['PATCH', `${members()}/${(await person()).membership}`, { isActive: false }],
  ],
  'what rules say of metadata': [
    'organization',
    async () => ['PATCH', `${members()}/${(await person()).membership}`, { metadata: [{ key: 'a', value: 'b' }] }],
  ],
  'the membership of the organization': [
    'organization',
    async () => ['DELETE', `${members()}/${(await person()).membership}`],
  ],
  'several memberships of the organization': [
    'organization',
    async () => ['DELETE', members(), { membershipIds: [(await person()).membership] }],
  ],
  'an identity': ['organization', async () => ['DELETE', `/api/v1/identities/${(await machine()).id}`]],
  'the role of an identity': [
    'organization',
    async () => ['PATCH', `/api/v1/identities/${(await machine()).id}`, { role: 'no-access' }],
  ],
  'a group': ['organization', async () => ['DELETE', `/api/v1/groups/${await group()}`]],
  'the role of a group': [
    'organization',
    async () => ['PATCH', `/api/v1/groups/${await group()}`, { role: 'no-access' }],
  ],
  'membership of a group': [
    'organization',
    async () => {
      const actor = await test.identity();
      return ['DELETE', `/api/v1/groups/${await group(actor)}/machine-identities/${actor.id}`];
    },
  ],
  'roles in a project': [
    'project',
    async () => ['PATCH', `${inProject()}/${(await person()).ofProject}`, roles('no-access')],
  ],
  'roles in a project, by the older path': [
    'project',
    async () => [
      'PATCH',
      `/api/v1/workspace/${projectId}/memberships/${(await person()).ofProject}`,
      roles('no-access'),
    ],
  ],
  'membership of a project': ['project', async () => ['DELETE', `${inProject()}/${(await person()).ofProject}`]],
  'membership of a project, by name': [
    'project',
    async () => ['DELETE', inProject(), { usernames: [(await person()).email] }],
  ],
  'roles of an identity in a project': [
    'project',
    async () => ['PATCH', `${inProject()}/identities/${(await machine()).id}`, roles('no-access')],
  ],
  'membership of an identity in a project': [
    'project',
    async () => ['DELETE', `${inProject()}/identities/${(await machine()).id}`],
  ],
  'roles of a group in a project': [
    'project',
    async () => ['PATCH', `${inProject()}/groups/${await group()}`, roles('no-access')],
  ],
  'membership of a group in a project': ['project', async () => ['DELETE', `${inProject()}/groups/${await group()}`]],
  'what a privilege allows': [
    'project',
    async () => [
      'PATCH',
      `/api/v2/identity-project-additional-privilege/${await privilege(HELD)}`,
      { permissions: [] },
    ],
  ],
  'a privilege': [
    'project',
    async () => ['DELETE', `/api/v2/identity-project-additional-privilege/${await privilege(HELD)}`],
  ],
  'rights, by a privilege that forbids': [
    'project',
    async () => [
      'POST',
      '/api/v2/identity-project-additional-privilege',
      { projectId, identityId: (await machine()).id, permissions: [DENIED], type: { isTemporary: false } },
    ],
  ],
  'what a role allows': [
    'project',
    async () => ['PATCH', `/api/v1/projects/${projectId}/roles/${await customRole()}`, { permissions: [] }],
  ],
  'rights, by a role that comes to forbid': [
    'project',
    async () => {
      const slug = await roleOf(`/api/v1/projects/${projectId}/roles`, []);
      const { id } = (await ask('GET', `/api/v1/projects/${projectId}/roles/slug/${slug}`)).role;
      return ['PATCH', `/api/v1/projects/${projectId}/roles/${id}`, { permissions: [DENIED] }];
    },
  ],
  'rights, by a role that forbids beside the own one': [
    'project',
    async () => {
      const actor = await test.identity();
      await group(actor);
      return ['POST', `${inProject()}/identities/${actor.id}`, { role: held.denying }];
    },
  ],
  'rights, by a group that forbids': [
    'project',
    async () => {
      const { id } = await ask('POST', '/api/v1/groups', { name: `group ${++count}` });
      return ['POST', `${inProject()}/groups/${id}`, { role: held.denying }];
    },
  ],
};

describe.each(Object.entries(TAKING))('taking %s', (_what, [level, prepare]) => {
  it('needs authority over the affected holders', async () => {
    const [method, url, body] = await prepare();
    const refused = await weak[level](method, url, body);
    expect(refused).toMatchObject(BOUNDARY);
    expect(refused.body.message).toMatch(/rights .*that you do not hold/);
    const accepted = await strong[level](method, url, body);
    expect([accepted.status, accepted.status === 200 ? '' : accepted.body]).toEqual([200, '']);
  });
});

describe('authority over another actor', () => {
  it('is checked for each of several: one failure rejects all', async () => {
    const [high, low] = [
      await person(),
      await makeUser(test.coffer, { organizationId: test.organizationId, role: 'no-access' }),
    ];
    await ask('POST', inProject(), { usernames: [low.email], roleSlugs: ['no-access'] });
    const both = { usernames: [low.email, high.email] };
    expect(await weak.project('DELETE', inProject(), both)).toMatchObject(BOUNDARY);
    expect((await strong.project('DELETE', inProject(), both)).status).toBe(200);
  });

  it('covers the rights at the place of the change, including those by groups', async () => {
    const { ofProject } = await person();
    // Rights in the organization do not count in the project.
    expect((await strong.project('PATCH', `${inProject()}/${ofProject}`, roles('no-access'))).status).toBe(200);
    const actor = await test.identity({ projectId, projectRole: 'no-access' });
    await group(actor);
    expect(await weak.project('DELETE', `${inProject()}/identities/${actor.id}`)).toMatchObject(BOUNDARY);
  });

  it('covers projects if leaving the organization ends rights there', async () => {
    const { membership } = await person();
    const { call } = await test.identity({ organizationRules: [...MANAGES_ORGANIZATION, HELD_ABOVE] });
    expect(await call('DELETE', `${members()}/${membership}`)).toMatchObject(BOUNDARY);
    expect((await call('PATCH', `${members()}/${membership}`, { role: 'no-access' })).status).toBe(200);
  });

  it('is not needed for oneself: to leave, and to have fewer rights', async () => {
    const one = await person();
    expect((await one.call('DELETE', `/api/v1/workspace/${projectId}/leave`)).status).toBe(200);
    expect((await one.call('DELETE', `${members()}/${one.membership}`)).status).toBe(200);
    const own = await test.identity({ projectId, rules: [HELD, { subject: 'identity', action: ['read', 'edit'] }] });
    expect((await own.call('PATCH', `${inProject()}/identities/${own.id}`, roles('no-access'))).status).toBe(200);
  });

  it('is not needed for changes that remove nothing: the same name, the same state, a role for an actor without any', async () => {
    const target = await person();
    const unchanged = await weak.organization('PATCH', `${members()}/${target.membership}`, { isActive: true });
    expect(unchanged.status).toBe(200);
    const id = await group();
    const { name } = (await test.admin('GET', `/api/v1/groups/${id}`)).body;
    expect((await weak.organization('PATCH', `/api/v1/groups/${id}`, { name })).status).toBe(200);
    const { id: other } = await bystander();
    const permissions = managing('role');
    const give = { projectId, identityId: other, permissions, type: { isTemporary: false } };
    expect((await weak.project('POST', '/api/v2/identity-project-additional-privilege', give)).status).toBe(200);
  });
});
