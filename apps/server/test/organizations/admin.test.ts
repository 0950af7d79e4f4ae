import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupUrl, identityUrl, ok, projectUrl, same, statuses, userUrl, type Ref } from '../harness/groups.ts';
import { Holders } from '../harness/holders.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const password = 'correct horse battery';
let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const holders = new Holders(() => test);

const LIST = '/api/v1/organization-admin/projects';
const enter = (projectId: string) => `${LIST}/${projectId}/grant-admin-access`;
const NO_ONE = '00000000-0000-4000-8000-000000000000';
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const mayEnterAll = { subject: 'organization-admin-console', action: ['access-all-projects'] };

const person = async (role: string, organizationId = test.organizationId) => {
  const user = await makeUser(test.coffer, { organizationId, role, password });
  return { ...user, username: user.email, call: test.as(user.token) };
};
/** The events of a project, or of the organization, with these names, the oldest first. */
const eventsOf = async (projectId: string, ...published: string[]) => {
  const { rows } = await test.coffer.pool.query<{ published: string; data: Record<string, unknown> }>(
    'select published, data from audit_events where project_id = $1 and published = any($2) order by created_at, id',
    [projectId, published],
  );
  return rows;
};
const membersUrl = ({ id }: Ref) => `/api/v1/projects/${id}/memberships`;
const identityMember = (project: Ref, identity: Ref) => `${membersUrl(project)}/identities/${identity.id}`;

describe('callers who may enter every project', () => {
  it('list all projects of the organization, by name, in pages', async () => {
    const { call } = await person('admin');
    for (const projectName of ['Zebra', 'Antelope', 'Zorilla'])
      await test.admin('POST', '/api/v1/projects', { projectName });
    expect(await ok(call('GET', `${LIST}?search=Z&limit=1`))).toEqual({
      count: 2,
      projects: [
        {
          id: expect.any(String),
          name: 'Zebra',
          slug: expect.stringMatching(/^zebra-/),
          description: null,
          type: 'secret-manager',
          orgId: test.organizationId,
          autoCapitalization: false,
          version: 3,
          upgradeStatus: null,
          pitVersionLimit: 10,
          kmsCertificateKeyId: null,
          auditLogsRetentionDays: null,
          createdAt: INSTANT,
          updatedAt: INSTANT,
        },
      ],
    });
    expect((await call('GET', `${LIST}?search=Z&offset=1`)).body.projects).toMatchObject([{ name: 'Zorilla' }]);
    expect((await call('GET', LIST)).body.count).toBe(3);
    const machine = await test.identity({ organizationRules: [mayEnterAll] });
    expect((await ok(machine.call('GET', LIST))).count).toBe(3);
    for (const wrong of ['limit=0', 'limit=101', 'offset=-1', `search=${'x'.repeat(256)}`])
      expect((await call('GET', `${LIST}?${wrong}`)).status).toBe(422);
  });

  it('become its administrators, immediately and in the published shape', async () => {
    const project = await test.project();
    const { id: userId, call } = await person('admin');
    expect((await call('GET', `/api/v1/workspace/${project.id}`)).status).toBe(404);
    const { membership } = await ok(call('POST', enter(project.id)));
    expect(membership).toEqual({
      id: expect.any(String),
      userId,
      projectId: project.id,
      createdAt: INSTANT,
      updatedAt: INSTANT,
    });
    expect((await call('PATCH', `/api/v1/projects/${project.id}`, { name: 'Mine' })).status).toBe(200);
    expect(await eventsOf(project.id, 'org-admin-accessed-project', 'add-workspace-member')).toEqual([
      {
        published: 'org-admin-accessed-project',
        data: { projectId: project.id, membershipId: membership.id, userId, identityId: null },
      },
    ]);
  });

  it('are machine identities as well', async () => {
    const project = await test.project();
    const { id: identityId, call } = await test.identity({ organizationRules: [mayEnterAll] });
    expect((await call('GET', `/api/v1/projects/${project.id}`)).status).toBe(404);
    const { membership } = await ok(call('POST', enter(project.id)));
    expect(membership).toEqual({
      id: expect.any(String),
      userId: null,
      identityId,
      projectId: project.id,
      createdAt: INSTANT,
      updatedAt: INSTANT,
    });
    expect((await call('PATCH', `/api/v1/projects/${project.id}`, { name: 'Mine' })).status).toBe(200);
    expect(await eventsOf(project.id, 'org-admin-accessed-project')).toMatchObject([{ data: { identityId } }]);
  });

  it('enter as often as they like, which changes nothing any more, also at the same time', async () => {
    const project = await test.project();
    const { call } = await person('admin');
    const answers = await Promise.all([1, 2, 3, 4].map(() => call('POST', enter(project.id))));
    answers.push(await call('POST', enter(project.id)));
    expect(statuses(answers)).toBe('200,200,200,200,200');
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.membership))).size).toBe(1);
    expect(await eventsOf(project.id, 'org-admin-accessed-project')).toHaveLength(1);
  });

  it('become only administrators, replacing their membership', async () => {
    const project = await test.project();
    const denier = await holders.projectRole(project, { subject: 'tags', action: ['read'], inverted: true });
    const { id, username, call } = await person('admin');
    const add = { usernames: [username], emails: [], roleSlugs: ['viewer', denier] };
    const [added] = (await ok(test.admin('POST', membersUrl(project), add))).memberships;
    const machine = await test.identity({ organizationRules: [mayEnterAll], projectId: project.id });
    await holders.privilege(project, machine, [{ subject: 'tags', action: ['read'], inverted: true }]);
    for (const [entering, membershipId] of [
      [call, added.id],
      [machine.call, expect.any(String)],
    ] as const) {
      expect((await entering('GET', `/api/v1/projects/${project.id}/tags`)).status).toBe(403);
      expect((await ok(entering('POST', enter(project.id)))).membership.id).toEqual(membershipId);
      expect((await entering('GET', `/api/v1/projects/${project.id}/tags`)).status).toBe(200);
    }
    const { membership } = await ok(test.admin('GET', `${membersUrl(project)}/${added.id}`));
    expect(membership).toMatchObject({ userId: id, roles: [{ role: 'admin', isTemporary: false }] });
    expect(membership.roles).toHaveLength(1);
  });

  it('can plan that before', async () => {
    const project = await test.project();
    const { call } = await test.identity({ organizationRules: [mayEnterAll] });
    const { plan } = await ok(call('POST', enter(project.id), { dryRun: true }));
    // A caller who is not a member yet gets only numbers, without contents.
    expect(plan).toMatchObject({ changes: [], hidden: { actors: 1 } });
    expect(plan.hidden.changes).toBeGreaterThan(100);
    expect((await call('GET', `/api/v1/projects/${project.id}`)).status).toBe(404);
    expect(await eventsOf(project.id, 'org-admin-accessed-project')).toEqual([]);
  });

  it('cannot be read from another organization', async () => {
    const { id: projectId } = await test.project();
    const { call } = await person('member');
    const foreign = await test.foreign();
    const foreigner = await person('admin', foreign.organizationId);
    const ended = await holders.ended();
    for (const [method, url] of [
      ['GET', LIST],
      ['POST', enter(projectId)],
    ] as const) {
      for (const nobody of [test.as(), ...ended]) expect((await nobody(method, url)).status).toBe(401);
      expect((await call(method, url)).body.error).toBe('PermissionDenied');
    }
    for (const theirs of [projectId, 'no-uuid'])
      for (const caller of [foreigner.call, foreign.call]) await same(caller, 'POST', enter(theirs), enter(NO_ONE));
    expect((await foreigner.call('GET', LIST)).body).toEqual({ projects: [], count: 0 });
    // A caller with access to all projects knows that a project exists, but needs the permission now.
    const fired = await person('admin');
    const memberships = `/api/v2/organizations/${test.organizationId}/memberships`;
    const { users } = await ok(test.admin('GET', memberships));
    const { id } = users.find((one: { userId: string }) => one.userId === fired.id);
    await ok(test.admin('PATCH', `${memberships}/${id}`, { role: 'member' }));
    expect((await fired.call('POST', enter(projectId))).status).toBe(403);
  });
});

describe('a user who is removed from the organization', () => {
  it.each([
    ['enters a project', (projectId: string) => enter(projectId)],
    ['makes a project', () => '/api/v1/projects'],
  ])('while it %s has none of these rights, also when it comes back', async (_, url) => {
    const project = await test.project();
    const { id, call } = await person('admin');
    const client = await test.coffer.pool.connect();
    try {
      await client.query('begin');
      await client.query('select 1 from organizations where id = $1 for no key update', [test.organizationId]);
      const asking = call('POST', url(project.id), { projectName: 'Mine' });
      const waiting = async () =>
        (
          await test.coffer.pool.query(
            `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
        ).rowCount;
      await expect.poll(waiting).toBe(1);
      await client.query('delete from memberships where user_id = $1', [id]);
      await client.query('commit');
      expect(await asking).toMatchObject({ status: 404, body: { message: 'There is no such organization' } });
    } finally {
      client.release();
    }
    const { rows } = await test.coffer.pool.query('select 1 from memberships where user_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('a project whose last administrator leaves the organization', () => {
  /** A project with one user, or one machine identity, as administrator. */
  const ruledByPerson = async () => {
    const [project, ann] = [await test.project(), await person('member')];
    await ok(test.admin('POST', membersUrl(project), { usernames: [ann.username], emails: [], roleSlugs: ['admin'] }));
    await ok(test.admin('DELETE', identityMember(project, test.adminIdentity)));
    const at = `/api/v2/organizations/${test.organizationId}/memberships`;
    const { users } = await ok(test.admin('GET', at));
    const { id } = users.find(({ userId }: { userId: string }) => userId === ann.id);
    return { project, ann, url: `${at}/${id}` };
  };
  const ruledByMachine = async () => {
    const project = await test.project();
    const machine = await test.identity({ projectId: project.id, projectRole: 'admin' });
    await ok(test.admin('DELETE', identityMember(project, test.adminIdentity)));
    return { project, machine, url: `/api/v1/identities/${machine.id}` };
  };
  const abandoned = (project: Ref) => eventsOf(project.id, 'project-left-without-admin');
  const noted = (project: Ref) => [{ published: 'project-left-without-admin', data: { projectId: project.id } }];
  /** An actor with access to all projects takes it over, and appoints others. */
  const recover = async (project: Ref, by: Caller) => {
    await ok(by('POST', enter(project.id)));
    const { username } = await person('no-access');
    await ok(by('POST', membersUrl(project), { usernames: [username], emails: [], roleSlugs: ['admin'] }));
  };

  it('does not prevent that, is recorded, and can be taken over', async () => {
    const removed = await ruledByPerson();
    await ok(test.admin('DELETE', removed.url));
    expect(await abandoned(removed.project)).toEqual(noted(removed.project));
    await recover(removed.project, (await person('admin')).call);

    const deactivated = await ruledByPerson();
    await ok(test.admin('PATCH', deactivated.url, { isActive: false }));
    expect(await abandoned(deactivated.project)).toEqual(noted(deactivated.project));
    await recover(deactivated.project, test.admin);
    await ok(test.admin('PATCH', deactivated.url, { isActive: true }));
    expect((await deactivated.ann.call('GET', membersUrl(deactivated.project))).status).toBe(200);

    const left = await ruledByPerson();
    await ok(left.ann.call('DELETE', left.url));
    expect(await abandoned(left.project)).toEqual(noted(left.project));

    const gone = await ruledByPerson();
    await ok(gone.ann.call('DELETE', '/api/v2/users/me', { password }));
    expect(await abandoned(gone.project)).toEqual(noted(gone.project));
    await recover(gone.project, test.admin);

    const deleted = await ruledByMachine();
    await ok(test.admin('DELETE', deleted.url));
    expect(await abandoned(deleted.project)).toEqual(noted(deleted.project));
    await recover(deleted.project, test.admin);
  });

  it('is recorded in the log of its own organization, whoever deletes the account', async () => {
    const { project, ann } = await ruledByPerson();
    const root = await makeUser(test.coffer, { isSuperAdmin: true });
    await ok(test.as(root.token)('DELETE', `/api/v1/admin/user-management/users/${ann.id}`));
    const { rows } = await test.coffer.pool.query(
      `select organization_id from audit_events where project_id = $1 and published = 'project-left-without-admin'`,
      [project.id],
    );
    expect(rows).toEqual([{ organization_id: test.organizationId }]);
  });

  it('is not recorded while another actor administers it', async () => {
    const { project, ann, url } = await ruledByPerson();
    await ok(ann.call('POST', identityMember(project, await test.identity()), { role: 'admin' }));
    await ok(test.admin('PATCH', url, { isActive: false }));
    await ok(test.admin('DELETE', url));
    expect(await abandoned(project)).toEqual([]);
  });

  it('is recorded once if the last two leave at the same time', async () => {
    for (let round = 0; round < 4; round++) {
      const { project, ann, url } = await ruledByPerson();
      const other = await test.identity();
      await ok(ann.call('POST', identityMember(project, other), { role: 'admin' }));
      const answers = await Promise.all([
        test.admin('DELETE', url),
        test.admin('DELETE', `/api/v1/identities/${other.id}`),
      ]);
      expect(statuses(answers)).toBe('200,200');
      expect(await abandoned(project)).toEqual(noted(project));
    }
  });

  it('is not recorded for a plan', async () => {
    const { project, url } = await ruledByPerson();
    await ok(test.admin('DELETE', `${url}?dryRun=true`));
    expect(await abandoned(project)).toEqual([]);
  });
});

describe('an actor who may enter all projects', () => {
  it('can leave a group that forbids it everything, and is an administrator then', async () => {
    const [project, group] = [await test.project(), await holders.make()];
    const { call, ...boss } = await person('admin');
    const everything = ['member', 'role', 'groups', 'identity', 'secrets', 'tags'].map((subject) => ({
      subject,
      action: ['read'],
      inverted: true,
    }));
    everything[0]!.action.push('create', 'edit', 'delete');
    await holders.letInto(project, group, { role: await holders.projectRole(project, ...everything) });
    await holders.putIn(group, boss);
    await ok(call('POST', enter(project.id)));
    expect((await call('GET', membersUrl(project))).status).toBe(403);
    expect((await call('DELETE', projectUrl(project, group))).status).toBe(200);
    expect((await call('GET', membersUrl(project))).status).toBe(200);

    await holders.letInto(project, group, { role: await holders.projectRole(project, ...everything) });
    expect((await call('GET', membersUrl(project))).status).toBe(403);
    expect((await call('DELETE', userUrl(group, boss))).status).toBe(200);
    expect((await call('GET', membersUrl(project))).status).toBe(200);
    const machine = await test.identity({ organizationRole: 'admin' });
    await holders.putIn(group, machine);
    await ok(machine.call('POST', enter(project.id)));
    expect((await machine.call('GET', membersUrl(project))).status).toBe(403);
    await ok(machine.call('DELETE', identityUrl(group, machine)));
    expect((await machine.call('GET', membersUrl(project))).status).toBe(200);
    await ok(machine.call('DELETE', groupUrl(group)));
  });
});
