import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const password = 'correct horse battery';
let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

interface Listed {
  id: string;
  userId: string;
  role: string;
}

const path = (id = '') => `/api/v2/organizations/${test.organizationId}/memberships${id && `/${id}`}`;
const list = async (): Promise<Listed[]> => (await test.admin('GET', path())).body.users;
const join = async (role = 'member') => {
  const user = await makeUser(test.coffer, { organizationId: test.organizationId, role });
  const membership = (await list()).find(({ userId }) => userId === user.id)!;
  return { ...user, membershipId: membership.id, call: test.as(user.token) };
};
/** An organization whose people all administer it. */
const ruledBy = async (count: number) => {
  const { organizationId, call } = await test.foreign();
  const admins = await Promise.all(
    Array.from({ length: count }, () => makeUser(test.coffer, { organizationId, role: 'admin', password })),
  );
  const { users } = (await call('GET', `/api/v2/organizations/${organizationId}/memberships`)).body as {
    users: Listed[];
  };
  return {
    call,
    path: (id = '') => `/api/v2/organizations/${organizationId}/memberships${id && `/${id}`}`,
    admins: admins.map((admin) => ({
      ...admin,
      call: test.as(admin.token),
      membershipId: users.find(({ userId }) => userId === admin.id)!.id,
    })),
    left: async () => {
      const answer = await call('GET', `/api/v2/organizations/${organizationId}/memberships`);
      return (answer.body.users as (Listed & { isActive: boolean })[]).filter(
        ({ role, isActive }) => role === 'admin' && isActive,
      ).length;
    },
  };
};
const sorted = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

describe('the people of an organization', () => {
  it('are listed in the published shape, without machine identities', async () => {
    const { id, email, membershipId } = await join();
    const { body } = await test.admin('GET', path());
    expect(body.users).toContainEqual({
      id: membershipId,
      orgId: test.organizationId,
      userId: id,
      role: 'member',
      roleId: null,
      status: 'accepted',
      inviteEmail: null,
      isActive: true,
      projectFavorites: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      user: { id, username: email, email, firstName: 'Ann', lastName: 'Lee', publicKey: null, isEmailVerified: false },
    });
    expect(body.users.map(({ userId }: Listed) => userId)).not.toContain(null);
    expect((await test.admin('GET', `/api/v1/organization/${test.organizationId}/users`)).body).toEqual(body);
  });

  it('are returned individually, with their metadata', async () => {
    const { id, membershipId } = await join();
    const { body } = await test.admin('GET', path(membershipId));
    expect(body.membership).toMatchObject({ id: membershipId, userId: id, metadata: [], user: { id } });
  });

  it('are returned with their projects', async () => {
    const { id, membershipId } = await join();
    const project = await test.project();
    await test.coffer.pool.query(
      `with m as (insert into memberships (id, organization_id, project_id, user_id) values (gen_random_uuid(), $1, $2, $3) returning id)
       insert into membership_roles (id, organization_id, membership_id, role) select gen_random_uuid(), $1, id, 'viewer' from m`,
      [test.organizationId, project.id, id],
    );
    const { body } = await test.admin('GET', `${path(membershipId)}/project-memberships`);
    expect(body.memberships).toEqual([
      {
        id: expect.any(String),
        userId: id,
        projectId: project.id,
        createdAt: expect.stringMatching(/Z$/),
        user: expect.objectContaining({ id }),
        project: { id: project.id, name: project.slug, slug: project.slug, type: 'secret-manager' },
        roles: [expect.objectContaining({ role: 'viewer', isTemporary: false, customRoleId: null })],
      },
    ]);
    expect((await test.admin('GET', path(body.memberships[0].id))).status).toBe(404);
  });

  it('are returned to callers who may read members, and to no other organization', async () => {
    const { call, membershipId } = await join('no-access');
    const foreign = await test.foreign();
    for (const at of [path(), path(membershipId), `${path(membershipId)}/project-memberships`]) {
      expect((await call('GET', at)).status).toBe(403);
      expect((await foreign.call('GET', at)).status).toBe(404);
      expect((await test.as()('GET', at)).status).toBe(401);
    }
    const here = `/api/v2/organizations/${foreign.organizationId}/memberships`;
    const unknown = await foreign.call('GET', `${here}/${UNKNOWN}`);
    for (const id of [membershipId, 'no-uuid']) {
      const answer = await foreign.call('GET', `${here}/${id}`);
      expect({ ...answer.body, reqId: '' }).toEqual({ ...unknown.body, reqId: '' });
    }
  });
});

describe('changing a member', () => {
  it('changes the role, which applies immediately', async () => {
    const { call, membershipId } = await join('no-access');
    expect((await call('GET', path())).status).toBe(403);
    const { status, body } = await test.admin('PATCH', path(membershipId), {
      role: 'member',
      metadata: [{ key: 'team', value: 'a' }],
    });
    expect({ status, role: body.membership.role }).toEqual({ status: 200, role: 'member' });
    expect((await call('GET', path())).status).toBe(200);
    expect((await test.admin('GET', path(membershipId))).body.membership.metadata).toEqual([
      { key: 'team', value: 'a' },
    ]);
    await test.admin('PATCH', path(membershipId), { role: 'no-access' });
    expect((await call('GET', path())).status).toBe(403);
  });

  it('writes an event with what the member gets', async () => {
    const { id, membershipId } = await join();
    await test.admin('PATCH', path(membershipId), { isActive: false });
    await test.admin('PATCH', path(membershipId), { isActive: true, role: 'admin' });
    const { rows } = await test.coffer.pool.query(
      `select published, data from audit_events where type = 'organization_member.updated' and data->>'userId' = $1 order by id`,
      [id],
    );
    const [published, data] = ['update-organization-membership', { membershipId, userId: id }];
    expect(rows).toEqual([
      { published, data: { ...data, isActive: false, changed: ['isActive'] } },
      { published, data: { ...data, isActive: true, role: 'admin', changed: ['role', 'isActive'] } },
    ]);
  });

  it('is refused without the right, and for others than members', async () => {
    const { call, membershipId } = await join('member');
    expect((await call('PATCH', path(membershipId), { role: 'admin' })).status).toBe(403);
    expect((await test.as()('PATCH', path(membershipId), { role: 'admin' })).status).toBe(401);
    const foreign = await test.foreign();
    const there = `/api/v2/organizations/${foreign.organizationId}/memberships`;
    expect((await foreign.call('PATCH', `${there}/${membershipId}`, { isActive: false })).status).toBe(404);
    expect((await foreign.call('PATCH', path(membershipId), { isActive: false })).status).toBe(404);
    expect((await test.admin('PATCH', path(membershipId), { role: 'no-such-role' })).status).toBe(404);
    expect((await test.admin('PATCH', path(membershipId), { isActive: 'yes' })).status).toBe(422);
    expect((await test.admin('PATCH', path(UNKNOWN), { isActive: false })).status).toBe(404);
    for (const unstorable of [{ role: 'nul \0' }, { metadata: [{ key: 'a', value: 'nul \0' }] }]) {
      expect((await test.admin('PATCH', path(membershipId), unstorable)).status).toBe(400);
    }
  });

  it('grants no one more than the caller holds, neither a role nor a way to rejoin', async () => {
    const { call } = await test.identity({
      organizationRules: [{ subject: 'member', action: ['read', 'edit', 'create', 'delete'] }],
    });
    const weak = await join('no-access');
    const refused = await call('PATCH', path(weak.membershipId), { role: 'admin' });
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 403,
      error: 'PermissionBoundaryError',
    });
    const [strong] = [await join('admin'), await join('admin')];
    expect((await test.admin('PATCH', path(strong.membershipId), { isActive: false })).status).toBe(200);
    expect((await call('PATCH', path(strong.membershipId), { isActive: true })).status).toBe(403);
    expect((await call('PATCH', path(weak.membershipId), { isActive: false })).status).toBe(200);
    expect((await call('PATCH', path(weak.membershipId), { isActive: true })).status).toBe(200);
  });

  it('refuses to reactivate a user by another role if the user holds more in a project or by a group', async () => {
    const { call } = await test.identity({ organizationRules: [{ subject: 'member', action: ['read', 'edit'] }] });
    const [project, group] = [await test.project(), await test.admin('POST', '/api/v1/groups', { name: 'Strong' })];
    await test.admin('PATCH', `/api/v1/groups/${group.body.id}`, { role: 'member' });
    const [inProject, inGroup] = [await join('no-access'), await join('no-access')];
    await test.admin('POST', `/api/v1/projects/${project.id}/memberships`, { usernames: [inProject.email] });
    await test.admin('POST', `/api/v1/groups/${group.body.id}/users/${inGroup.email}`);
    for (const { membershipId, ...person } of [inProject, inGroup]) {
      for (const change of [{ isActive: false }, { metadata: [{ key: 'team', value: 'x' }] }])
        expect(await call('PATCH', path(membershipId), change)).toMatchObject({
          status: 403,
          body: { error: 'PermissionBoundaryError' },
        });
      expect((await test.admin('PATCH', path(membershipId), { isActive: false })).status).toBe(200);
      for (const role of [undefined, 'no-access'])
        expect(await call('PATCH', path(membershipId), { isActive: true, role })).toMatchObject({
          status: 403,
          body: { error: 'PermissionBoundaryError' },
        });
      expect((await person.call('GET', `/api/v1/organization/${test.organizationId}`)).status).not.toBe(200);
    }
  });
});

describe('removing members', () => {
  it('removes them from the organization and its projects, immediately', async () => {
    const { id, call, membershipId } = await join('admin');
    await join('admin');
    const project = await test.project();
    await test.coffer.pool.query(
      `insert into memberships (id, organization_id, project_id, user_id) values (gen_random_uuid(), $1, $2, $3)`,
      [test.organizationId, project.id, id],
    );
    expect((await call('GET', path())).status).toBe(200);
    const { status, body } = await test.admin('DELETE', path(membershipId));
    expect({ status, id: body.membership.id }).toEqual({ status: 200, id: membershipId });
    expect((await call('GET', path())).status).toBe(403);
    const { rows } = await test.coffer.pool.query('select 1 from memberships where user_id = $1', [id]);
    expect(rows).toEqual([]);
    expect((await test.admin('DELETE', path(membershipId))).status).toBe(404);
  });

  it('is permitted for oneself: the caller is out immediately, and affects nobody else', async () => {
    const [leaver, other] = [await join('no-access'), await join('no-access')];
    expect((await leaver.call('DELETE', path(other.membershipId))).status).toBe(403);
    const both = { membershipIds: [leaver.membershipId, other.membershipId] };
    expect((await leaver.call('DELETE', path(), both)).status).toBe(403);
    const { status, body } = await leaver.call('DELETE', path(leaver.membershipId));
    expect([status, body.membership.id]).toEqual([200, leaver.membershipId]);
    expect((await leaver.call('GET', path())).status).toBe(403);
    expect((await list()).map(({ id }) => id)).not.toContain(leaver.membershipId);
    const last = await ruledBy(1);
    const [only] = last.admins;
    expect((await only!.call('DELETE', last.path(only!.membershipId))).body.message).toMatch(/only administrator/);
  });

  it('removes several, or none if one of them is not a member', async () => {
    const [one, two] = [await join(), await join()];
    const foreign = await ruledBy(2);
    const remove = (membershipIds: string[]) => test.admin('DELETE', path(), { membershipIds });
    for (const other of [UNKNOWN, 'no-uuid', foreign.admins[0]!.membershipId]) {
      expect((await remove([one.membershipId, two.membershipId, other])).status).toBe(404);
    }
    expect((await list()).map(({ id }) => id)).toEqual(expect.arrayContaining([one.membershipId, two.membershipId]));
    const { status, body } = await remove([one.membershipId, two.membershipId, one.membershipId.toUpperCase()]);
    expect(status).toBe(200);
    expect(body.memberships.map(({ id }: Listed) => id)).toEqual([one.membershipId, two.membershipId]);
    expect(await foreign.left()).toBe(2);
  });

  it('is refused for no members and for too many, and without the right', async () => {
    const { call } = await join();
    const { membershipId } = await join();
    for (const membershipIds of [[], Array.from({ length: 1001 }, () => membershipId), undefined]) {
      expect((await test.admin('DELETE', path(), { membershipIds })).status).toBe(422);
    }
    expect((await call('DELETE', path(), { membershipIds: [membershipId] })).status).toBe(403);
    expect((await call('DELETE', path(membershipId))).status).toBe(403);
    expect((await test.as()('DELETE', path(membershipId))).status).toBe(401);
  });
});

describe('the last administrator', () => {
  it('cannot be removed, demoted or deactivated', async () => {
    const { admins, path: at, call } = await ruledBy(1);
    const [{ membershipId }] = admins as [(typeof admins)[number]];
    for (const answer of [
      await call('DELETE', at(membershipId)),
      await call('DELETE', at(), { membershipIds: [membershipId] }),
      await call('PATCH', at(membershipId), { role: 'member' }),
      await call('PATCH', at(membershipId), { isActive: false }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain('only administrator');
    }
    expect((await call('PATCH', at(membershipId), { role: 'admin', isActive: true })).status).toBe(200);
  });

  it('stays where all are removed together', async () => {
    const { admins, path: at, call, left } = await ruledBy(3);
    const all = admins.map(({ membershipId }) => membershipId);
    expect((await call('DELETE', at(), { membershipIds: all })).status).toBe(400);
    expect((await call('DELETE', at(), { membershipIds: all.slice(1) })).status).toBe(200);
    expect(await left()).toBe(1);
  });

  it('stays where two remove each other at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { admins, path: at, left } = await ruledBy(2);
      const [one, two] = admins as [(typeof admins)[number], (typeof admins)[number]];
      const answers = await Promise.all([
        one.call('DELETE', at(two.membershipId)),
        two.call('DELETE', at(one.membershipId)),
      ]);
      expect(sorted(answers)[0]).toBe(200);
      expect(await left()).toBe(1);
    }
  });

  it('stays if one leaves, one is demoted and one is deactivated at the same time', async () => {
    const { admins, path: at, call, left } = await ruledBy(3);
    const [one, two, three] = admins as [(typeof admins)[number], (typeof admins)[number], (typeof admins)[number]];
    const answers = await Promise.all([
      one.call('DELETE', '/api/v2/users/me', { password }),
      call('PATCH', at(two.membershipId), { role: 'no-access' }),
      call('PATCH', at(three.membershipId), { isActive: false }),
    ]);
    expect(sorted(answers)).toEqual([200, 200, 400]);
    expect(await left()).toBe(1);
  });
});
