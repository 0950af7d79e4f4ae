import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOUNDARY, Groups, ok, projectUrl, same, statuses, type Ref } from '../harness/groups.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
const HOUR = 3_600_000;

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
});
afterAll(() => test.close());

const groups = new Groups(() => test);

const at = (project: Ref, rest = '') => `/api/v1/projects/${project.id}/memberships/groups${rest}`;
const members = (project: Ref) => `/api/v1/workspace/${project.id}/memberships`;
const permanently = (...slugs: string[]) => ({ roles: slugs.map((role) => ({ role, isTemporary: false })) });
const temporary = (role: string, start: Date, temporaryRange: string) => ({
  role,
  isTemporary: true,
  temporaryMode: 'relative',
  temporaryRange,
  temporaryAccessStartTime: start.toISOString(),
});

const PERMANENT = {
  isTemporary: false,
  temporaryMode: null,
  temporaryRange: null,
  temporaryAccessStartTime: null,
  temporaryAccessEndTime: null,
};

describe('the groups of a project', () => {
  it('are named by id, by name or by slug, as clients do', async () => {
    const project = await test.project();
    const group = await groups.make();
    const named = await groups.make();
    await ok(
      test.admin('PATCH', `/api/v1/groups/${named.id}`, { name: `Ops & "Déploy" ${named.slug}`, slug: 'other-slug' }),
    );
    const base = `/api/v2/workspace/${project.id}/groups`;
    const by = (name: string) => `${base}/${encodeURIComponent(name)}`;
    const byName = by(`Ops & "Déploy" ${named.slug}`);
    expect((await ok(test.admin('POST', byName, { role: 'viewer' }))).groupMembership.groupId).toBe(named.id);
    expect((await ok(test.admin('GET', byName))).groupMembership.groupId).toBe(named.id);
    await ok(test.admin('PATCH', byName, { roles: [{ role: 'member' }] }));
    await ok(test.admin('DELETE', byName));
    expect((await ok(test.admin('POST', by('other-slug')))).groupMembership.groupId).toBe(named.id);
    await ok(test.admin('POST', by(group.name)));
    await ok(test.admin('DELETE', by(group.slug)));
    for (const nobody of ['OTHER-SLUG', 'nobody', ' ', NOWHERE])
      expect([nobody, (await test.admin('POST', by(nobody))).status]).toEqual([nobody, nobody === ' ' ? 422 : 404]);
    expect((await ok(test.admin('GET', `/api/v1/groups/${encodeURIComponent('other-slug')}`))).id).toBe(named.id);
  });

  it('are added, read, changed and removed, by current and legacy paths', async () => {
    const project = await test.project();
    const bases = [at(project), `/api/v2/workspace/${project.id}/groups`, `/api/v1/projects/${project.id}/groups`];
    for (const base of bases) {
      const group = await groups.make();
      const url = `${base}/${group.id}`;
      const { groupMembership: added } = await ok(test.admin('POST', url, { role: 'viewer' }));
      expect(added).toEqual({
        id: expect.any(String),
        groupId: group.id,
        projectId: project.id,
        createdAt: INSTANT,
        updatedAt: INSTANT,
      });
      const membership = {
        ...added,
        roles: [
          {
            id: expect.any(String),
            role: 'viewer',
            customRoleId: null,
            customRoleName: null,
            customRoleSlug: null,
            ...PERMANENT,
          },
        ],
        group: { id: group.id, name: group.name, slug: group.slug, orgId: test.organizationId },
      };
      expect(await ok(test.admin('GET', url))).toEqual({ groupMembership: membership });
      expect((await ok(test.admin('GET', base))).groupMemberships).toEqual([membership]);
      const start = test.coffer.now();
      const { roles } = await ok(
        test.admin('PATCH', url, { roles: [{ role: 'member' }, temporary('admin', start, '2h')] }),
      );
      const common = {
        id: expect.any(String),
        projectMembershipId: added.id,
        customRoleId: null,
        createdAt: INSTANT,
        updatedAt: INSTANT,
      };
      expect(roles).toEqual([
        { ...common, role: 'member', ...PERMANENT },
        {
          ...common,
          role: 'admin',
          isTemporary: true,
          temporaryMode: 'relative',
          temporaryRange: '2h',
          temporaryAccessStartTime: start.toISOString(),
          temporaryAccessEndTime: new Date(start.getTime() + 2 * HOUR).toISOString(),
        },
      ]);
      expect((await ok(test.admin('DELETE', url))).groupMembership).toEqual({ ...added, updatedAt: INSTANT });
      expect((await test.admin('GET', url)).status).toBe(404);
    }
  });

  it('are added once, with no access by default, and with roles of the project', async () => {
    const [project, group] = [await test.project(), await groups.make()];
    await ok(test.admin('POST', projectUrl(project, group), {}));
    expect((await ok(test.admin('GET', projectUrl(project, group)))).groupMembership.roles).toMatchObject([
      { role: 'no-access' },
    ]);
    expect(await test.admin('POST', projectUrl(project, group), {})).toMatchObject({
      status: 400,
      body: { message: 'This group is already a member' },
    });
    const raced = await groups.make();
    const race = await Promise.all(Array.from({ length: 4 }, () => test.admin('POST', projectUrl(project, raced), {})));
    expect(statuses(race)).toBe('200,400,400,400');
    const other = await groups.make();
    for (const body of [{ role: 'no-such-role' }, permanently('viewer', 'no-such-role')])
      expect((await test.admin('POST', projectUrl(project, other), body)).status).toBe(404);
    expect((await test.admin('PATCH', projectUrl(project, group), permanently('no-such-role'))).status).toBe(404);
    const start = test.coffer.now();
    for (const roles of [
      [],
      [{ role: '' }],
      [{ ...temporary('viewer', start, 'soon') }],
      [temporary('viewer', start, '0h')],
    ]) {
      expect((await test.admin('POST', projectUrl(project, other), { roles })).status).toBe(422);
      expect((await test.admin('PATCH', projectUrl(project, group), { roles })).status).toBe(422);
    }
    const far = { roles: [temporary('viewer', start, '99999999999y')] };
    expect((await test.admin('PATCH', projectUrl(project, group), far)).status).toBe(400);
  });

  it('need a valid token, and a permission for each operation', async () => {
    const [project, group] = [await test.project(), await groups.make()];
    await ok(test.admin('POST', projectUrl(project, group), {}));
    const callers = [test.as(), ...(await groups.ended())];
    const other = await groups.make();
    for (const [method, path, needs, body] of [
      ['GET', at(project), 'read'],
      ['GET', projectUrl(project, group), 'read'],
      ['POST', projectUrl(project, other), 'create', {}],
      ['PATCH', projectUrl(project, group), 'edit', permanently('no-access')],
      ['DELETE', projectUrl(project, group), 'delete'],
    ] as const) {
      for (const call of callers) expect([method, (await call(method, path, body)).status]).toEqual([method, 401]);
      for (const action of ['read', 'create', 'edit', 'delete', 'grant-privileges', 'assign-role']) {
        const rules = [{ subject: 'groups', action }];
        if (action === needs) continue;
        const { call } = await test.identity({ projectId: project.id, rules });
        expect([method, action, (await call(method, path, body)).status]).toEqual([method, action, 403]);
      }
      const { call } = await test.identity({ projectId: project.id, rules: [{ subject: 'groups', action: needs }] });
      expect([method, (await call(method, path, body)).status]).toEqual([method, 200]);
    }
  });

  it('are unknown to other organizations, other projects and who is no member', async () => {
    const [project, elsewhere, group] = [await test.project(), await test.project(), await groups.make()];
    await ok(test.admin('POST', projectUrl(project, group), {}));
    const foreign = await test.foreign();
    const outsider = await test.identity({ organizationRole: 'admin' });
    for (const [method, rest, body] of [
      ['GET', ''],
      ['GET', `/${group.id}`],
      ['POST', `/${group.id}`, {}],
      ['PATCH', `/${group.id}`, permanently('no-access')],
      ['DELETE', `/${group.id}`],
    ] as const) {
      for (const caller of [foreign.call, outsider.call])
        for (const id of [NOWHERE, 'nothing']) await same(caller, method, at(project, rest), at({ id }, rest), body);
      if (rest && method !== 'POST')
        for (const id of [NOWHERE, 'nothing'])
          await same(test.admin, method, at(elsewhere, rest), at(elsewhere, `/${id}`), body);
    }
    const theirs = await ok(foreign.call('POST', '/api/v1/groups', { name: 'Theirs' }));
    for (const id of [NOWHERE, 'nothing'])
      await same(test.admin, 'POST', projectUrl(project, theirs), at(project, `/${id}`), {});
    expect((await ok(test.admin('GET', at(project)))).groupMemberships).toMatchObject([{ groupId: group.id }]);
  });

  it('are written to the audit log', async () => {
    const [project, group] = [await test.project(), await groups.make()];
    const { id } = (await ok(test.admin('POST', projectUrl(project, group), { role: 'viewer' }))).groupMembership;
    await ok(test.admin('PATCH', projectUrl(project, group), permanently('member', 'viewer')));
    await ok(test.admin('DELETE', projectUrl(project, group)));
    const { rows } = await test.coffer.pool.query<{ published: string; data: unknown }>(
      'select published, data from audit_events where project_id = $1 order by created_at, id',
      [project.id],
    );
    const about = { membershipId: id, groupId: group.id };
    expect(rows.slice(-3)).toEqual([
      { published: 'create-group-project-membership', data: { ...about, roles: ['viewer'] } },
      { published: 'update-group-project-membership', data: { ...about, roles: ['member', 'viewer'] } },
      { published: 'delete-group-project-membership', data: about },
    ]);
  });

  it('go with the project', async () => {
    const [project, group] = [await test.project(), await groups.make()];
    await ok(test.admin('POST', projectUrl(project, group), { role: 'admin' }));
    await ok(test.admin('DELETE', `/api/v1/projects/${project.id}`));
    expect(await ok(test.admin('GET', `/api/v1/groups/${group.id}/projects?filter=assignedProjects`))).toEqual({
      projects: [],
      totalCount: 0,
    });
  });
});

describe('who is in a project by a group', () => {
  it('gets access immediately, and only while both belong together', async () => {
    const { project, group, ann, machine } = await groups.filled();
    const status = async () =>
      [(await ann.call('GET', members(project))).status, (await machine.call('GET', members(project))).status].join();
    expect(await status()).toBe('404,404');
    await ok(test.admin('POST', projectUrl(project, group), { role: 'viewer' }));
    expect(await status()).toBe('200,200');
    await ok(test.admin('PATCH', projectUrl(project, group), permanently('no-access')));
    expect(await status()).toBe('403,403');
    await ok(test.admin('PATCH', projectUrl(project, group), permanently('viewer')));
    expect(await status()).toBe('200,200');
    await groups.takeOut(group, ann);
    expect(await status()).toBe('404,200');
    await groups.takeOut(group, machine);
    expect(await status()).toBe('404,404');
    await groups.putIn(group, ann);
    await groups.putIn(group, machine);
    expect(await status()).toBe('200,200');
    await ok(test.admin('DELETE', projectUrl(project, group)));
    expect(await status()).toBe('404,404');
    await ok(test.admin('POST', projectUrl(project, group), { role: 'viewer' }));
    expect(await status()).toBe('200,200');
    await ok(test.admin('DELETE', `/api/v1/groups/${group.id}`));
    expect(await status()).toBe('404,404');
  });

  it('has no access while it is deactivated in the organization, and immediately after its removal from it', async () => {
    const { project, group, ann, machine } = await groups.filled();
    await ok(test.admin('POST', projectUrl(project, group), { role: 'viewer' }));
    const inside = async () => {
      const { rows } = await test.coffer.pool.query<{ actor_id: string }>(
        'select actor_id from effective_memberships where project_id = $1 and group_id = $2',
        [project.id, group.id],
      );
      return rows.map((row) => row.actor_id).toSorted();
    };
    expect(await inside()).toEqual([ann.id, machine.id].toSorted());
    const all = `/api/v2/organizations/${test.organizationId}/memberships`;
    const { users } = await ok(test.admin('GET', all));
    const { id } = users.find(({ userId }: { userId: string }) => userId === ann.id);
    await ok(test.admin('PATCH', `${all}/${id}`, { isActive: false }));
    expect((await ann.call('GET', members(project))).status).toBe(403);
    expect(await inside()).toEqual([machine.id]);
    await ok(test.admin('PATCH', `${all}/${id}`, { isActive: true }));
    expect((await ann.call('GET', members(project))).status).toBe(200);
    await ok(test.admin('DELETE', `${all}/${id}`));
    expect((await ann.call('GET', members(project))).status).toBe(403);
    await ok(test.admin('DELETE', `/api/v1/identities/${machine.id}`));
    expect((await machine.call('GET', members(project))).status).toBe(401);
    expect(await inside()).toEqual([]);
  });

  it('has the roles of all its groups together with its own, including denials', async () => {
    const project = await test.project();
    const machine = await test.identity({ projectId: project.id, projectRole: 'viewer' });
    const [more, less] = [await groups.make(), await groups.make()];
    const tags = `/api/v1/projects/${project.id}/tags`;
    const make = async () =>
      (await machine.call('POST', tags, { slug: groups.unique('tag').replace(' ', '-'), color: '' })).status;
    const read = async () => (await machine.call('GET', tags)).status;
    for (const group of [more, less]) await groups.putIn(group, machine);
    expect([await read(), await make()]).toEqual([200, 403]);
    const maker = await groups.projectRole(project, { subject: 'tags', action: ['create'] });
    await ok(test.admin('POST', projectUrl(project, more), { role: maker }));
    expect([await read(), await make()]).toEqual([200, 200]);
    const denier = await groups.projectRole(project, { subject: 'tags', action: ['read', 'create'], inverted: true });
    await ok(test.admin('POST', projectUrl(project, less), { role: denier }));
    expect([await read(), await make()]).toEqual([403, 403]);
    await ok(test.admin('DELETE', projectUrl(project, less)));
    expect([await read(), await make()]).toEqual([200, 200]);
  });

  it('sees the project in its lists, and is optionally listed as a member by a group', async () => {
    const [project, group, other] = [await test.project(), await groups.make(), await groups.make()];
    const [ann, ben, machine] = [await groups.person(), await groups.person(), await test.identity()];
    await ok(test.admin('POST', members(project).replace('/v1/', '/v2/'), { usernames: [ben.username] }));
    for (const one of [ann, ben]) await groups.putIn(group, one);
    await groups.putIn(other, ann);
    await groups.putIn(group, machine);
    await ok(test.admin('POST', projectUrl(project, group), { role: 'viewer' }));
    const second = (await ok(test.admin('POST', projectUrl(project, other), { role: 'no-access' }))).groupMembership;
    const membership = (await ok(test.admin('GET', projectUrl(project, group)))).groupMembership;

    const listed = { projects: [expect.objectContaining({ id: project.id })] };
    for (const { call } of [ann, machine]) {
      expect(await ok(call('GET', '/api/v1/projects'))).toEqual(listed);
      const { workspaces } = await ok(
        call('GET', `/api/v2/organizations/${test.organizationId}/workspaces?type=secret-manager`),
      );
      expect(workspaces).toMatchObject([{ id: project.id }]);
      expect((await call('GET', `/api/v1/projects/slug/${project.slug}`)).status).toBe(200);
    }

    const users = async (query: string) =>
      (await ok(test.admin('GET', `/api/v1/workspace/${project.id}/users${query}`))).users;
    expect(await users('')).toMatchObject([{ userId: ben.id, isGroupMember: false }]);
    expect(await users('?includeGroupMembers=false')).toHaveLength(1);
    expect(await users('?includeGroupMembers=true')).toEqual([
      expect.objectContaining({ userId: ben.id, isGroupMember: false }),
      {
        id: membership.id,
        userId: ann.id,
        projectId: project.id,
        user: {
          id: ann.id,
          username: ann.username,
          email: ann.email,
          firstName: 'Ann',
          lastName: 'Lee',
          publicKey: null,
        },
        project: { id: project.id, name: project.slug },
        roles: [expect.objectContaining({ role: 'viewer' }), expect.objectContaining({ role: 'no-access' })],
        isGroupMember: true,
      },
    ]);
    expect(second.groupId).toBe(other.id);

    const { identityMemberships } = await ok(
      test.admin('GET', `/api/v1/identities/${machine.id}/identity-memberships`),
    );
    expect(identityMemberships).toEqual([
      {
        id: membership.id,
        identityId: machine.id,
        roles: [expect.objectContaining({ role: 'viewer' })],
        identity: expect.objectContaining({ id: machine.id }),
        project: { id: project.id, name: project.slug, slug: project.slug, type: 'secret-manager' },
        createdAt: INSTANT,
        updatedAt: INSTANT,
      },
    ]);
    const all = `/api/v2/organizations/${test.organizationId}/memberships`;
    const people = (await ok(test.admin('GET', all))).users;
    for (const [one, roles] of [
      [ann, ['viewer', 'no-access']],
      [ben, ['member', 'viewer']],
    ] as const) {
      const { id } = people.find(({ userId }: { userId: string }) => userId === one.id);
      const { memberships } = await ok(test.admin('GET', `${all}/${id}/project-memberships`));
      expect(memberships).toMatchObject([{ projectId: project.id, roles: roles.map((role) => ({ role })) }]);
    }
  });

  it('gets its permissions there', async () => {
    const [project, group, machine, ann] = [
      await test.project(),
      await groups.make(),
      await test.identity(),
      await groups.person(),
    ];
    await groups.putIn(group, machine);
    await groups.putIn(group, ann);
    const slug = await groups.projectRole(project, { subject: 'tags', action: ['read'] });
    const { id } = (await ok(test.admin('POST', projectUrl(project, group), { role: slug }))).groupMembership;
    const url = `/api/v1/workspace/${project.id}/permissions`;
    const expected = (userId: string | null, identityId: string | null) => ({
      data: {
        membership: {
          id,
          userId,
          identityId,
          projectId: project.id,
          roles: [expect.objectContaining({ role: 'custom', customRoleSlug: slug })],
          createdAt: INSTANT,
          updatedAt: INSTANT,
        },
        permissions: [{ subject: 'tags', action: ['read'] }],
      },
    });
    expect(await ok(machine.call('GET', url))).toEqual(expected(null, machine.id));
    expect(await ok(ann.call('GET', url))).toEqual(expected(ann.id, null));
    await ok(
      test.admin('POST', `/api/v2/workspace/${project.id}/identity-memberships/${machine.id}`, { role: 'no-access' }),
    );
    const { membership } = (await ok(machine.call('GET', url))).data;
    expect(membership.id).not.toBe(id);
    expect(membership.roles).toMatchObject([{ role: 'no-access' }, { customRoleSlug: slug }]);
  });

  it('does not remove it by itself', async () => {
    const [project, group, ann] = [await test.project(), await groups.make(), await groups.person()];
    await groups.putIn(group, ann);
    await ok(test.admin('POST', projectUrl(project, group), { role: 'viewer' }));
    const url = `/api/v1/workspace/${project.id}/leave`;
    expect(await ann.call('DELETE', url)).toMatchObject({
      status: 400,
      body: { message: 'You are in this project by a group; ask to be removed from the group' },
    });
    await ok(test.admin('POST', members(project).replace('/v1/', '/v2/'), { usernames: [ann.username] }));
    await ok(ann.call('DELETE', url));
    expect((await ann.call('GET', members(project))).status).toBe(200);
    expect((await ann.call('DELETE', url)).status).toBe(400);
  });
});

describe('a temporary role of a group', () => {
  it('is valid from its start to its end, also without cleanup', async () => {
    const { project, group, ann, machine } = await groups.filled();
    const start = new Date(test.coffer.now().getTime() + HOUR);
    await ok(
      test.admin('POST', projectUrl(project, group), {
        roles: [{ role: 'no-access' }, temporary('viewer', start, '2h')],
      }),
    );
    const status = async () =>
      [(await ann.call('GET', members(project))).status, (await machine.call('GET', members(project))).status].join();
    expect(await status()).toBe('403,403');
    test.advance(HOUR - 60_000);
    expect(await status()).toBe('403,403');
    test.advance(61_000);
    expect(await status()).toBe('200,200');
    test.advance(2 * HOUR - 62_000);
    expect(await status()).toBe('200,200');
    test.advance(62_000);
    expect(await status()).toBe('403,403');
    expect((await ok(test.admin('GET', projectUrl(project, group)))).groupMembership.roles).toHaveLength(2);
  });

  it('that forbids ends as well', async () => {
    const [project, group] = [await test.project(), await groups.make()];
    const machine = await test.identity({ projectId: project.id, projectRole: 'viewer' });
    await groups.putIn(group, machine);
    const slug = await groups.projectRole(project, { subject: 'member', action: ['read'], inverted: true });
    await ok(test.admin('POST', projectUrl(project, group), { roles: [temporary(slug, test.coffer.now(), '1h')] }));
    expect((await machine.call('GET', members(project))).status).toBe(403);
    test.advance(HOUR + 1000);
    expect((await machine.call('GET', members(project))).status).toBe(200);
  });
});

describe('no one grants a group more than they hold', () => {
  const manage = { subject: 'groups', action: ['read', 'create', 'edit', 'delete'] };

  it('when it is added, or its roles are changed, now or later', async () => {
    const [project, group, other] = [await test.project(), await groups.make(), await groups.make()];
    const { call } = await test.identity({ projectId: project.id, rules: [manage] });
    const later = { roles: [{ role: 'no-access' }, temporary('admin', new Date(Date.now() + 9 * HOUR), '1h')] };
    for (const body of [
      { role: 'admin' },
      { role: 'member' },
      { role: 'viewer' },
      permanently('no-access', 'viewer'),
      later,
    ])
      expect(await call('POST', projectUrl(project, group), body)).toMatchObject(BOUNDARY);
    await ok(call('POST', projectUrl(project, other), {}));
    for (const body of [permanently('admin'), permanently('no-access', 'viewer'), later])
      expect(await call('PATCH', projectUrl(project, other), body)).toMatchObject(BOUNDARY);
    const own = await groups.projectRole(project, manage);
    await ok(call('PATCH', projectUrl(project, other), permanently(own)));
  });

  it('nor returns to its members what it forbids them', async () => {
    const [project, group] = [await test.project(), await groups.make()];
    const tags = { subject: 'tags', action: ['read'] };
    const machine = await test.identity({ projectId: project.id, projectRole: 'viewer' });
    await groups.putIn(group, machine);
    const slug = await groups.projectRole(project, { ...tags, inverted: true });
    const stricter = await groups.projectRole(
      project,
      { ...tags, inverted: true },
      { subject: 'role', action: ['read'], inverted: true },
    );
    await ok(test.admin('POST', projectUrl(project, group), { role: slug }));
    const weak = await test.identity({ projectId: project.id, rules: [manage] });
    expect(await weak.call('DELETE', projectUrl(project, group))).toMatchObject(BOUNDARY);
    expect(await weak.call('PATCH', projectUrl(project, group), permanently('no-access'))).toMatchObject(BOUNDARY);
    const short = { roles: [temporary(slug, test.coffer.now(), '1s'), { role: 'no-access' }] };
    expect(await weak.call('PATCH', projectUrl(project, group), short)).toMatchObject(BOUNDARY);
    await ok(weak.call('PATCH', projectUrl(project, group), permanently('no-access', slug)));
    expect(await weak.call('PATCH', projectUrl(project, group), permanently(stricter))).toMatchObject(BOUNDARY);
    const strong = await test.identity({
      projectId: project.id,
      rules: [manage, tags, { subject: 'role', action: ['read'] }],
    });
    await ok(strong.call('PATCH', projectUrl(project, group), permanently(stricter)));
    expect(await weak.call('PATCH', projectUrl(project, group), permanently(slug))).toMatchObject(BOUNDARY);
    expect((await machine.call('GET', `/api/v1/projects/${project.id}/tags`)).status).toBe(403);
    await ok(strong.call('DELETE', projectUrl(project, group)));
    expect((await machine.call('GET', `/api/v1/projects/${project.id}/tags`)).status).toBe(200);
  });

  it('nor to themselves, in a group of the project', async () => {
    const [project, group] = [await test.project(), await groups.make()];
    const { id, call } = await test.identity({ projectId: project.id, rules: [manage] });
    await ok(test.admin('POST', projectUrl(project, group), {}));
    await groups.putIn(group, { id });
    expect(await call('PATCH', projectUrl(project, group), permanently('admin'))).toMatchObject(BOUNDARY);
    expect((await call('GET', members(project))).status).toBe(403);
  });
});
