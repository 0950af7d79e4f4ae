import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
const HOUR = 3_600_000;

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
});
afterAll(() => test.close());

const person = async (role = 'member') => {
  const user = await makeUser(test.coffer, { organizationId: test.organizationId, role });
  return { ...user, username: user.email, call: test.as(user.token) };
};
type Person = Awaited<ReturnType<typeof person>>;

const at = (project: { id: string }, rest = '') => `/api/v1/projects/${project.id}/memberships${rest}`;
const v1 = (project: { id: string }, rest = '') => `/api/v1/workspace/${project.id}/memberships${rest}`;
const v2 = (project: { id: string }, rest = '') => `/api/v2/workspace/${project.id}/memberships${rest}`;
const identities = (project: { id: string }, rest = '') =>
  `/api/v2/workspace/${project.id}/identity-memberships${rest}`;
const roles = (project: { id: string }) => `/api/v1/projects/${project.id}/roles`;

const add = async (project: { id: string }, user: Person, ...roleSlugs: string[]): Promise<string> => {
  const { body } = await test.admin('POST', v2(project), {
    usernames: [user.username],
    ...(roleSlugs.length > 0 && { roleSlugs }),
  });
  return body.memberships[0].id;
};
const permanently = (...slugs: string[]) => ({ roles: slugs.map((role) => ({ role, isTemporary: false })) });
const temporary = (role: string, start: Date, temporaryRange: string) => ({
  role,
  isTemporary: true,
  temporaryMode: 'relative',
  temporaryRange,
  temporaryAccessStartTime: start.toISOString(),
});
const same = async (
  call: Caller,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  theirs: string,
  unknown: string,
  body?: object,
) => {
  const [a, b] = [await call(method, theirs, body), await call(method, unknown, body)];
  expect(a.status).toBe(404);
  expect({ ...a.body, reqId: '' }).toEqual({ ...b.body, reqId: '' });
};
const sorted = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

describe('the people of a project', () => {
  it('are added by user name or e-mail address, once each, and listed in the published shape', async () => {
    const project = await test.project();
    const [ann, ben] = [await person(), await person()];
    const { status, body } = await test.admin('POST', v2(project), {
      usernames: [ann.username],
      emails: [ann.email.toUpperCase(), ben.email],
    });
    expect(status).toBe(200);
    expect(body.memberships).toHaveLength(2);
    const added = body.memberships.find(({ userId }: { userId: string }) => userId === ann.id);
    expect(added).toEqual({
      id: expect.any(String),
      userId: ann.id,
      projectId: project.id,
      createdAt: INSTANT,
      updatedAt: INSTANT,
    });
    const member = {
      id: added.id,
      createdAt: added.createdAt,
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
      roles: [
        {
          id: expect.any(String),
          role: 'member',
          customRoleId: null,
          customRoleName: null,
          customRoleSlug: null,
          isTemporary: false,
          temporaryMode: null,
          temporaryRange: null,
          temporaryAccessStartTime: null,
          temporaryAccessEndTime: null,
        },
      ],
    };
    for (const url of [v1(project), at(project)]) {
      const { memberships } = (await test.admin('GET', url)).body;
      expect(memberships).toHaveLength(2);
      expect(memberships).toContainEqual(member);
      expect((await test.admin('GET', `${url}/${added.id}`)).body).toEqual({ membership: member });
      const { createdAt: _, ...details } = member;
      expect((await test.admin('POST', `${url}/details`, { username: ` ${ann.username.toUpperCase()}` })).body).toEqual(
        { membership: details },
      );
    }
    const { users } = (await test.admin('GET', `/api/v1/workspace/${project.id}/users?includeGroupMembers=true`)).body;
    const { createdAt: _, ...details } = member;
    expect(users).toContainEqual({ ...details, isGroupMember: false, project: { id: project.id, name: project.slug } });
  });

  it('get access with the next request, and lose it with their removal', async () => {
    const project = await test.project();
    const ann = await person();
    expect((await ann.call('GET', v1(project))).status).toBe(404);
    const id = await add(project, ann);
    expect((await ann.call('GET', v1(project))).status).toBe(200);
    expect((await test.admin('DELETE', v1(project, `/${id}`))).body.membership).toEqual({
      id,
      userId: ann.id,
      projectId: project.id,
      createdAt: INSTANT,
      updatedAt: INSTANT,
    });
    expect((await ann.call('GET', v1(project))).status).toBe(404);
    expect((await test.admin('DELETE', at(project, `/${id}`))).status).toBe(404);
  });

  it('are added all or none', async () => {
    const project = await test.project();
    const foreign = await test.foreign();
    const stranger = await makeUser(test.coffer, { organizationId: foreign.organizationId, role: 'admin' });
    const [ann, ben] = [await person(), await person()];
    await add(project, ben);
    const unknown = await test.admin('POST', v2(project), { usernames: [ann.username, 'nobody@example.com'] });
    expect(unknown).toMatchObject({
      status: 404,
      body: { details: { usernames: ['nobody@example.com'], emails: [] } },
    });
    const theirs = await test.admin('POST', v2(project), { usernames: [ann.username, stranger.email] });
    expect({ ...theirs.body, reqId: '', details: '' }).toEqual({ ...unknown.body, reqId: '', details: '' });
    const again = await test.admin('POST', v2(project), { usernames: [ann.username, ben.username] });
    expect(again).toMatchObject({ status: 400, body: { message: 'This user is already a member' } });
    expect(
      (await test.admin('POST', v2(project), { usernames: [ann.username], roleSlugs: ['no-such-role'] })).status,
    ).toBe(404);
    expect((await test.admin('POST', v2(project), { usernames: ['a\0b'] })).status).toBe(422);
    expect((await test.admin('POST', v2(project), { usernames: [ann.username], roleSlugs: [] })).status).toBe(422);
    expect((await test.admin('POST', v2(project), {})).body).toEqual({ memberships: [] });
    expect((await test.admin('GET', v1(project))).body.memberships).toHaveLength(1);
  });

  it('are taken out by name, all or none', async () => {
    const project = await test.project();
    const [ann, ben, eve] = [await person(), await person(), await person()];
    for (const one of [ann, ben]) await add(project, one);
    expect((await test.admin('DELETE', v2(project), { usernames: [ann.username, eve.username] })).status).toBe(404);
    expect((await test.admin('GET', v1(project))).body.memberships).toHaveLength(2);
    const { body } = await test.admin('DELETE', v2(project), { usernames: [ann.username], emails: [ben.email] });
    expect(body.memberships.map(({ userId }: { userId: string }) => userId).toSorted()).toEqual(
      [ann.id, ben.id].toSorted(),
    );
    expect((await test.admin('DELETE', at(project), {})).body).toEqual({ memberships: [] });
    expect((await test.admin('GET', v1(project))).body.memberships).toHaveLength(0);
  });

  it('get other roles, custom ones among them', async () => {
    const project = await test.project();
    const ann = await person();
    const id = await add(project, ann);
    const { role } = (
      await test.admin('POST', roles(project), {
        slug: 'tagger',
        name: 'Tagger',
        permissions: [{ subject: 'tags', action: 'read' }],
      })
    ).body;
    const start = test.coffer.now();
    const { status, body } = await test.admin('PATCH', v1(project, `/${id}`), {
      roles: [{ role: 'tagger', isTemporary: false }, temporary('viewer', start, '2h')],
    });
    expect(status).toBe(200);
    const common = { id: expect.any(String), projectMembershipId: id, createdAt: INSTANT, updatedAt: INSTANT };
    const window = {
      isTemporary: true,
      temporaryMode: 'relative',
      temporaryRange: '2h',
      temporaryAccessStartTime: start.toISOString(),
      temporaryAccessEndTime: new Date(start.getTime() + 2 * HOUR).toISOString(),
    };
    const none = {
      isTemporary: false,
      temporaryMode: null,
      temporaryRange: null,
      temporaryAccessStartTime: null,
      temporaryAccessEndTime: null,
    };
    expect(body.roles).toEqual([
      { ...common, role: 'custom', customRoleId: role.id, ...none },
      { ...common, role: 'viewer', customRoleId: null, ...window },
    ]);
    expect((await test.admin('GET', at(project, `/${id}`))).body.membership.roles).toEqual([
      {
        id: expect.any(String),
        role: 'custom',
        customRoleId: role.id,
        customRoleName: 'Tagger',
        customRoleSlug: 'tagger',
        ...none,
      },
      {
        id: expect.any(String),
        role: 'viewer',
        customRoleId: null,
        customRoleName: null,
        customRoleSlug: null,
        ...window,
      },
    ]);
  });

  it('have at least one role, and a permanent one', async () => {
    const project = await test.project();
    const id = await add(project, await person());
    const start = test.coffer.now();
    for (const given of [
      [],
      [temporary('viewer', start, '1h')],
      [{ role: 'viewer', isTemporary: true }],
      [{ ...temporary('viewer', start, 'soon') }, { role: 'viewer' }],
      [{ ...temporary('viewer', start, '0h') }, { role: 'viewer' }],
      [{ ...temporary('viewer', start, '1h'), temporaryMode: 'absolute' }, { role: 'viewer' }],
      [{ ...temporary('viewer', start, '1h'), temporaryAccessStartTime: 'now' }, { role: 'viewer' }],
      [{ role: '' }],
    ]) {
      expect((await test.admin('PATCH', at(project, `/${id}`), { roles: given })).status).toBe(422);
    }
    expect(
      (
        await test.admin('PATCH', at(project, `/${id}`), {
          roles: [{ role: 'viewer' }, temporary('admin', start, '99999999999y')],
        })
      ).status,
    ).toBe(400);
    expect((await test.admin('PATCH', at(project, `/${id}`), permanently('no-such-role'))).status).toBe(404);
    expect((await test.admin('PATCH', at(project, `/${id}`), permanently('a_b%'))).status).toBe(404);
    expect((await test.admin('PATCH', at(project, `/${id}`), { roles: [{ role: 'viewer' }] })).status).toBe(200);
  });

  it('need a token and their rights', async () => {
    const project = await test.project();
    const ann = await person();
    const id = await add(project, ann);
    const { call } = await test.identity({ projectId: project.id, rules: [{ subject: 'tags', action: 'read' }] });
    const readers = await test.identity({ projectId: project.id, rules: [{ subject: 'member', action: 'read' }] });
    for (const base of [v1(project), at(project)]) {
      for (const [method, path, body] of [
        ['GET', base],
        ['GET', `${base}/${id}`],
        ['POST', `${base}/details`, { username: ann.username }],
        ['PATCH', `${base}/${id}`, permanently('viewer')],
        ['DELETE', `${base}/${id}`],
      ] as const) {
        expect((await test.as()(method, path, body)).status).toBe(401);
        expect(await call(method, path, body)).toMatchObject({ status: 403, body: { error: 'PermissionDenied' } });
        expect((await readers.call(method, path, body)).status).toBe(method === 'GET' || method === 'POST' ? 200 : 403);
      }
    }
    for (const method of ['POST', 'DELETE'] as const) {
      expect((await call(method, v2(project), { usernames: [ann.username] })).status).toBe(403);
      expect((await call(method, v2(project), {})).status).toBe(403);
      expect((await test.as()(method, v2(project), {})).status).toBe(401);
    }
  });

  it('are unknown to other organizations and other projects', async () => {
    const [project, other] = [await test.project(), await test.project()];
    const foreign = await test.foreign();
    const ann = await person();
    const id = await add(project, ann);
    for (const [method, rest, body] of [
      ['GET', ''],
      ['GET', `/${id}`],
      ['POST', '/details', { username: ann.username }],
      ['PATCH', `/${id}`, permanently('viewer')],
      ['DELETE', `/${id}`],
      ['POST', '', { usernames: [ann.username] }],
      ['DELETE', '', { usernames: [ann.username] }],
    ] as const) {
      await same(foreign.call, method, at(project, rest), at({ id: NOWHERE }, rest), body);
      await same(foreign.call, method, at(project, rest), at({ id: 'nothing' }, rest), body);
    }
    for (const unknown of [NOWHERE, 'nothing', "'"]) {
      await same(test.admin, 'GET', at(other, `/${id}`), at(other, `/${unknown}`));
      await same(test.admin, 'PATCH', at(other, `/${id}`), at(other, `/${unknown}`), permanently('viewer'));
      await same(test.admin, 'DELETE', v1(other, `/${id}`), v1(other, `/${unknown}`));
    }
    expect((await test.admin('POST', at(other, '/details'), { username: ann.username })).status).toBe(404);
  });

  it('are written to the audit log', async () => {
    const project = await test.project();
    const ann = await person();
    const id = await add(project, ann, 'viewer');
    await test.admin('PATCH', v1(project, `/${id}`), permanently('member'));
    await test.admin('DELETE', v1(project, `/${id}`));
    const { rows } = await test.coffer.pool.query<{ published: string; data: unknown }>(
      'select published, data from audit_events where project_id = $1 order by created_at, id',
      [project.id],
    );
    expect(rows.slice(-3)).toEqual([
      { published: 'add-workspace-member', data: { membershipId: id, userId: ann.id, roles: ['viewer'] } },
      { published: 'update-user-workspace-role', data: { membershipId: id, userId: ann.id, roles: ['member'] } },
      { published: 'remove-workspace-member', data: { membershipId: id, userId: ann.id } },
    ]);
  });
});

describe('the last administrator of a project', () => {
  /** A project that only these people administer. */
  const ruledBy = async (...people: Person[]) => {
    const project = await test.project();
    const ids: string[] = [];
    for (const one of people) ids.push(await add(project, one, 'admin'));
    expect((await test.admin('DELETE', identities(project, `/${test.adminIdentity.id}`))).status).toBe(200);
    return { project, ids };
  };
  const refused = {
    status: 400,
    body: { message: 'This is the only administrator of the project; appoint another one first' },
  };

  it('cannot be removed or demoted, nor leave', async () => {
    const ann = await person();
    const { project, ids } = await ruledBy(ann);
    expect(await ann.call('DELETE', at(project, `/${ids[0]}`))).toMatchObject(refused);
    expect(await ann.call('DELETE', v2(project), { usernames: [ann.username] })).toMatchObject(refused);
    expect(await ann.call('PATCH', at(project, `/${ids[0]}`), permanently('member'))).toMatchObject(refused);
    const start = test.coffer.now();
    expect(
      await ann.call('PATCH', at(project, `/${ids[0]}`), {
        roles: [{ role: 'viewer' }, temporary('admin', start, '1y')],
      }),
    ).toMatchObject(refused);
    expect(await ann.call('DELETE', `/api/v1/workspace/${project.id}/leave`)).toMatchObject(refused);
    expect((await ann.call('PATCH', at(project, `/${ids[0]}`), permanently('viewer', 'admin'))).status).toBe(200);
  });

  it('may be a machine identity', async () => {
    const project = await test.project();
    const own = identities(project, `/${test.adminIdentity.id}`);
    expect(await test.admin('DELETE', own)).toMatchObject(refused);
    expect(await test.admin('PATCH', own, permanently('member'))).toMatchObject(refused);
    await add(project, await person(), 'admin');
    expect((await test.admin('DELETE', own)).status).toBe(200);
  });

  it('remains if all remove one another at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const people = [await person(), await person(), await person()];
      const { project, ids } = await ruledBy(...people);
      const answers = await Promise.all(
        people.map(({ call }, index) => call('DELETE', at(project, `/${ids[(index + 1) % 3]}`))),
      );
      const left = await test.coffer.pool.query('select 1 from memberships where project_id = $1', [project.id]);
      expect(left.rowCount).toBeGreaterThan(0);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3 - left.rowCount!);
      expect(answers.every(({ status }) => [200, 400, 403, 404].includes(status))).toBe(true);
    }
  });

  it('remains if all leave or step down at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const people = [await person(), await person(), await person(), await person()];
      const { project, ids } = await ruledBy(...people);
      const answers = await Promise.all(
        people.map(({ call }, index) =>
          index % 2 === 0
            ? call('DELETE', `/api/v1/workspace/${project.id}/leave`)
            : call('PATCH', v1(project, `/${ids[index]}`), permanently('member')),
        ),
      );
      expect(sorted(answers)).toEqual([200, 200, 200, 400]);
    }
  });
});

describe('leaving a project', () => {
  it('is for people who belong to it', async () => {
    const project = await test.project();
    const ann = await person();
    const id = await add(project, ann, 'no-access');
    const url = `/api/v1/workspace/${project.id}/leave`;
    expect((await test.as()('DELETE', url)).status).toBe(401);
    expect((await test.admin('DELETE', url)).status).toBe(403);
    expect((await ann.call('DELETE', url)).body).toEqual({
      membership: { id, userId: ann.id, projectId: project.id, createdAt: INSTANT, updatedAt: INSTANT },
    });
    await same(ann.call, 'DELETE', url, `/api/v1/workspace/${NOWHERE}/leave`);
    expect((await ann.call('GET', v1(project))).status).toBe(404);
  });
});

describe('what a caller may do in a project', () => {
  it('is shown to it', async () => {
    const project = await test.project();
    const { id, call } = await test.identity({ projectId: project.id, rules: [{ subject: 'tags', action: 'read' }] });
    const url = `/api/v1/workspace/${project.id}/permissions`;
    const { body } = await call('GET', url);
    expect(body).toEqual({
      data: {
        membership: {
          id: expect.any(String),
          userId: null,
          identityId: id,
          projectId: project.id,
          roles: [expect.objectContaining({ role: 'custom' })],
          createdAt: INSTANT,
          updatedAt: INSTANT,
        },
        permissions: [{ subject: 'tags', action: ['read'] }],
      },
    });
    const ann = await person();
    await add(project, ann, 'no-access');
    expect((await ann.call('GET', url)).body.data).toMatchObject({
      membership: { userId: ann.id, identityId: null },
      permissions: [],
    });
    expect((await test.as()('GET', url)).status).toBe(401);
    await same((await test.foreign()).call, 'GET', url, `/api/v1/workspace/${NOWHERE}/permissions`);
  });
});

describe('the machine identities of a project', () => {
  it('are added, read, changed and taken out', async () => {
    const project = await test.project();
    for (const base of [identities(project), at(project, '/identities')]) {
      const { id } = await test.identity();
      const url = `${base}/${id}`;
      const added = (await test.admin('POST', url, { role: 'viewer' })).body.identityMembership;
      expect(added).toEqual({
        id: expect.any(String),
        identityId: id,
        projectId: project.id,
        createdAt: INSTANT,
        updatedAt: INSTANT,
      });
      const { identityMembership } = (await test.admin('GET', url)).body;
      expect(identityMembership).toEqual({
        id: added.id,
        identityId: id,
        createdAt: added.createdAt,
        updatedAt: added.updatedAt,
        roles: [
          expect.objectContaining({
            role: 'viewer',
            isTemporary: false,
            customRoleId: null,
            temporaryAccessEndTime: null,
          }),
        ],
        identity: { id, name: 'machine', projectId: null, hasDeleteProtection: false, authMethods: ['token-auth'] },
        project: { id: project.id, name: project.slug, slug: project.slug, type: 'secret-manager' },
      });
      expect((await test.admin('GET', `/api/v2/workspace/identity-memberships/${added.id}`)).body).toEqual({
        identityMembership,
      });
      const start = test.coffer.now();
      const changed = await test.admin('PATCH', url, { roles: [temporary('member', start, '30m')] });
      expect(changed.body.roles).toEqual([
        expect.objectContaining({
          role: 'member',
          projectMembershipId: added.id,
          isTemporary: true,
          temporaryAccessEndTime: new Date(start.getTime() + HOUR / 2).toISOString(),
        }),
      ]);
      expect((await test.admin('PATCH', url, { roles: [] })).status).toBe(422);
      expect((await test.admin('DELETE', url)).body.identityMembership).toMatchObject({
        id: added.id,
        identityId: id,
        projectId: project.id,
      });
      expect((await test.admin('GET', url)).status).toBe(404);
      expect((await test.admin('DELETE', url)).status).toBe(404);
    }
  });

  it('are added once, with no access where no role is named, and only to roles that exist', async () => {
    const project = await test.project();
    const { id, call } = await test.identity();
    const url = identities(project, `/${id}`);
    expect((await test.admin('POST', url, { role: 'no-such-role' })).status).toBe(404);
    expect((await test.admin('POST', url, {})).status).toBe(200);
    expect((await test.admin('GET', url)).body.identityMembership.roles).toMatchObject([{ role: 'no-access' }]);
    expect((await call('GET', v1(project))).status).toBe(403);
    expect(await test.admin('POST', url, {})).toMatchObject({
      status: 400,
      body: { message: 'This identity is already a member' },
    });
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () =>
        test.admin('POST', identities(project, `/${(await test.identity()).id}`), permanently('viewer', 'member')),
      ),
    );
    expect(sorted(answers)).toEqual([200, 200, 200, 200]);
    const another = await test.identity();
    const race = await Promise.all(
      Array.from({ length: 4 }, () => test.admin('POST', identities(project, `/${another.id}`), {})),
    );
    expect(sorted(race)).toEqual([200, 400, 400, 400]);
  });

  it('are listed by name, in pages, and found by a part of their name', async () => {
    const project = await test.project();
    for (const name of ['beta', 'alpha', 'gamma%', 'delta']) {
      const { id } = (
        await test.admin('POST', '/api/v1/identities', { name, organizationId: test.organizationId, role: 'no-access' })
      ).body.identity;
      await test.admin('POST', identities(project, `/${id}`), { role: 'viewer' });
    }
    const names = async (query: string) => {
      const { body } = await test.admin('GET', `${identities(project)}?${query}`);
      return [
        body.totalCount,
        ...body.identityMemberships.map((one: { identity: { name: string } }) => one.identity.name),
      ];
    };
    expect(await names('')).toEqual([5, 'alpha', 'beta', 'delta', 'gamma%', 'machine']);
    expect(await names('limit=2&offset=1')).toEqual([5, 'beta', 'delta']);
    expect(await names('orderBy=name&orderDirection=desc&limit=1')).toEqual([5, 'machine']);
    expect(await names('search=ETA')).toEqual([1, 'beta']);
    expect(await names('search=%25')).toEqual([1, 'gamma%']);
    expect(await names('offset=10')).toEqual([5]);
    expect((await test.admin('GET', `${identities(project)}?limit=0`)).status).toBe(422);
    expect((await test.admin('GET', `${identities(project)}?orderBy=id`)).status).toBe(422);
    expect((await test.admin('GET', at(project, '/identities?limit=1'))).body).toMatchObject({ totalCount: 5 });
  });

  it("are returned as far as the caller's rules allow", async () => {
    const project = await test.project();
    const [seen, hidden] = [
      await test.identity({ projectId: project.id }),
      await test.identity({ projectId: project.id }),
    ];
    const { call } = await test.identity({
      projectId: project.id,
      rules: [
        { subject: 'identity', action: ['read', 'edit', 'delete', 'create'], conditions: { identityId: seen.id } },
      ],
    });
    const { body } = await call('GET', identities(project));
    expect(body).toMatchObject({ totalCount: 1, identityMemberships: [{ identityId: seen.id }] });
    for (const [method, payload] of [['GET'], ['POST', {}], ['PATCH', permanently('no-access')], ['DELETE']] as const) {
      expect((await call(method, identities(project, `/${hidden.id}`), payload)).status).toBe(403);
    }
    const theirs = (await test.admin('GET', identities(project, `/${hidden.id}`))).body.identityMembership.id;
    expect((await call('GET', `/api/v2/workspace/identity-memberships/${theirs}`)).status).toBe(403);
    expect((await call('PATCH', identities(project, `/${seen.id}`), permanently('no-access'))).status).toBe(200);
    expect((await call('DELETE', identities(project, `/${seen.id}`))).status).toBe(200);
  });

  it('need a token and their rights, and are unknown elsewhere', async () => {
    const [project, other] = [await test.project(), await test.project()];
    const foreign = await test.foreign();
    const { id } = await test.identity({ projectId: project.id });
    const membership = (await test.admin('GET', identities(project, `/${id}`))).body.identityMembership.id;
    const { call } = await test.identity({ projectId: project.id, rules: [{ subject: 'tags', action: 'read' }] });
    for (const [method, rest, body] of [
      ['GET', ''],
      ['GET', `/${id}`],
      ['POST', `/${id}`, {}],
      ['PATCH', `/${id}`, permanently('no-access')],
      ['DELETE', `/${id}`],
    ] as const) {
      expect((await test.as()(method, identities(project, rest), body)).status).toBe(401);
      expect((await call(method, identities(project, rest), body)).status).toBe(403);
      await same(foreign.call, method, identities(project, rest), identities({ id: NOWHERE }, rest), body);
      if (rest && method !== 'POST')
        await same(test.admin, method, identities(other, rest), identities(other, '/nothing'), body);
    }
    const byId = '/api/v2/workspace/identity-memberships/';
    expect((await test.as()('GET', byId + membership)).status).toBe(401);
    expect((await call('GET', byId + membership)).status).toBe(403);
    const outsider = await test.identity({ organizationRole: 'admin' });
    for (const caller of [foreign.call, outsider.call])
      await same(caller, 'GET', byId + membership, `${byId}${NOWHERE}`);
    await same(
      test.admin,
      'POST',
      identities(project, `/${foreign.identity.id}`),
      identities(project, `/${NOWHERE}`),
      {},
    );
    await same(test.admin, 'POST', identities(project, `/${foreign.identity.id}`), identities(project, '/nothing'), {});
  });
});

describe('no one gives away more than they hold', () => {
  const mayManage = ['identity', 'member'].map((subject) => ({
    subject,
    action: ['read', 'create', 'edit', 'delete'],
  }));

  it('by a role of a member', async () => {
    const project = await test.project();
    const { call } = await test.identity({ projectId: project.id, rules: mayManage });
    const [machine, ann] = [await test.identity(), await person()];
    const url = identities(project, `/${machine.id}`);
    for (const role of ['admin', 'member', 'viewer']) {
      const answer = await call('POST', url, { role });
      expect(answer).toMatchObject({ status: 403, body: { error: 'PermissionBoundaryError' } });
      expect(answer.body.details.missingPermissions[0]).toEqual({
        action: expect.any(String),
        subject: expect.any(String),
      });
      expect(
        (await call('POST', v2(project), { usernames: [ann.username], roleSlugs: ['no-access', role] })).body.error,
      ).toBe('PermissionBoundaryError');
    }
    expect((await call('POST', v2(project), { usernames: [ann.username] })).status).toBe(403);
    expect((await call('POST', url, { role: 'no-access' })).status).toBe(200);
    const { id } = (await call('POST', v2(project), { usernames: [ann.username], roleSlugs: ['no-access'] })).body
      .memberships[0];
    const later = [{ role: 'no-access' }, temporary('admin', new Date(test.coffer.now().getTime() + HOUR), '1h')];
    expect((await call('PATCH', url, { roles: later })).body.error).toBe('PermissionBoundaryError');
    expect((await call('PATCH', v1(project, `/${id}`), { roles: later })).body.error).toBe('PermissionBoundaryError');
    expect((await test.admin('PATCH', url, permanently('admin'))).status).toBe(200);
    expect((await machine.call('PATCH', v1(project, `/${id}`), permanently('admin'))).status).toBe(200);
  });

  it('also not to itself', async () => {
    const project = await test.project();
    const { id, call } = await test.identity({ projectId: project.id, rules: mayManage });
    expect((await call('PATCH', identities(project, `/${id}`), permanently('admin'))).body.error).toBe(
      'PermissionBoundaryError',
    );
    expect((await call('PATCH', identities(project, `/${id}`), permanently('viewer'))).body.error).toBe(
      'PermissionBoundaryError',
    );
  });

  it('nor by omitting a role that forbids', async () => {
    const project = await test.project();
    const slugs: string[] = [];
    for (const [slug, rule] of [
      ['all-tags', { subject: 'tags', action: ['read', 'create'] }],
      ['no-tags', { subject: 'tags', action: ['create'], inverted: true }],
    ] as const) {
      slugs.push((await test.admin('POST', roles(project), { slug, name: slug, permissions: [rule] })).body.role.slug);
    }
    const { id } = await test.identity({ projectId: project.id });
    const url = identities(project, `/${id}`);
    await test.admin('PATCH', url, permanently(...slugs));
    const { call } = await test.identity({
      projectId: project.id,
      rules: [...mayManage, { subject: 'tags', action: ['read'] }],
    });
    expect((await call('PATCH', url, permanently('all-tags'))).body.error).toBe('PermissionBoundaryError');
    expect((await call('PATCH', url, permanently('all-tags', 'no-tags'))).body.error).toBe('PermissionBoundaryError');
    // Each role counts alone: a caller who may not create tags cannot remove a role that allows it.
    expect((await call('PATCH', url, permanently('no-tags'))).body.error).toBe('PermissionBoundaryError');
    expect((await test.admin('PATCH', url, permanently('no-tags'))).status).toBe(200);
  });
});

describe('a temporary role', () => {
  it('is rejected with the name of the fault', async () => {
    const project = await test.project();
    const { id } = await test.identity();
    const role = { ...temporary('viewer', test.coffer.now(), '1h'), temporaryAccessStartTime: '2026-01-01' };
    const { status, body } = await test.admin('POST', identities(project, `/${id}`), {
      roles: [{ role: 'no-access' }, role],
    });
    expect([status, body.message]).toEqual([
      422,
      [
        expect.objectContaining({
          path: ['roles', 1, 'temporaryAccessStartTime'],
          message: expect.stringContaining('RFC 3339'),
        }),
      ],
    ]);
  });

  it('is valid from its start to its end, also without cleanup', async () => {
    const project = await test.project();
    const { id, call } = await test.identity();
    const start = new Date(test.coffer.now().getTime() + HOUR);
    await test.admin('POST', identities(project, `/${id}`), {
      roles: [{ role: 'no-access' }, temporary('viewer', start, '2h')],
    });
    const status = async () => (await call('GET', v1(project))).status;
    expect(await status()).toBe(403);
    test.advance(HOUR - 60_000);
    expect(await status()).toBe(403);
    test.advance(61_000);
    expect(await status()).toBe(200);
    test.advance(2 * HOUR - 62_000);
    expect(await status()).toBe(200);
    test.advance(62_000);
    expect(await status()).toBe(403);
    expect((await test.admin('GET', identities(project, `/${id}`))).body.identityMembership.roles).toHaveLength(2);
  });

  it('may be in the past, and then grants nothing', async () => {
    const project = await test.project();
    const { id, call } = await test.identity();
    await test.admin('POST', identities(project, `/${id}`), {
      roles: [temporary('admin', new Date(test.coffer.now().getTime() - 2 * HOUR), '1h')],
    });
    expect((await call('GET', v1(project))).status).toBe(403);
  });

  it('that forbids ends as well', async () => {
    const project = await test.project();
    await test.admin('POST', roles(project), {
      slug: 'not-now',
      name: 'x',
      permissions: [{ subject: 'member', action: 'read', inverted: true }],
    });
    const { id, call } = await test.identity();
    await test.admin('POST', identities(project, `/${id}`), {
      roles: [{ role: 'viewer' }, temporary('not-now', test.coffer.now(), '1h')],
    });
    expect((await call('GET', v1(project))).status).toBe(403);
    test.advance(HOUR + 1000);
    expect((await call('GET', v1(project))).status).toBe(200);
  });
});
