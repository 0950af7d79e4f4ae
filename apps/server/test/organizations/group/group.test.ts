import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  GROUP_ACTIONS,
  Groups,
  groupUrl,
  identityUrl,
  ok,
  same,
  statuses,
  userUrl,
  type Method,
} from '../../harness/groups.ts';
import { testServer, type Caller, type TestServer } from '../../harness/test-server.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const groups = new Groups(() => test);

/** Every operation on a group with these two members, with the permission that it needs. */
const operations = (
  group: { id: string },
  user: { username: string },
  identity: { id: string },
): [Method, string, string, object?][] => [
  ['GET', groupUrl(group), 'read'],
  ['GET', groupUrl(group, '/users'), 'read'],
  ['GET', groupUrl(group, '/machine-identities'), 'read'],
  ['GET', groupUrl(group, '/members'), 'read'],
  ['GET', groupUrl(group, '/projects'), 'read'],
  ['PATCH', groupUrl(group), 'edit', { name: groups.unique('Renamed') }],
  ['POST', userUrl(group, user), 'add-members'],
  ['DELETE', userUrl(group, user), 'remove-members'],
  ['POST', identityUrl(group, identity), 'add-identities'],
  ['DELETE', identityUrl(group, identity), 'remove-identities'],
  ['DELETE', groupUrl(group), 'delete'],
];

describe('a group', () => {
  it('is created, read, listed, updated and deleted, always unwrapped', async () => {
    const name = groups.unique('On call');
    const { id: roleId, slug: roleSlug } = await groups.organizationRole({ subject: 'groups', action: 'read' });
    const group = await ok(test.admin('POST', '/api/v1/groups', { name, slug: 'on-call-team', role: roleSlug }));
    expect(group).toEqual({
      id: expect.any(String),
      orgId: test.organizationId,
      name,
      slug: 'on-call-team',
      role: 'custom',
      roleId,
      createdAt: INSTANT,
      updatedAt: INSTANT,
    });
    expect(await ok(test.admin('GET', groupUrl(group)))).toEqual({ ...group, customRoleSlug: roleSlug });
    expect(await ok(test.admin('GET', '/api/v1/groups'))).toContainEqual(group);
    const listed = await ok(test.admin('GET', `/api/v1/organization/${test.organizationId}/groups`));
    expect(listed.groups).toContainEqual({
      ...group,
      customRole: {
        id: roleId,
        name: 'Custom',
        slug: roleSlug,
        description: null,
        permissions: [{ subject: 'groups', action: ['read'] }],
      },
    });
    test.advance(1000);
    const changed = await ok(test.admin('PATCH', groupUrl(group), { name: `${name}!`, role: 'member' }));
    expect(changed).toEqual({ ...group, name: `${name}!`, role: 'member', roleId: null, updatedAt: INSTANT });
    expect(changed.updatedAt > group.updatedAt).toBe(true);
    expect(await ok(test.admin('GET', groupUrl(group)))).toEqual({ ...changed, customRoleSlug: null });
    expect((await ok(test.admin('PATCH', groupUrl(group), { slug: 'on-call-night' }))).slug).toBe('on-call-night');
    expect(await ok(test.admin('DELETE', groupUrl(group)))).toMatchObject({ id: group.id, slug: 'on-call-night' });
    expect((await test.admin('GET', groupUrl(group))).status).toBe(404);
    expect((await ok(test.admin('GET', '/api/v1/groups'))).map(({ id }: { id: string }) => id)).not.toContain(group.id);
  });

  it('has no access and a slug of its name by default', async () => {
    const group = await ok(test.admin('POST', '/api/v1/groups', { name: '  Équipe d’Été  ' }));
    expect(group).toMatchObject({ name: 'Équipe d’Été', role: 'no-access', roleId: null });
    expect(group.slug).toMatch(/^equipe-d-ete-[0-9a-z]{8}$/);
    const long = await ok(test.admin('POST', '/api/v1/groups', { name: 'x'.repeat(50) }));
    expect(long.slug).toMatch(/^x{27}-[0-9a-z]{8}$/);
    expect((await ok(test.admin('POST', '/api/v1/groups', { name: '组' }))).slug).toMatch(/^[0-9a-z]{8}$/);
  });

  it('is found by its slug wherever its id is taken', async () => {
    const group = await groups.make({ slug: groups.unique('by slug').replaceAll(' ', '-') });
    const bySlug = { id: group.slug };
    const [ann, machine] = [await groups.person(), await test.identity()];
    expect(await ok(test.admin('GET', groupUrl(bySlug)))).toMatchObject({ id: group.id });
    await groups.putIn(bySlug, ann);
    await groups.putIn(bySlug, machine);
    for (const rest of ['/users', '/machine-identities', '/members', '/projects'])
      expect((await ok(test.admin('GET', groupUrl(bySlug, rest)))).totalCount).toBeGreaterThanOrEqual(0);
    await groups.takeOut(bySlug, ann);
    await groups.takeOut(bySlug, machine);
    expect((await ok(test.admin('PATCH', groupUrl(bySlug), { name: groups.unique('New') }))).id).toBe(group.id);
    expect((await ok(test.admin('DELETE', groupUrl(bySlug)))).id).toBe(group.id);
  });

  it('has a name and a slug that no other has, and limits to both', async () => {
    const [one, other] = [await groups.make({ name: 'Taken', slug: 'taken' }), await groups.make()];
    const [nameTaken, slugTaken] = ['name', 'slug'].map((what) => ({
      status: 400,
      body: { message: `A group with this ${what} already exists in the organization` },
    }));
    expect(await test.admin('POST', '/api/v1/groups', { name: 'Taken' })).toMatchObject(nameTaken!);
    expect(await test.admin('POST', '/api/v1/groups', { name: 'x', slug: 'taken' })).toMatchObject(slugTaken!);
    expect(await test.admin('PATCH', groupUrl(other), { name: 'Taken' })).toMatchObject(nameTaken!);
    expect(await test.admin('PATCH', groupUrl(other), { slug: 'taken' })).toMatchObject(slugTaken!);
    expect((await test.admin('PATCH', groupUrl(one), { name: 'Taken', slug: 'taken' })).status).toBe(200);
    const foreign = await test.foreign();
    expect((await foreign.call('POST', '/api/v1/groups', { name: 'Taken', slug: 'taken' })).status).toBe(200);
    const race = await Promise.all(
      Array.from({ length: 4 }, () => test.admin('POST', '/api/v1/groups', { name: 'Raced' })),
    );
    expect(statuses(race)).toBe('200,400,400,400');
    const wrong = [
      { name: '' },
      { name: 'x'.repeat(51) },
      { name: 'a\0b' },
      { name: 'a', slug: 'four' },
      { name: 'a', slug: 'x'.repeat(37) },
      { name: 'a', slug: 'not a slug' },
      { name: 'a', slug: NOWHERE },
      { name: 'a', role: '' },
    ];
    for (const body of wrong) {
      expect([body, (await test.admin('POST', '/api/v1/groups', body)).status]).toEqual([body, 422]);
      expect([body, (await test.admin('PATCH', groupUrl(one), body)).status]).toEqual([body, 422]);
    }
    expect((await test.admin('POST', '/api/v1/groups', {})).status).toBe(422);
    expect((await test.admin('POST', '/api/v1/groups', { name: 'a', role: 'no-such-role' })).status).toBe(404);
    expect((await test.admin('PATCH', groupUrl(one), { role: 'no-such-role' })).status).toBe(404);
  });

  it('needs a valid token', async () => {
    const [group, ann, machine] = [await groups.make(), await groups.person(), await test.identity()];
    const callers = [test.as(), ...(await groups.ended())];
    for (const [method, path, , body] of [
      ...operations(group, ann, machine),
      ['GET', '/api/v1/groups'] as const,
      ['POST', '/api/v1/groups', '', { name: 'x' }] as const,
      ['GET', `/api/v1/organization/${test.organizationId}/groups`] as const,
      ['GET', `/api/v1/user/me/${ann.username}/groups`] as const,
    ]) {
      for (const call of callers)
        expect([method, path, (await call(method, path, body)).status]).toEqual([method, path, 401]);
    }
  });

  it('needs the specific permission for each operation', async () => {
    const [ann, machine] = [await groups.person(), await test.identity()];
    const callers = new Map<string, Caller>();
    for (const action of GROUP_ACTIONS)
      callers.set(action, (await groups.holder({ subject: 'groups', action: [action] })).call);
    const group = await groups.make();
    for (const [method, path, needs, body] of operations(group, ann, machine)) {
      for (const [action, call] of callers) {
        if (action === needs) continue;
        expect([method, path, action, (await call(method, path, body)).status]).toEqual([method, path, action, 403]);
      }
      expect([method, path, (await callers.get(needs)!(method, path, body)).status]).toEqual([method, path, 200]);
    }
    for (const [action, call] of callers) {
      expect((await call('GET', '/api/v1/groups')).status).toBe(action === 'read' ? 200 : 403);
      expect((await call('POST', '/api/v1/groups', { name: groups.unique('x') })).status).toBe(
        action === 'create' ? 200 : 403,
      );
    }
  });

  it('of another organization is unknown, and so are invalid IDs', async () => {
    const [group, ann, machine] = [await groups.make(), await groups.person(), await test.identity()];
    await groups.putIn(group, ann);
    await groups.putIn(group, machine);
    const foreign = await test.foreign();
    const stranger = await makeUser(test.coffer, { organizationId: foreign.organizationId, role: 'admin' });
    for (const unknown of [NOWHERE, 'nothing', "'"]) {
      const theirs = operations(group, ann, machine);
      const unknowns = operations({ id: unknown }, ann, machine);
      for (const [index, [method, path, , body]] of theirs.entries())
        await same(foreign.call, method, path, unknowns[index]![1], body);
    }
    await same(
      foreign.call,
      'GET',
      `/api/v1/organization/${test.organizationId}/groups`,
      `/api/v1/organization/${NOWHERE}/groups`,
    );
    const nobody = { username: 'nobody@example.com' };
    for (const method of ['POST', 'DELETE'] as const) {
      await same(test.admin, method, userUrl(group, { username: stranger.email }), userUrl(group, nobody));
      for (const id of [NOWHERE, 'nothing'])
        await same(test.admin, method, identityUrl(group, foreign.identity), identityUrl(group, { id }));
    }
    expect((await ok(test.admin('GET', groupUrl(group, '/members')))).totalCount).toBe(2);
  });

  it('is recorded in the audit log', async () => {
    const [ann, machine] = [await groups.person(), await test.identity()];
    const group = await ok(test.admin('POST', '/api/v1/groups', { name: 'Audited', slug: 'audited' }));
    await groups.putIn(group, ann);
    await groups.putIn(group, machine);
    await ok(test.admin('PATCH', groupUrl(group), { role: 'member' }));
    await groups.takeOut(group, ann);
    await groups.takeOut(group, machine);
    await ok(test.admin('DELETE', groupUrl(group)));
    const { rows } = await test.coffer.pool.query<{ published: string; data: unknown }>(
      `select published, data from audit_events where data ->> 'groupId' = $1 order by created_at, id`,
      [group.id],
    );
    const about = { groupId: group.id, name: 'Audited', slug: 'audited' };
    expect(rows).toEqual([
      { published: 'create-group', data: { ...about, role: 'no-access' } },
      { published: 'add-group-user', data: { ...about, userId: ann.id } },
      { published: 'add-group-machine-identity', data: { ...about, identityId: machine.id } },
      { published: 'update-group', data: { ...about, changed: ['role'], role: 'member' } },
      { published: 'remove-group-user', data: { ...about, userId: ann.id } },
      { published: 'remove-group-machine-identity', data: { ...about, identityId: machine.id } },
      { published: 'delete-group', data: about },
    ]);
  });

  it('is deleted with its organization', async () => {
    const foreign = await test.foreign();
    const group = await ok(foreign.call('POST', '/api/v1/groups', { name: 'Doomed', role: 'admin' }));
    await ok(foreign.call('POST', identityUrl(group, foreign.identity)));
    const user = await makeUser(test.coffer, { organizationId: foreign.organizationId });
    expect((await test.as(user.token)('DELETE', `/api/v2/organizations/${foreign.organizationId}`)).status).toBe(403);
    await ok(foreign.call('POST', userUrl(group, { username: user.email })));
    await ok(test.as(user.token)('DELETE', `/api/v2/organizations/${foreign.organizationId}`));
    const left = await test.coffer.pool.query('select 1 from groups where organization_id = $1', [
      foreign.organizationId,
    ]);
    expect(left.rowCount).toBe(0);
  });
});

describe('who is in a group', () => {
  it('is added and removed, people by their user names and machine identities by their ids', async () => {
    const [group, ann, machine] = [await groups.make(), await groups.person(), await test.identity()];
    const user = { id: ann.id, email: ann.email, username: ann.username, firstName: 'Ann', lastName: 'Lee' };
    const identity = { id: machine.id, name: 'machine' };
    expect(await groups.putIn(group, { id: ann.id, username: ann.username.toUpperCase() })).toEqual(user);
    expect(await groups.putIn(group, machine)).toEqual(identity);
    const again = { status: 400, body: { message: 'This actor is already in the group' } };
    expect(await test.admin('POST', userUrl(group, ann))).toMatchObject(again);
    expect(await test.admin('POST', identityUrl(group, machine))).toMatchObject(again);
    expect((await ok(test.admin('GET', groupUrl(group, '/users?filter=existingMembers')))).users).toEqual([
      { ...user, isPartOfGroup: true, joinedGroupAt: INSTANT },
    ]);
    expect(
      (await ok(test.admin('GET', groupUrl(group, '/machine-identities?filter=assignedMachineIdentities'))))
        .machineIdentities,
    ).toEqual([{ ...identity, isPartOfGroup: true, joinedGroupAt: INSTANT }]);
    const { members, totalCount } = await ok(test.admin('GET', groupUrl(group, '/members')));
    expect(totalCount).toBe(2);
    expect(members).toContainEqual({ id: ann.id, joinedGroupAt: INSTANT, type: 'user', user });
    expect(members).toContainEqual({
      id: machine.id,
      joinedGroupAt: INSTANT,
      type: 'machineIdentity',
      machineIdentity: identity,
    });
    expect(await groups.takeOut(group, ann)).toEqual(user);
    expect(await groups.takeOut(group, machine)).toEqual(identity);
    expect((await test.admin('DELETE', userUrl(group, ann))).status).toBe(404);
    expect((await test.admin('DELETE', identityUrl(group, machine))).status).toBe(404);
    expect(await ok(test.admin('GET', groupUrl(group, '/members')))).toEqual({ members: [], totalCount: 0 });
  });

  it('is added once, for any number of attempts', async () => {
    const [group, ann] = [await groups.make(), await groups.person()];
    const race = await Promise.all(Array.from({ length: 5 }, () => test.admin('POST', userUrl(group, ann))));
    expect(statuses(race)).toBe('200,400,400,400,400');
  });

  it('is listed in pages, with non-members, and found by a part of the name', async () => {
    const foreign = await test.foreign();
    const users: { id: string; username: string }[] = [];
    for (const name of ['ada', 'bea', 'cyd', 'dot%']) {
      const email = `${name}-${foreign.organizationId}@example.com`;
      const { id } = await makeUser(test.coffer, { organizationId: foreign.organizationId, email });
      users.push({ id, username: email });
    }
    const { call } = foreign;
    const group = await ok(call('POST', '/api/v1/groups', { name: 'Paged' }));
    for (const one of [users[0]!, users[2]!]) await ok(call('POST', userUrl(group, one)));
    const names = async (query: string) => {
      const { users: found, totalCount } = await ok(call('GET', groupUrl(group, `/users?${query}`)));
      const shown = found.map(
        ({ username, isPartOfGroup }: { username: string; isPartOfGroup: boolean }) =>
          `${isPartOfGroup ? '+' : '-'}${username.split('-')[0]}`,
      );
      return [totalCount, ...shown];
    };
    expect(await names('')).toEqual([4, '+ada', '-bea', '+cyd', '-dot%']);
    expect(await names('limit=2&offset=1')).toEqual([4, '-bea', '+cyd']);
    expect(await names('offset=9')).toEqual([4]);
    expect(await names('filter=existingMembers')).toEqual([2, '+ada', '+cyd']);
    expect(await names('filter=nonMembers')).toEqual([2, '-bea', '-dot%']);
    expect(await names('search=BEA')).toEqual([1, '-bea']);
    expect(await names('search=ann%20lee')).toEqual([4, '+ada', '-bea', '+cyd', '-dot%']);
    expect(await names('username=%25')).toEqual([1, '-dot%']);
    expect(await names('username=ann%20lee')).toEqual([0]);
    const { identity } = foreign;
    await ok(call('POST', identityUrl(group, identity)));
    const one = await ok(call('POST', '/api/v1/identities', { name: 'beta', organizationId: foreign.organizationId }));
    const machines = async (query: string) => {
      const { machineIdentities, totalCount } = await ok(call('GET', groupUrl(group, `/machine-identities?${query}`)));
      return [totalCount, ...machineIdentities.map(({ name }: { name: string }) => name)];
    };
    expect(one.identity.name).toBe('beta');
    expect(await machines('')).toEqual([2, 'beta', 'machine']);
    expect(await machines('filter=assignedMachineIdentities')).toEqual([1, 'machine']);
    expect(await machines('filter=nonAssignedMachineIdentities')).toEqual([1, 'beta']);
    expect(await machines('search=ET')).toEqual([1, 'beta']);
    const members = async (query: string) => {
      const found = await ok(call('GET', groupUrl(group, `/members?${query}`)));
      return [found.totalCount, ...found.members.map(({ type }: { type: string }) => type)];
    };
    expect(await members('')).toEqual([3, 'user', 'user', 'machineIdentity']);
    expect(await members('orderBy=name&orderDirection=desc')).toEqual([3, 'machineIdentity', 'user', 'user']);
    expect(await members('memberTypeFilter=users&limit=1')).toEqual([2, 'user']);
    expect(await members('memberTypeFilter=machineIdentities')).toEqual([1, 'machineIdentity']);
    expect(await members('memberTypeFilter=machineIdentities&memberTypeFilter=users')).toHaveLength(4);
    expect(await members('search=ada-')).toEqual([1, 'user']);
    for (const wrong of [
      '/users?limit=0',
      '/users?limit=101',
      '/users?offset=-1',
      '/users?filter=all',
      '/machine-identities?filter=existingMembers',
      '/members?memberTypeFilter=groups',
      '/members?orderBy=id',
      '/projects?orderDirection=up',
    ])
      expect([wrong, (await call('GET', groupUrl(group, wrong))).status]).toEqual([wrong, 422]);
  });

  it("is all that callers without permission on the organization's users see", async () => {
    const [group, ann, machine] = [await groups.make(), await groups.person(), await test.identity()];
    await groups.putIn(group, ann);
    await groups.putIn(group, machine);
    const { call } = await groups.holder({ subject: 'groups', action: ['read'] });
    expect(await ok(call('GET', groupUrl(group, '/users')))).toMatchObject({ totalCount: 1, users: [{ id: ann.id }] });
    expect(await ok(call('GET', groupUrl(group, '/machine-identities')))).toMatchObject({
      totalCount: 1,
      machineIdentities: [{ id: machine.id }],
    });
    expect((await call('GET', groupUrl(group, '/users?filter=nonMembers'))).status).toBe(403);
    expect((await call('GET', groupUrl(group, '/machine-identities?filter=nonAssignedMachineIdentities'))).status).toBe(
      403,
    );
    const [project] = [await test.project()];
    await groups.letInto(project, group, { role: 'no-access' });
    expect(await ok(call('GET', groupUrl(group, '/projects')))).toMatchObject({
      totalCount: 1,
      projects: [{ id: project.id }],
    });
    expect(await ok(call('GET', groupUrl(group, '/projects?filter=unassignedProjects')))).toEqual({
      totalCount: 0,
      projects: [],
    });
  });

  it('may see its own groups, and others with the permission', async () => {
    const [group, ann, ben] = [await groups.make(), await groups.person(), await groups.person()];
    await groups.putIn(group, ann);
    const mine = [{ id: group.id, orgId: test.organizationId, name: expect.any(String), slug: group.slug }];
    const path = `/api/v1/user/me/${ann.username}/groups`;
    expect(await ok(ann.call('GET', path))).toEqual(mine);
    expect(await ok(test.admin('GET', path))).toEqual(mine);
    expect((await ben.call('GET', path)).status).toBe(403);
    const foreign = await test.foreign();
    await same(foreign.call, 'GET', path, '/api/v1/user/me/nobody@example.com/groups');
  });

  it('is removed with its membership of the organization', async () => {
    const [group, ann, ben, machine] = [
      await groups.make(),
      await groups.person(),
      await groups.person(),
      await test.identity(),
    ];
    for (const one of [ann, ben, machine]) await groups.putIn(group, one);
    const { users } = await ok(test.admin('GET', `/api/v2/organizations/${test.organizationId}/memberships`));
    const { id } = users.find(({ userId }: { userId: string }) => userId === ann.id);
    await ok(test.admin('DELETE', `/api/v2/organizations/${test.organizationId}/memberships/${id}`));
    await ok(test.admin('DELETE', `/api/v1/identities/${machine.id}`));
    expect(await ok(test.admin('GET', groupUrl(group, '/members')))).toMatchObject({
      totalCount: 1,
      members: [{ id: ben.id }],
    });
  });
});

describe('the projects of a group', () => {
  it('are listed with those that it could be added to', async () => {
    const [group, one, other] = [await groups.make(), await test.project(), await test.project()];
    await groups.letInto(one, group, { role: 'viewer' });
    const assigned = await ok(test.admin('GET', groupUrl(group, '/projects?filter=assignedProjects')));
    expect(assigned).toEqual({
      totalCount: 1,
      projects: [
        {
          id: one.id,
          name: one.slug,
          slug: one.slug,
          description: null,
          type: 'secret-manager',
          joinedGroupAt: INSTANT,
        },
      ],
    });
    const rest = await ok(
      test.admin('GET', groupUrl(group, `/projects?filter=unassignedProjects&search=${other.slug}`)),
    );
    expect(rest).toMatchObject({ totalCount: 1, projects: [{ id: other.id, joinedGroupAt: null }] });
    const all = await ok(test.admin('GET', groupUrl(group, '/projects?orderBy=name&orderDirection=desc&limit=1')));
    expect(all.totalCount).toBeGreaterThanOrEqual(2);
    expect(all.projects).toHaveLength(1);
  });
});

describe('the rights of a group', () => {
  it('apply to its members immediately, and no longer than they are members', async () => {
    const group = await groups.make({ role: 'member' });
    const [ann, machine] = [await groups.person(), await test.identity()];
    const status = async () => [
      (await ann.call('GET', '/api/v1/groups')).status,
      (await machine.call('GET', '/api/v1/groups')).status,
    ];
    expect(await status()).toEqual([403, 403]);
    await groups.putIn(group, ann);
    expect(await status()).toEqual([200, 403]);
    await groups.putIn(group, machine);
    expect(await status()).toEqual([200, 200]);
    await ok(test.admin('PATCH', groupUrl(group), { role: 'no-access' }));
    expect(await status()).toEqual([403, 403]);
    await ok(test.admin('PATCH', groupUrl(group), { role: 'member' }));
    expect(await status()).toEqual([200, 200]);
    await groups.takeOut(group, ann);
    expect(await status()).toEqual([403, 200]);
    await groups.takeOut(group, machine);
    expect(await status()).toEqual([403, 403]);
    for (const one of [ann, machine]) await groups.putIn(group, one);
    expect(await status()).toEqual([200, 200]);
    await ok(test.admin('DELETE', groupUrl(group)));
    expect(await status()).toEqual([403, 403]);
  });

  it('rest while a member is deactivated', async () => {
    const [group, ann] = [await groups.make({ role: 'member' }), await groups.person()];
    await groups.putIn(group, ann);
    const { users } = await ok(test.admin('GET', `/api/v2/organizations/${test.organizationId}/memberships`));
    const { id } = users.find(({ userId }: { userId: string }) => userId === ann.id);
    const membership = `/api/v2/organizations/${test.organizationId}/memberships/${id}`;
    expect((await ann.call('GET', '/api/v1/groups')).status).toBe(200);
    await ok(test.admin('PATCH', membership, { isActive: false }));
    expect((await ann.call('GET', '/api/v1/groups')).status).toBe(403);
    await ok(test.admin('PATCH', membership, { isActive: true }));
    expect((await ann.call('GET', '/api/v1/groups')).status).toBe(200);
  });

  it('end with the member, and with changes of its custom role', async () => {
    const role = await groups.organizationRole({ subject: 'groups', action: 'read' });
    const [group, machine] = [await groups.make({ role: role.slug }), await test.identity()];
    await groups.putIn(group, machine);
    expect((await machine.call('GET', '/api/v1/groups')).status).toBe(200);
    await ok(test.admin('PATCH', `/api/v1/organization/roles/${role.id}`, { permissions: [] }));
    expect((await machine.call('GET', '/api/v1/groups')).status).toBe(403);
    expect((await test.admin('DELETE', `/api/v1/organization/roles/${role.id}`)).status).toBe(400);
    await ok(test.admin('DELETE', `/api/v1/identities/${machine.id}`));
    expect((await machine.call('GET', '/api/v1/groups')).status).toBe(401);
  });
});
