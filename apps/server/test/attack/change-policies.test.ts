import { appRouter, operationsOf } from '@coffer/api';
import { loginMethodExamples } from '@coffer/domain/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { approvalTests, type Approvals, type Member } from '../harness/approvals.ts';
import { ok, statuses } from '../harness/groups.ts';
import type { Answer, TestServer } from '../harness/test-server.ts';

/** An actor of a project tries to change, alone, what others must approve. */

const POLICIES = '/api/v1/secret-approvals';
const MEMBER_WITH = (subject: string, ...action: string[]) => [{ subject, action }];

let test: TestServer;
let of: Approvals;
let ann: Member;
const groups = approvalTests(async (project) => {
  [test, of, ann] = [project.test, project, await project.member()];
});

/** Nothing was written: the write needs approvals. */
async function expectAsked(write: Promise<Answer>): Promise<string> {
  const { approval } = await ok(write);
  expect(approval.status).toBe('open');
  expect(await of.values()).toEqual({});
  return approval.id;
}

/** The status of granting a machine the permission to write secrets. */
const giveWrites = ({ call }: Member, identityId: string): Promise<Answer> =>
  call('POST', '/api/v2/identity-project-additional-privilege', {
    projectId: of.project.id,
    identityId,
    permissions: [{ subject: 'secrets', action: ['create'] }],
    type: { isTemporary: false },
  });

const beyond = { status: 403, body: { error: 'PermissionBoundaryError' } };

describe('attack: change policies', () => {
  it('writing with a service token of one’s own, and approving that oneself', async () => {
    const mallory = await of.member();
    await of.policy([ann, mallory]);
    const token = await of.serviceToken(mallory.call);
    const id = await expectAsked(of.write(token.call, 'A', '1'));
    expect((await of.review(mallory.call, id)).status).toBe(403);
    for (const call of [mallory.call, token.call]) expect((await of.merge(call, id, 'It burns')).status).toBe(400);
    expect(await of.values()).toEqual({});
  });

  it.each([
    ['deleted', 'DELETE', {}],
    ['changed', 'PATCH', { secretValue: '2', tagIds: [] }],
  ] as const)(
    'restoring a %s secret with a deleted tag that the approvers are not shown',
    async (_, method, change) => {
      const { admin } = test;
      const url = `/api/v1/projects/${of.project.id}`;
      const { tag } = await ok(admin('POST', `${url}/tags`, { slug: 'public', color: '' }));
      await ok(admin('POST', '/api/v4/secrets/A', { ...of.place(), secretValue: '1', tagIds: [tag.id] }));
      const { revision } = (await ok(admin('GET', `${url}/history/tree`))).tree;
      await ok(admin(method, '/api/v4/secrets/A', { ...of.place(), ...change }));
      await ok(admin('DELETE', `${url}/tags/${tag.id}`));
      await of.policy([ann]);
      const mallory = await of.member();
      const { id } = (await ok(mallory.call('POST', `${url}/history/restore`, { ...of.place(), revision }))).approval;
      const after = async () => (await ok(of.get(ann.call, id))).approval.commits[0].after;
      expect((await after()).tags).toEqual([{ id: tag.id, slug: 'public' }]);
      await ok(of.review(ann.call, id));
      await ok(of.merge(mallory.call, id));
      expect((await ok(admin('GET', `${url}/tags`))).workspaceTags).toMatchObject([{ id: tag.id, slug: 'public' }]);
      await ok(admin('DELETE', '/api/v4/secrets/A', of.place()));
      await ok(admin('DELETE', `${url}/tags/${tag.id}`));
      expect((await after()).tags).toEqual([]);
    },
  );

  it('writing as a machine identity that one made, and approving that oneself', async () => {
    const mallory = await of.member('member', MEMBER_WITH('identity', 'read', 'create-token'));
    await of.policy([ann, mallory]);
    const robot = await of.logIn(mallory.call, await of.projectIdentity(mallory.call));
    const id = await expectAsked(of.write(robot, 'A', '1'));
    expect((await of.review(mallory.call, id)).status).toBe(403);
    expect((await of.merge(robot, id, 'It burns')).status).toBe(400);
  });

  it('adding a weaker policy closer to the path', async () => {
    const mallory = await of.member('member', MEMBER_WITH('secret-approval', 'read', 'create'));
    await of.policy([ann]);
    const own = {
      workspaceId: of.project.id,
      environment: 'prod',
      secretPath: '/',
      approvers: [{ type: 'user', id: mallory.id }],
      allowedSelfApprovals: true,
      enforcementLevel: 'soft',
    };
    await ok(mallory.call('POST', POLICIES, own));
    const id = await expectAsked(of.write(mallory.call, 'A', '1'));
    await of.review(mallory.call, id);
    for (const reason of [undefined, 'It burns']) expect((await of.merge(mallory.call, id, reason)).status).toBe(400);
    expect(await of.values()).toEqual({});
  });

  it('adding a weaker access policy for more than the strict one, and asking for rights under it', async () => {
    const mallory = await of.member('viewer', MEMBER_WITH('secret-approval', 'read', 'create'));
    const accomplice = await of.member();
    const url = '/api/v1/access-approvals/policies';
    const make = (call: Member['call'], approvers: Member[], more: object) =>
      ok(
        call('POST', url, {
          projectSlug: of.project.slug,
          environment: 'prod',
          approvers: approvers.map(({ id }) => ({ type: 'user', id })),
          ...more,
        }),
      );
    await make(test.admin, [ann], { secretPath: '/**' });
    for (const secretPath of [undefined, '/', '/{,x}']) await make(mallory.call, [accomplice], { secretPath });
    for (const secretPath of [undefined, '/', { $glob: '/**' }]) {
      const conditions = { environment: 'prod', ...(secretPath !== undefined && { secretPath }) };
      const { approval } = await ok(
        mallory.call('POST', `/api/v1/access-approvals/requests?projectSlug=${of.project.slug}`, {
          permissions: [{ subject: 'secrets', action: ['edit'], conditions }],
          isTemporary: false,
        }),
      );
      await ok(
        accomplice.call('POST', `/api/v1/access-approvals/requests/${approval.id}/review`, { status: 'approved' }),
      );
      expect((await of.change(mallory.call, 'NONE', { secretValue: 'x' })).status).toBe(403);
    }
  });

  it('exempting a machine without the right to edit policies', async () => {
    const mallory = await of.member('member', MEMBER_WITH('secret-approval', 'read', 'create'));
    const { id } = await of.policy([ann]);
    const robot = await of.projectIdentity(mallory.call);
    const own = { workspaceId: of.project.id, environment: 'prod', approvers: [{ type: 'user', id: mallory.id }] };
    for (const more of [{ exemptIdentityIds: [robot] }, { exemptMachines: true }]) {
      expect((await mallory.call('POST', POLICIES, { ...own, ...more })).status).toBe(403);
      expect((await mallory.call('PATCH', `${POLICIES}/${id}`, more)).status).toBe(403);
    }
  });

  it('issuing oneself a credential for an identity that is exempt', async () => {
    const mallory = await of.member(
      'member',
      MEMBER_WITH('identity', 'read', 'create', 'edit', 'delete', 'create-token', 'delete-token'),
    );
    const robot = await of.projectIdentity();
    const { id } = await of.policy([ann], { exemptIdentityIds: [robot] });
    const [universal, token] = ['universal-auth', 'token-auth'].map(
      (kind) => `/api/v1/auth/${kind}/identities/${robot}`,
    );
    const attempts = [
      () => mallory.call('POST', `${universal}/client-secrets`, {}),
      () => mallory.call('PATCH', universal!, { accessTokenTTL: 60 }),
      () => mallory.call('POST', token!, {}),
      () => mallory.call('DELETE', universal!),
    ];
    for (const attempt of attempts) expect(await attempt()).toMatchObject(beyond);
    // Also while it is out of the project, and where another policy exempts all machines.
    const members = `/api/v1/projects/${of.project.id}/memberships/identities/${robot}`;
    await ok(test.admin('DELETE', members));
    expect(await attempts[0]!()).toMatchObject(beyond);
    await ok(test.admin('POST', members, { role: 'member' }));
    await ok(test.admin('PATCH', `${POLICIES}/${id}`, { exemptIdentityIds: [], exemptMachines: true }));
    expect(await attempts[0]!()).toMatchObject(beyond);
    await ok(test.admin('PATCH', `${POLICIES}/${id}`, { exemptMachines: false }));
    await expectAsked(of.write(await of.logIn(mallory.call, robot), 'A', '1'));
  });

  it('every operation that gives an exempt identity a way to log in, also one that comes later', async () => {
    const mallory = await of.member(
      'member',
      MEMBER_WITH('identity', 'read', 'create', 'edit', 'delete', 'create-token', 'delete-token'),
    );
    const [bare, equipped] = [await of.projectIdentity(), await of.projectIdentity()];
    await ok(test.admin('DELETE', `/api/v1/auth/universal-auth/identities/${bare}`));
    for (const [kind, { least }] of Object.entries(loginMethodExamples))
      if (kind !== 'universal-auth') await ok(test.admin('POST', `/api/v1/auth/${kind}/identities/${equipped}`, least));
    await of.policy([ann], { exemptIdentityIds: [bare, equipped] });
    const issuing = operationsOf(appRouter).filter(({ path }) =>
      /^\w+Auth\.(attach|update|createToken|createClientSecret)$/.test(path),
    );
    const refused: string[] = [];
    for (const { path, method, url } of issuing) {
      const kind = Object.keys(loginMethodExamples).find((one) => url.includes(`/${one}/`))!;
      const isAttaching = path.endsWith('.attach');
      const body = isAttaching ? loginMethodExamples[kind]!.least : {};
      const answer = await mallory.call(method, url.replace('{identityId}', isAttaching ? bare : equipped), body);
      if (answer.status === 403 && answer.body.error === 'PermissionBoundaryError') refused.push(path);
    }
    expect(refused).toEqual(issuing.map(({ path }) => path));
    expect(refused.length).toBeGreaterThan(2 * Object.keys(loginMethodExamples).length);
  });

  it('making oneself a machine where a policy exempts all of them', async () => {
    const mallory = await of.member(
      'member',
      MEMBER_WITH('identity', 'read', 'create', 'edit', 'create-token', 'grant-privileges'),
    );
    const robot = await of.projectIdentity(test.admin, 'viewer');
    await of.policy([ann], { exemptIdentityIds: [], exemptMachines: true });
    const project = `/api/v1/projects/${of.project.id}`;
    const token = (permissions: string[]) =>
      mallory.call('POST', '/api/v2/service-token', {
        name: 'x',
        workspaceId: of.project.id,
        scopes: [{ environment: 'prod', secretPath: '/**' }],
        permissions,
        expiresIn: 3600,
      });
    const roles = [{ role: 'member', isTemporary: false }];
    for (const attempt of [
      () => token(['read', 'write']),
      () => mallory.call('POST', `${project}/identities`, { name: 'x', roles }),
      () => mallory.call('PATCH', `${project}/memberships/identities/${robot}`, { roles }),
      () => giveWrites(mallory, robot),
    ])
      expect(await attempt()).toMatchObject(beyond);
    await ok(token(['read']));
  });

  it('bringing a machine into a project that exempts all of them, by a group', async () => {
    const group = await groups.make();
    await groups.letInto(of.project, group, { role: 'member' });
    const robot = await test.identity();
    const mallory = await test.identity({
      organizationRules: [{ subject: 'groups', action: ['read', 'add-identities'] }],
    });
    const members = `/api/v1/projects/${of.project.id}/memberships/identities/${mallory.id}`;
    await ok(test.admin('POST', members, { role: 'member' }));
    const join = () => mallory.call('POST', `/api/v1/groups/${group.id}/machine-identities/${robot.id}`);
    const { id } = await of.policy([ann], { exemptIdentityIds: [], exemptMachines: true });
    expect(await join()).toMatchObject(beyond);
    await ok(test.admin('PATCH', `${POLICIES}/${id}`, { exemptMachines: false }));
    await ok(join());
  });

  it('approving as the user who issued the credentials of the deleted identity that created a machine', async () => {
    const maker = await of.role(MEMBER_WITH('identity', 'read', 'create', 'edit', 'delete', 'create-token'));
    const mallory = await of.member('member', maker);
    await of.policy([ann, mallory]);
    const middle = await of.projectIdentity(mallory.call);
    const roles = ['member', maker].map((role) => ({ role, isTemporary: false }));
    await ok(test.admin('PATCH', `/api/v1/projects/${of.project.id}/memberships/identities/${middle}`, { roles }));
    const asMiddle = await of.logIn(mallory.call, middle);
    const robot = await of.logIn(asMiddle, await of.projectIdentity(asMiddle));
    const id = await expectAsked(of.write(robot, 'A', '1'));
    expect((await of.review(mallory.call, id)).status).toBe(403);
    await ok(mallory.call('DELETE', `/api/v1/projects/${of.project.id}/identities/${middle}`));
    expect((await of.review(mallory.call, id)).status).toBe(403);
    expect(await of.values()).toEqual({});
  });

  const environmentUrl = async (slug: string) => {
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      'select id from environments where project_id = $1 and slug = $2',
      [of.project.id, slug],
    );
    return `/api/v1/projects/${of.project.id}/environments/${rows[0]!.id}`;
  };

  it.each(['/', '/billing', '/payments/**'])(
    'removing or renaming the environment, with a machine, where a policy covers %s',
    async (secretPath) => {
      const robot = await test.identity({ projectId: of.project.id, projectRole: 'admin' });
      await of.policy([ann], { secretPath });
      const url = await environmentUrl('prod');
      expect((await robot.call('DELETE', url)).status).toBe(400);
      expect((await robot.call('PATCH', url, { slug: 'old-prod' })).status).toBe(400);
    },
  );

  it('giving rights to an identity that a policy exempts by name', async () => {
    const mallory = await of.member('member', MEMBER_WITH('identity', 'read', 'create', 'edit', 'grant-privileges'));
    const robot = await of.projectIdentity(test.admin, 'no-access');
    const { id } = await of.policy([ann], { exemptIdentityIds: [robot, test.adminIdentity.id] });
    const members = `/api/v1/projects/${of.project.id}/memberships/identities/${robot}`;
    const roles = [{ role: 'member', isTemporary: false }];
    const give = () => [() => mallory.call('PATCH', members, { roles }), () => giveWrites(mallory, robot)];
    for (const attempt of give()) expect(await attempt()).toMatchObject(beyond);
    await ok(test.admin('PATCH', `${POLICIES}/${id}`, { exemptIdentityIds: [test.adminIdentity.id] }));
    for (const attempt of give()) await ok(attempt());
  });

  it('giving rights to such an identity by the custom role that it has', async () => {
    const mallory = await of.member('member', MEMBER_WITH('role', 'read', 'create', 'edit'));
    const role = await of.role(MEMBER_WITH('secrets', 'describeSecret'));
    const robot = await of.projectIdentity(test.admin, role);
    await of.policy([ann], { exemptIdentityIds: [robot, test.adminIdentity.id] });
    const roles = `/api/v1/projects/${of.project.id}/roles`;
    const { id } = (await ok(test.admin('GET', `${roles}/slug/${role}`))).role;
    const edit = (...actions: string[]) =>
      mallory.call('PATCH', `${roles}/${id}`, { permissions: MEMBER_WITH('secrets', ...actions) });
    expect(await edit('describeSecret', 'create', 'edit')).toMatchObject(beyond);
    await ok(edit('describeSecret'));
  });

  it('making, loosening or deleting a policy, or exempting a machine, by a right that ends', async () => {
    const mallory = await of.member();
    const role = await of.role(MEMBER_WITH('secret-approval', 'read', 'create', 'edit', 'delete'));
    const temporary = {
      ...{ role, isTemporary: true, temporaryMode: 'relative', temporaryRange: '10m' },
      temporaryAccessStartTime: test.coffer.now().toISOString(),
    };
    const member = `/api/v1/projects/${of.project.id}/memberships/${mallory.membershipId}`;
    await ok(test.admin('PATCH', member, { roles: [{ role: 'member', isTemporary: false }, temporary] }));
    const robot = await of.projectIdentity();
    const { id } = await of.policy([ann]);
    const approvers = [{ type: 'user', id: mallory.id }];
    for (const change of [
      { exemptIdentityIds: [robot] },
      { exemptMachines: true },
      { approvers },
      { secretPath: '/x' },
    ])
      expect(await mallory.call('PATCH', `${POLICIES}/${id}`, change)).toMatchObject(beyond);
    expect(await mallory.call('DELETE', `${POLICIES}/${id}`)).toMatchObject(beyond);
    const own = { workspaceId: of.project.id, environment: 'prod', approvers };
    expect(await mallory.call('POST', POLICIES, { ...own, exemptIdentityIds: [robot] })).toMatchObject(beyond);
    expect(await mallory.call('POST', POLICIES, own)).toMatchObject(beyond);
    await ok(mallory.call('PATCH', `${POLICIES}/${id}`, { name: 'prod' }));
  });

  it('ending policies with their environment, by a machine that they exempt, or those for access requests', async () => {
    const robot = await test.identity({ projectId: of.project.id, projectRole: 'member' });
    const url = await environmentUrl('prod');
    const { id } = await of.policy([ann], { exemptIdentityIds: [robot.id, test.adminIdentity.id] });
    expect((await robot.call('DELETE', url)).status).toBe(403);
    expect((await robot.call('PATCH', url, { slug: 'old-prod' })).status).toBe(403);
    await ok(test.admin('DELETE', `${POLICIES}/${id}`));
    await ok(
      test.admin('POST', '/api/v1/access-approvals/policies', {
        ...{ projectSlug: of.project.slug, environment: 'prod', secretPath: '/' },
        approvers: [{ type: 'user', id: ann.id }],
      }),
    );
    expect((await robot.call('DELETE', url)).status).toBe(403);
    await ok(test.admin('DELETE', url));
  });

  describe('ending the policy of a folder by another name of it,', () => {
    const rename = ({ call }: Pick<Member, 'call'>, { id }: { id: string }, name: string, path = '/') =>
      call('PATCH', `/api/v2/folders/${id}`, { ...of.place(), path, name });
    const robots = async () => {
      const robot = await test.identity({ projectId: of.project.id, projectRole: 'member' });
      return [robot, { exemptIdentityIds: [robot.id, test.adminIdentity.id] }] as const;
    };

    it('or of one above it, by a machine that it exempts', async () => {
      const [robot, exempt] = await robots();
      const folder = await of.folder('/', 'app');
      const above = await of.folder('/', 'team');
      await of.folder('/team', 'app');
      for (const secretPath of ['/app', '/team/*']) await of.policy([ann], { ...exempt, secretPath });
      expect((await rename(robot, folder, 'app2')).status).toBe(403);
      expect((await rename(robot, above, 'crew')).status).toBe(403);
      await ok(rename({ call: test.admin }, folder, 'app2'));
    });

    it('by restoring a name that it had before, by such a machine, but not where the policy covers both', async () => {
      const [robot, exempt] = await robots();
      const folder = await of.folder('/', 'draft');
      await of.secret('KEY', 'GENUINE', '/draft');
      const { tree } = await ok(test.admin('GET', `/api/v1/projects/${of.project.id}/history/tree?environment=prod`));
      await ok(rename({ call: test.admin }, folder, 'app'));
      const { id } = await of.policy([ann], { ...exempt, secretPath: '/app' });
      const restore = () =>
        robot.call('POST', `/api/v1/projects/${of.project.id}/history/restore`, {
          ...{ environment: 'prod', secretPath: '/', revision: tree.revision },
        });
      expect((await restore()).status).toBe(403);
      await ok(test.admin('PATCH', `${POLICIES}/${id}`, { secretPath: '/{app,draft}' }));
      await ok(restore());
    });

    it('or by moving a secret to which others refer, by such a machine', async () => {
      const [robot, exempt] = await robots();
      for (const name of ['app', 'free']) await of.folder('/', name);
      const secrets = [await of.secret('KEY', 'GENUINE', '/app'), await of.secret('ALONE', '1', '/app')];
      await of.secret('REF', '${prod.app.KEY}');
      for (const secretPath of ['/app', '/']) await of.policy([ann], { ...exempt, secretPath });
      const move = ({ id }: { id: string }) =>
        robot.call('POST', '/api/v4/secrets/move', {
          ...{ projectId: of.project.id, secretIds: [id], shouldOverwrite: false },
          ...{ sourceEnvironment: 'prod', sourceSecretPath: '/app' },
          ...{ destinationEnvironment: 'prod', destinationSecretPath: '/free' },
        });
      expect((await move(secrets[0])).status).toBe(403);
      await ok(move(secrets[1]));
    });

    it('or by moving a secret to which only the personal value of somebody refers', async () => {
      const [robot, exempt] = await robots();
      for (const name of ['app', 'free']) await of.folder('/', name);
      const key = await of.secret('KEY', 'GENUINE', '/app');
      await of.secret('REF', 'of everybody');
      const victim = await of.member();
      const own = { ...of.place(), secretPath: '/', type: 'personal', secretValue: '${prod.app.KEY}' };
      await ok(victim.call('POST', '/api/v4/secrets/REF', own));
      for (const secretPath of ['/app', '/']) await of.policy([ann], { ...exempt, secretPath });
      const moved = await robot.call('POST', '/api/v4/secrets/move', {
        ...{ projectId: of.project.id, secretIds: [key.id], shouldOverwrite: false },
        ...{ sourceEnvironment: 'prod', sourceSecretPath: '/app' },
        ...{ destinationEnvironment: 'prod', destinationSecretPath: '/free' },
      });
      expect(moved.status).toBe(403);
    });

    it('where it is for access requests, by anybody', async () => {
      const mallory = await of.member();
      const folder = await of.folder('/', 'app');
      await ok(
        test.admin('POST', '/api/v1/access-approvals/policies', {
          ...{ projectSlug: of.project.slug, environment: 'prod', secretPath: '/app' },
          approvers: [{ type: 'user', id: ann.id }],
        }),
      );
      expect((await rename(mallory, folder, 'app2')).status).toBe(403);
      await ok(rename({ call: test.admin }, folder, 'app2'));
    });

    it('above a place that it covers, where there is no folder yet, but to which a covered folder refers', async () => {
      const mallory = await of.member();
      const team = await of.folder('/', 'team');
      await of.secret('REF', '${prod.team.app.KEY}');
      for (const secretPath of ['/team/app', '/']) await of.policy([ann], { secretPath });
      expect(await ok(rename(mallory, team, 'crew'))).toMatchObject({ approval: { status: 'open' } });
      expect(await of.values()).toEqual({ REF: '${prod.team.app.KEY}' });
    });
  });

  it('opening the account of an invited member of the group that approves', async () => {
    const group = await groups.make();
    await groups.letInto(of.project, group, { role: 'no-access' });
    const inviter = await test.identity({ organizationRules: [{ subject: 'member', action: ['read', 'create'] }] });
    const inviteeEmails = [`later-${of.project.id}@example.com`];
    const invite = { inviteeEmails, organizationId: test.organizationId, organizationRoleSlug: 'no-access' };
    await ok(test.admin('POST', '/api/v1/invite-org/signup', invite));
    await ok(test.admin('POST', `/api/v1/groups/${group.id}/users/${inviteeEmails[0]}`));
    const again = () => inviter.call('POST', '/api/v1/invite-org/signup', invite);
    await ok(again());
    await of.policy([ann], { approvers: [{ type: 'group', id: group.id }] });
    expect(await again()).toMatchObject(beyond);
  });

  it('letting an approver into the project again who was taken out', async () => {
    const mallory = await of.member('member', MEMBER_WITH('member', 'read', 'create'));
    const zed = await of.member();
    const { id } = await of.policy([ann, zed]);
    await of.remove(zed);
    const add = { usernames: [zed.email], emails: [], roleSlugs: ['no-access'] };
    const letIn = () => mallory.call('POST', `/api/v1/projects/${of.project.id}/memberships`, add);
    expect(await letIn()).toMatchObject(beyond);
    await ok(test.admin('PATCH', `${POLICIES}/${id}`, { approvers: [{ type: 'user', id: ann.id }] }));
    await ok(letIn());
  });

  describe('letting in, by a group, an approver who was taken out of the project:', () => {
    const project = (...action: string[]) => [{ subject: 'groups', action }];
    const letIn = (group: { id: string }) =>
      [`/api/v1/projects/${of.project.id}/memberships/groups/${group.id}`, { role: 'no-access' }] as const;
    const joining = (group: { id: string }, { email }: Member) => `/api/v1/groups/${group.id}/users/${email}`;
    const organizationRules = [{ subject: 'groups', action: ['read', 'add-members'] }];

    /** Prepares it: the approvers, the attempt, and the rest of the policy if it is allowed. */
    const ways: Record<string, (zed: Member) => Promise<[approvers: object[], attempt: () => Promise<Answer>]>> = {
      'a group that the policy names': async (zed) => {
        const mallory = await of.member('member', project('read', 'create'));
        const group = await groups.make();
        await groups.letInto(of.project, group, { role: 'no-access' });
        await ok(test.admin('POST', joining(group, zed)));
        return [[{ type: 'group', id: group.id }], () => mallory.call('POST', ...letIn(group))];
      },
      'another group of a user whom it names': async (zed) => {
        const mallory = await of.member('member', project('read', 'create'));
        const group = await groups.make();
        await ok(test.admin('POST', joining(group, zed)));
        return [[{ type: 'user', id: zed.id }], () => mallory.call('POST', ...letIn(group))];
      },
      'another group of a user in a group that it names': async (zed) => {
        const mallory = await of.member('member', project('read', 'create'));
        const [named, group] = [await groups.make(), await groups.make()];
        await groups.letInto(of.project, named, { role: 'no-access' });
        for (const one of [named, group]) await ok(test.admin('POST', joining(one, zed)));
        return [[{ type: 'group', id: named.id }], () => mallory.call('POST', ...letIn(group))];
      },
      'a group that is in the project, which a user joins whom it names': async (zed) => {
        const mallory = await test.identity({ organizationRules, projectId: of.project.id, projectRole: 'member' });
        const group = await groups.make();
        await groups.letInto(of.project, group, { role: 'no-access' });
        return [[{ type: 'user', id: zed.id }], () => mallory.call('POST', joining(group, zed))];
      },
      'such a group, which a user joins who is in a group that it names': async (zed) => {
        const mallory = await test.identity({ organizationRules, projectId: of.project.id, projectRole: 'member' });
        const [named, group] = [await groups.make(), await groups.make()];
        for (const one of [named, group]) await groups.letInto(of.project, one, { role: 'no-access' });
        await ok(test.admin('POST', joining(named, zed)));
        return [[{ type: 'group', id: named.id }], () => mallory.call('POST', joining(group, zed))];
      },
    };

    it.each(Object.keys(ways))('%s', async (way) => {
      const zed = await of.member();
      const [approvers, attempt] = await ways[way]!(zed);
      const { id } = await of.policy([], { approvers: [{ type: 'user', id: ann.id }, ...approvers] });
      await of.remove(zed);
      for (const one of approvers as { type: string; id: string }[])
        if (one.type === 'group')
          await ok(test.admin('DELETE', `/api/v1/projects/${of.project.id}/memberships/groups/${one.id}`));
      expect(await attempt()).toMatchObject(beyond);
      await ok(test.admin('PATCH', `${POLICIES}/${id}`, { approvers: [{ type: 'user', id: ann.id }] }));
      await ok(attempt());
    });
  });

  it('coming back as an approver by a right to enter all projects that ends', async () => {
    const zed = await of.member();
    const { id } = await of.policy([ann, zed]);
    await of.remove(zed);
    const until = new Date(test.coffer.now().getTime() + 600_000);
    const role = await groups.organizationRole({
      subject: 'organization-admin-console',
      action: ['access-all-projects'],
    });
    await test.coffer.pool.query(
      `update membership_roles r set role = 'custom', custom_role_id = $2, is_temporary = true, temporary_mode = 'relative',
         temporary_range = '10m', temporary_access_start_time = now() - interval '1 day', temporary_access_end_time = $3
       from memberships m where m.id = r.membership_id and m.user_id = $1 and m.project_id is null`,
      [zed.id, role.id, until],
    );
    const enter = () => zed.call('POST', `/api/v1/organization-admin/projects/${of.project.id}/grant-admin-access`);
    expect(await enter()).toMatchObject(beyond);
    await ok(test.admin('PATCH', `${POLICIES}/${id}`, { approvers: [{ type: 'user', id: ann.id }] }));
    await ok(enter());
  });

  it.each(['a machine that is exempt', 'an approver who was taken out'])(
    'letting a group into the project while it is joined by %s: one of the two is refused',
    async (who) => {
      const isMachine = who.startsWith('a machine');
      const zed = await of.member();
      const robot = await test.identity({ projectId: of.project.id, projectRole: 'no-access' });
      await of.policy([ann, zed], { exemptIdentityIds: [robot.id, test.adminIdentity.id] });
      await of.remove(zed);
      const mallory = await test.identity({
        organizationRules: [{ subject: 'groups', action: ['read', 'add-members', 'add-identities'] }],
        projectId: of.project.id,
        rules: [...MEMBER_WITH('groups', 'read', 'create'), ...MEMBER_WITH('secrets', 'create')],
      });
      const role = await of.role(MEMBER_WITH('secrets', 'create'));
      const outcomes: string[] = [];
      for (let round = 0; round < 12; round++) {
        const group = await groups.make();
        const [url, member] = [
          `/api/v1/groups/${group.id}`,
          isMachine ? `machine-identities/${robot.id}` : `users/${zed.email}`,
        ];
        const project = `/api/v1/projects/${of.project.id}/memberships/groups/${group.id}`;
        const calls = [() => mallory.call('POST', `${url}/${member}`), () => mallory.call('POST', project, { role })];
        const order = round % 2 === 0 ? calls : calls.toReversed();
        const answers = await Promise.all(order.map((call) => call()));
        outcomes.push(statuses(answers));
        await ok(test.admin('DELETE', url));
      }
      expect(outcomes).toEqual(outcomes.map(() => '200,403'));
    },
  );

  it('giving the tag of an approved change another slug before it is merged', async () => {
    const mallory = await of.member('member');
    const tags = `/api/v1/projects/${of.project.id}/tags`;
    const { tag } = await ok(mallory.call('POST', tags, { slug: 'internal', color: '' }));
    await of.secret('A', '1');
    await of.policy([ann]);
    const id = (await ok(of.change(mallory.call, 'A', { tagIds: [tag.id] }))).approval.id;
    await ok(of.review(ann.call, id));
    await ok(mallory.call('PATCH', `${tags}/${tag.id}`, { slug: 'public', color: '' }));
    const { status, body } = await of.merge(mallory.call, id);
    expect([status, body.details.conflicts[0].reason]).toEqual([400, 'renamed']);
  });

  it('letting an accomplice into the group that approves', async () => {
    const group = await groups.make();
    await groups.letInto(of.project, group, { role: 'no-access' });
    const mallory = await test.identity({
      organizationRules: [{ subject: 'groups', action: ['read', 'add-members'] }],
    });
    const members = `/api/v1/projects/${of.project.id}/memberships/identities/${mallory.id}`;
    await ok(test.admin('POST', members, { role: 'member' }));
    const accomplice = await of.member();
    const { id } = await of.policy([ann]);
    const join = () => mallory.call('POST', `/api/v1/groups/${group.id}/users/${accomplice.email}`);
    const approvers = [
      { type: 'user', id: ann.id },
      { type: 'group', id: group.id },
    ];
    await ok(test.admin('PATCH', `${POLICIES}/${id}`, { approvers }));
    expect(await join()).toMatchObject(beyond);
    await ok(test.admin('PATCH', `${POLICIES}/${id}`, { approvers: approvers.slice(0, 1) }));
    await ok(join());
  });

  it('changing the tags of a covered secret, by giving the tag another slug or deleting it', async () => {
    const robot = await test.identity({ projectId: of.project.id, projectRole: 'member' });
    const tags = `/api/v1/projects/${of.project.id}/tags`;
    const [used, unused] = await Promise.all(
      ['used', 'unused'].map(async (slug) => (await ok(test.admin('POST', tags, { slug, color: '' }))).tag.id),
    );
    await of.secret('T', '1');
    const place = { projectSlug: of.project.slug, environment: 'prod', secretPath: '/', type: 'shared' };
    await ok(test.admin('POST', '/api/v3/secrets/tags/T', { ...place, tagSlugs: ['used'] }));
    await of.policy([ann]);
    const refusal = { status: 400, body: { message: expect.stringContaining('covers / in prod') } };
    expect(await robot.call('PATCH', `${tags}/${used}`, { slug: 'other', color: '' })).toMatchObject(refusal);
    expect(await robot.call('DELETE', `${tags}/${used}`)).toMatchObject(refusal);
    await ok(robot.call('PATCH', `${tags}/${unused}`, { slug: 'other', color: '' }));
    await ok(robot.call('DELETE', `${tags}/${unused}`));
  });

  describe('giving the name of what was approved to something else before it is merged', () => {
    const RULES = [
      { subject: 'environments', action: ['read', 'edit'] },
      { subject: 'secret-folders', action: ['read', 'create', 'edit', 'delete'] },
      { subject: 'secret-imports', action: ['read', 'create', 'edit'] },
      { subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit'] },
    ];
    const renameEnvironments = async (mallory: Member) => {
      const [staging, dev] = [await environmentUrl('staging'), await environmentUrl('dev')];
      await ok(mallory.call('PATCH', staging, { slug: 'was-staging' }));
      await ok(mallory.call('PATCH', dev, { slug: 'staging' }));
    };
    const renameFolders = async (mallory: Member) => {
      const place = { projectId: of.project.id, environment: 'staging', path: '/' };
      for (const [id, name] of [
        [trusted, 'was-app'],
        [evil, 'app'],
      ])
        await ok(mallory.call('PATCH', `/api/v2/folders/${id}`, { ...place, name }));
    };
    let trusted: string;
    let evil: string;

    it.each([
      ['an environment', '/', renameEnvironments],
      ['a folder', '/app', renameFolders],
    ])('%s', async (_, path, rename) => {
      ({ id: trusted } = await of.folder('/', 'app', 'staging'));
      ({ id: evil } = await of.folder('/', 'evil', 'staging'));
      await of.secret('DB', 'trusted', path, 'staging');
      await of.secret('DB', 'evil', path === '/' ? '/' : '/evil', path === '/' ? 'dev' : 'staging');
      const mallory = await of.member(RULES);
      await of.policy([ann]);
      const body = { ...of.place(), path: '/', import: { environment: 'staging', path } };
      const { approval } = await ok(mallory.call('POST', '/api/v2/secret-imports', body));
      const reference = path === '/' ? '${staging.DB}' : '${staging.app.DB}';
      const asked = [approval.id, await expectAsked(of.write(mallory.call, 'REF', reference))];
      for (const id of asked) await ok(of.review(ann.call, id));
      await rename(mallory);
      for (const id of asked) {
        const { status, body: refusal } = await of.merge(mallory.call, id);
        expect([status, refusal.error, refusal.details?.conflicts?.[0]?.reason]).toEqual([
          400,
          'BadRequest',
          'renamed',
        ]);
      }
      expect(await of.values()).toEqual({});
    });

    it('a folder that there is not yet', async () => {
      ({ id: evil } = await of.folder('/', 'evil', 'staging'));
      await of.secret('DB', 'evil', '/evil', 'staging');
      const mallory = await of.member(RULES);
      await of.policy([ann]);
      const id = await expectAsked(of.write(mallory.call, 'REF', '${staging.later.DB}'));
      await ok(of.review(ann.call, id));
      const place = { projectId: of.project.id, environment: 'staging', path: '/' };
      await ok(mallory.call('PATCH', `/api/v2/folders/${evil}`, { ...place, name: 'later' }));
      const { status, body } = await of.merge(mallory.call, id);
      expect([status, body.details?.conflicts?.[0]?.reason]).toEqual([400, 'renamed']);
    });
  });

  describe('giving the name of what access was asked for to something else before it is approved', () => {
    const REQUESTS = '/api/v1/access-approvals/requests';
    const RENAME = [
      { subject: 'secret-folders', action: ['read', 'edit'] },
      { subject: 'tags', action: ['read', 'edit'] },
      { subject: 'secrets', action: ['create'] },
    ];
    const renamed = { status: 400, body: { message: expect.stringMatching(/create a new one/) } };
    let mallory: Member;
    let ben: Member;
    beforeEach(async () => {
      [mallory, ben] = [await of.member(RENAME), await of.member()];
      await ok(
        test.admin('POST', '/api/v1/access-approvals/policies', {
          ...{ projectSlug: of.project.slug, environment: 'prod', approvals: 2 },
          approvers: [ann, ben].map(({ id }) => ({ type: 'user', id })),
        }),
      );
    });
    const askFor = async (conditions: object): Promise<string> => {
      const rule = { subject: 'secrets', action: ['describeSecret', 'readValue'] };
      const permissions = [{ ...rule, conditions: { environment: 'prod', ...conditions } }];
      const body = { permissions, isTemporary: true, temporaryRange: '1h' };
      return (await ok(mallory.call('POST', `${REQUESTS}?projectSlug=${of.project.slug}`, body))).approval.id;
    };
    const approve = ({ call }: Member, id: string) => call('POST', `${REQUESTS}/${id}/review`, { status: 'approved' });
    const reads = async (path: string) =>
      (await mallory.call('GET', `/api/v4/secrets/KEY?${new URLSearchParams(of.place(path)).toString()}`)).status;
    const renameFolder = (id: string, name: string) =>
      ok(mallory.call('PATCH', `/api/v2/folders/${id}`, { ...of.place(), path: '/', name }));
    const privileges = async () => {
      const { requests } = await ok(test.admin('GET', `${REQUESTS}?projectSlug=${of.project.slug}`));
      return requests.map((one: { privilegeId: string | null }) => one.privilegeId);
    };

    it.each([
      ['a folder', '/scratch', 'scratch'],
      ['a folder, of several', { $in: ['/other', '/scratch'] }, 'scratch'],
      ['a folder with all below it', { $glob: '/scratch/**' }, 'scratch'],
      ['folders that match a pattern', { $glob: '/scratch*' }, 'scratch2'],
      ['folders but one', { $ne: '/payments' }, 'scratch'],
      ['a folder that there is not yet', '/future', 'future'],
    ])('%s', async (_, secretPath, name) => {
      const scratch = await of.folder('/', 'scratch');
      const payments = await of.folder('/', 'payments');
      await of.secret('KEY', 'paid', '/payments');
      const id = await askFor({ secretPath });
      await ok(approve(ann, id));
      await renameFolder(scratch.id, 'old');
      await renameFolder(payments.id, name);
      expect(await approve(ben, id)).toMatchObject(renamed);
      expect(await approve(ann, id)).toMatchObject(renamed);
      expect([await reads(`/${name}`), await privileges()]).toEqual([403, [null]]);
    });

    it('a folder that was created after it was asked for', async () => {
      await of.folder('/', 'scratch');
      const id = await askFor({ secretPath: { $glob: '/scratch*' } });
      const { id: made } = await of.folder('/', 'payments');
      await of.secret('KEY', 'paid', '/payments');
      await ok(approve(ann, id));
      await renameFolder(made, 'scratch2');
      expect(await approve(ben, id)).toMatchObject(renamed);
      expect(await reads('/scratch2')).toBe(403);
    });

    it('a tag, one that there is or not yet', async () => {
      const tags = `/api/v1/workspace/${of.project.id}/tags`;
      const tag = async (slug: string) => (await ok(test.admin('POST', tags, { slug, color: '' }))).workspaceTag.id;
      const [open, closed] = [await tag('open'), await tag('closed')];
      await of.secret('KEY', 'paid');
      await ok(test.admin('PATCH', '/api/v4/secrets/KEY', { ...of.place(), tagIds: [closed] }));
      const ids = [await askFor({ secretTags: { $in: ['open'] } }), await askFor({ secretTags: { $in: ['future'] } })];
      const rename = (id: string, slug: string) => ok(mallory.call('PATCH', `${tags}/${id}`, { slug, color: '' }));
      for (const id of ids) await ok(approve(ann, id));
      await rename(open, 'old');
      await rename(closed, 'open');
      expect(await approve(ben, ids[0]!)).toMatchObject(renamed);
      await rename(closed, 'future');
      expect(await approve(ben, ids[1]!)).toMatchObject(renamed);
      expect(await reads('/')).toBe(403);
    });
  });

  it('ending an import into a covered folder with the environment that it comes from', async () => {
    const robot = await test.identity({ projectId: of.project.id, projectRole: 'admin' });
    await of.secret('A', '1', '/', 'staging');
    const place = { projectId: of.project.id, environment: 'prod', path: '/' };
    await ok(test.admin('POST', '/api/v2/secret-imports', { ...place, import: { environment: 'staging', path: '/' } }));
    await of.policy([ann]);
    const url = await environmentUrl('staging');
    expect((await robot.call('DELETE', url)).body.message).toContain('covers / in prod');
    await ok(robot.call('DELETE', await environmentUrl('dev')));
  });
});
