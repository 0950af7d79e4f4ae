import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

const BOUNDARY = { status: 403, body: { error: 'PermissionBoundaryError' } };
const CRUD = ['read', 'create', 'edit', 'delete'];

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

describe('attack: taking power by taking it from others', () => {
  it('a manager of members cannot demote, shut out or remove an administrator of the organization', async () => {
    const chief = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
    await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
    const manager = await test.identity({ organizationRules: [{ subject: 'member', action: CRUD }] });
    const url = `/api/v2/organizations/${test.organizationId}/memberships`;
    const { users } = (await manager.call('GET', url)).body;
    const { id } = users.find(({ user }: { user: { id: string } }) => user.id === chief.id);
    for (const body of [
      { role: 'no-access' },
      { role: 'member' },
      { isActive: false },
      { role: 'member', isActive: true },
    ])
      expect(await manager.call('PATCH', `${url}/${id}`, body)).toMatchObject(BOUNDARY);
    expect(await manager.call('DELETE', `${url}/${id}`)).toMatchObject(BOUNDARY);
    expect(await manager.call('DELETE', url, { membershipIds: [id] })).toMatchObject(BOUNDARY);
    expect((await test.as(chief.token)('GET', url)).status).toBe(200);
  });

  it('an editor of members cannot change anything of their privileges, also not the slugs by which others delete them', async () => {
    const project = await test.project();
    const chief = await test.identity({ projectId: project.id, projectRole: 'admin' });
    const person = await makeUser(test.coffer, { organizationId: test.organizationId });
    const add = { usernames: [person.email], emails: [], roleSlugs: ['admin'] };
    const { memberships } = (await test.admin('POST', `/api/v1/projects/${project.id}/memberships`, add)).body;
    const rules = ['member', 'identity'].map((subject) => ({ subject, action: CRUD }));
    const { call: editor } = await test.identity({ projectId: project.id, rules });
    const permissions = [{ subject: 'secrets', action: ['readValue'] }];
    const give = { slug: 'keep', permissions, type: { isTemporary: false } };
    const [ofMachines, ofUsers] = ['identity', 'user'].map((kind) => `/api/v1/${kind}-project-additional-privilege`);
    const machines = ofMachines!.replace('v1', 'v2');
    const of = { identityId: chief.id, projectId: project.id };
    const own = (await test.admin('POST', machines, { ...give, ...of })).body.privilege;
    const user = { ...give, projectMembershipId: memberships[0].id };
    const owns = (await test.admin('POST', ofUsers!, user)).body.privilege;
    const legacy = { identityId: chief.id, projectSlug: project.slug, privilegeSlug: 'keep' };
    for (const changes of [{ slug: 'drop' }, {}]) {
      expect(await editor('PATCH', `${machines}/${own.id}`, changes)).toMatchObject(BOUNDARY);
      expect(await editor('PATCH', `${ofUsers}/${owns.id}`, changes)).toMatchObject(BOUNDARY);
      expect(
        await editor('PATCH', '/api/v1/additional-privilege/identity', { ...legacy, privilegeDetails: changes }),
      ).toMatchObject(BOUNDARY);
    }
    const given = () =>
      test.coffer.pool.query('select rules_given_at from additional_privileges where id = $1', [own.id]);
    const { rows } = await given();
    expect((await test.admin('PATCH', `${machines}/${own.id}`, { slug: 'drop' })).body.privilege.slug).toBe('drop');
    // Another slug alone gives nothing: the rules count as given when they were.
    expect((await given()).rows).toEqual(rows);
    const other = [{ subject: 'secrets', action: ['edit'] }];
    expect((await test.admin('PATCH', `${machines}/${own.id}`, { permissions: other })).status).toBe(200);
    expect((await given()).rows).not.toEqual(rows);
  });

  it('a manager of a project cannot lower its administrators, not by roles, denials, groups or older paths', async () => {
    const project = await test.project();
    const chief = await test.identity({ projectId: project.id, projectRole: 'admin' });
    const subjects = ['member', 'identity', 'groups', 'role'];
    const rules = subjects.map((subject) => ({ subject, action: CRUD }));
    const manager = await test.identity({
      projectId: project.id,
      rules,
      organizationRules: [{ subject: 'groups', action: [...CRUD, 'add-identities'] }],
    });
    const lower = { roles: [{ role: 'viewer', isTemporary: false }] };
    const membership = `/api/v1/projects/${project.id}/memberships/identities/${chief.id}`;
    expect(await manager.call('PATCH', membership, lower)).toMatchObject(BOUNDARY);
    expect(await manager.call('DELETE', membership)).toMatchObject(BOUNDARY);
    const older = `/api/v2/workspace/${project.id}/identity-memberships/${chief.id}`;
    expect(await manager.call('PATCH', older, lower)).toMatchObject(BOUNDARY);
    expect(await manager.call('DELETE', older)).toMatchObject(BOUNDARY);
    const denial = [{ subject: 'secrets', action: ['readValue', 'edit'], inverted: true }];
    const give = { projectId: project.id, identityId: chief.id, permissions: denial, type: { isTemporary: false } };
    expect(await manager.call('POST', '/api/v2/identity-project-additional-privilege', give)).toMatchObject(BOUNDARY);
    // A custom role that forbids, first on a group, to which the administrator is then added.
    const role = { slug: 'mute', name: 'Mute', permissions: denial };
    expect((await manager.call('POST', `/api/v1/projects/${project.id}/roles`, role)).status).toBe(200);
    const group = (await test.admin('POST', '/api/v1/groups', { name: 'Everybody' })).body;
    const inProject = `/api/v1/projects/${project.id}/memberships/groups/${group.id}`;
    expect(await manager.call('POST', inProject, { role: 'mute' })).toMatchObject(BOUNDARY);
    expect((await test.admin('POST', inProject, { role: 'mute' })).status).toBe(200);
    const join = `/api/v1/groups/${group.id}/machine-identities/${chief.id}`;
    expect(await manager.call('POST', join, {})).toMatchObject(BOUNDARY);
    expect((await chief.call('GET', `/api/v1/projects/${project.id}/memberships`)).status).toBe(200);
  });
});
