import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { approvalTests, type Approvals, type Member } from '../harness/approvals.ts';
import { ok, same, statuses } from '../harness/groups.ts';
import type { Answer, TestServer } from '../harness/test-server.ts';

const POLICIES = '/api/v1/access-approvals/policies';
const REQUESTS = '/api/v1/access-approvals/requests';
const HOUR = 3_600_000;

let test: TestServer;
let of: Approvals;
let asker: Member;
let ann: Member;
let bob: Member;
const groups = approvalTests(async (project) => {
  [test, of] = [project.test, project];
  [asker, ann, bob] = [await of.member('no-access'), await of.member(), await of.member()];
});

const makePolicy = (approvers: readonly Member[], more: object = {}, call = test.admin) =>
  call('POST', POLICIES, {
    projectSlug: of.project.slug,
    environment: 'prod',
    approvers: approvers.map(({ id }) => ({ type: 'user', id })),
    ...more,
  });
const policy = async (...given: Parameters<typeof makePolicy>) => (await ok(makePolicy(...given))).approval;

const READ = { subject: 'secrets', action: ['describeSecret', 'readValue'], conditions: { environment: 'prod' } };
const ask = (call: Member['call'], permissions: readonly unknown[] = [READ], more: object = {}): Promise<Answer> =>
  call('POST', `${REQUESTS}?projectSlug=${of.project.slug}`, {
    permissions,
    isTemporary: true,
    temporaryRange: '1h',
    ...more,
  });
const asked = async (...given: Parameters<typeof ask>): Promise<string> => (await ok(ask(...given))).approval.id;
const review = (call: Member['call'], id: string, status = 'approved') =>
  call('POST', `${REQUESTS}/${id}/review`, { status });
const list = async (call = test.admin, query = '') =>
  (await ok(call('GET', `${REQUESTS}?projectSlug=${of.project.slug}${query}`))).requests;
const read = ({ call }: Member, name = 'KEY', secretPath = '/') =>
  call('GET', `/api/v4/secrets/${name}?${new URLSearchParams(of.place(secretPath)).toString()}`);

describe('an access policy', () => {
  it('is created, read, listed, counted, changed and deleted with every published field', async () => {
    const { status, body } = await makePolicy([ann, bob], { name: 'Prod', secretPath: '/app', approvals: 2 });
    expect(status).toBe(200);
    const approval = {
      id: expect.any(String),
      name: 'Prod',
      secretPath: '/app',
      approvals: 2,
      envId: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      enforcementLevel: 'hard',
      deletedAt: null,
      allowedSelfApprovals: false,
      environment: { id: expect.any(String), name: 'Production', slug: 'prod' },
      projectId: of.project.id,
      approvers: [
        { id: ann.id, type: 'user', name: ann.email },
        { id: bob.id, type: 'user', name: bob.email },
      ],
    };
    expect(body).toEqual({ approval });
    const { id } = body.approval;
    const slug = `projectSlug=${of.project.slug}`;
    expect((await ok(test.admin('GET', `${POLICIES}/${id}`))).approval).toEqual(approval);
    expect((await ok(test.admin('GET', `${POLICIES}?${slug}`))).approvals).toEqual([approval]);
    const count = async (environment: string) =>
      (await ok(test.admin('GET', `${POLICIES}/count?${slug}&envSlug=${environment}`))).count;
    expect([await count('prod'), await count('dev')]).toEqual([1, 0]);
    expect((await test.admin('GET', `${POLICIES}/count?${slug}&envSlug=none`)).status).toBe(404);
    const changed = await ok(test.admin('PATCH', `${POLICIES}/${id}`, { approvals: 1, name: 'New' }));
    expect(changed.approval).toEqual({ ...approval, approvals: 1, name: 'New' });
    // It is not a change policy: no writes wait for it.
    expect((await test.admin('GET', `/api/v1/secret-approvals/${id}`)).status).toBe(404);
    expect((await ok(of.write(ann.call, 'A', '1'))).secret).toBeDefined();
    expect((await ok(test.admin('DELETE', `${POLICIES}/${id}`))).approval.deletedAt).toEqual(expect.any(String));
    expect([await count('prod'), (await test.admin('GET', `${POLICIES}/${id}`)).status]).toEqual([0, 404]);
    for (const what of ['create', 'update', 'delete'])
      expect(await of.events(`${what}-access-approval-policy`)).toHaveLength(1);
  });

  it('is rejected without a token, for non-members, and without the permission', async () => {
    const { id } = await policy([ann]);
    const slug = `projectSlug=${of.project.slug}`;
    const approvers = [{ type: 'user', id: ann.id }];
    const calls = [
      ['POST', POLICIES, { projectSlug: of.project.slug, environment: 'prod', approvers }],
      ['GET', `${POLICIES}?${slug}`, undefined],
      ['GET', `${POLICIES}/count?${slug}&envSlug=prod`, undefined],
      ['GET', `${POLICIES}/${id}`, undefined],
      ['PATCH', `${POLICIES}/${id}`, { approvals: 1 }],
      ['DELETE', `${POLICIES}/${id}`, undefined],
    ] as const;
    const foreign = await test.foreign();
    for (const [method, url, body] of calls) {
      expect([url, (await test.as()(method, url, body)).status]).toEqual([url, 401]);
      expect([url, (await foreign.call(method, url, body)).status]).toEqual([url, 404]);
      expect([url, (await asker.call(method, url, body)).status]).toEqual([url, 403]);
      expect([url, (await bob.call(method, url, body)).status]).toEqual([url, method === 'GET' ? 200 : 403]);
    }
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      await same(
        foreign.call,
        method,
        `${POLICIES}/${id}`,
        `${POLICIES}/${randomUUID()}`,
        method === 'PATCH' ? {} : undefined,
      );
  });
});

describe('a request for access', () => {
  it('stays valid while its names refer to the same resources, whatever is created or renamed there or elsewhere', async () => {
    await policy([ann, bob], { approvals: 2 });
    const { id: app } = await of.folder('/', 'app');
    const { id: other } = await of.folder('/', 'other');
    const below = { ...READ, conditions: { environment: 'prod', secretPath: { $glob: '/app/**' } } };
    const exact = { ...READ, conditions: { environment: 'prod', secretPath: '/app' } };
    const matching = { ...READ, conditions: { environment: 'prod', secretPath: { $glob: '/a*' } } };
    const rename = (id: string, path: string, name: string) =>
      ok(test.admin('PATCH', `/api/v2/folders/${id}`, { ...of.place(), path, name }));
    const ids: string[] = [];
    for (const rule of [READ, below, exact, matching]) ids.push(await asked(asker.call, [rule]));
    for (const id of ids) await ok(review(ann.call, id));
    const { id: made } = await of.folder('/app', 'new');
    await rename(made, '/app', 'newer');
    await rename(other, '/', 'another-one');
    await rename(other, '/', 'other');
    await of.secret('KEY', 'value', '/app/newer');
    for (const id of ids) await ok(review(bob.call, id));
    expect((await read(asker, 'KEY', '/app/newer')).status).toBe(200);

    // A request of an earlier release, without recorded names.
    const id = await asked(asker.call, [exact], { temporaryRange: '2h' });
    await test.coffer.pool.query('update access_approval_requests set places = null where id = $1', [id]);
    await rename(app, '/', 'app2');
    for (const { call } of [ann, bob]) await ok(review(call, id));
  });

  it('grants what it requests once it is approved, for the requested time', async () => {
    const { id: policyId } = await policy([ann]);
    await of.secret('KEY', 'value');
    expect((await read(asker)).status).toBe(403);
    const { status, body } = await ask(asker.call, [READ], { note: 'On call' });
    expect(status).toBe(200);
    expect(body.approval).toEqual({
      id: expect.any(String),
      policyId,
      privilegeId: null,
      requestedBy: asker.membershipId,
      isTemporary: true,
      temporaryRange: '1h',
      permissions: [['describeSecret,readValue', 'secrets', { environment: 'prod' }]],
      rules: [READ],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      requestedByUserId: asker.id,
      note: 'On call',
      status: 'pending',
    });
    const { id } = body.approval;
    expect((await read(asker)).status).toBe(403);
    test.advance(HOUR);
    const reviewed = await ok(review(ann.call, id));
    expect(reviewed.review).toEqual({
      id: expect.any(String),
      member: null,
      status: 'approved',
      requestId: id,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      reviewerUserId: ann.id,
    });
    expect((await ok(read(asker))).secret.secretValue).toBe('value');
    const [listed] = await list();
    const shown = {
      id: policyId,
      name: expect.any(String),
      secretPath: null,
      approvals: 1,
      envId: expect.any(String),
      enforcementLevel: 'hard',
      allowedSelfApprovals: false,
      deletedAt: null,
      approvers: [{ userId: ann.id }],
    };
    expect(listed).toEqual({
      ...body.approval,
      status: 'approved',
      updatedAt: expect.any(String),
      privilegeId: expect.any(String),
      environment: 'prod',
      environmentName: 'Production',
      isApproved: true,
      privilege: {
        membershipId: asker.membershipId,
        isTemporary: true,
        temporaryMode: 'relative',
        temporaryRange: '1h',
        temporaryAccessStartTime: expect.any(String),
        temporaryAccessEndTime: expect.any(String),
        permissions: [READ],
      },
      policy: shown,
      policies: [shown],
      reviewers: [{ userId: ann.id, status: 'approved' }],
      requestedByUser: {
        userId: asker.id,
        username: asker.email,
        email: asker.email,
        firstName: 'Ann',
        lastName: 'Lee',
      },
    });
    expect(await of.events('create-access-approval-request')).toHaveLength(1);
    expect(await of.events('access-approval-granted')).toMatchObject([{ requestId: id, approvedBy: [ann.id] }]);
    expect(await of.events('create-user-project-additional-privilege')).toHaveLength(1);
    expect((await review(ann.call, id)).status).toBe(400);
    test.advance(HOUR);
    expect((await read(asker)).status).toBe(403);
    // What was given can be taken away before its end, as every privilege.
    await ok(test.admin('DELETE', `/api/v1/user-project-additional-privilege/${listed.privilegeId}`));
    expect((await list())[0]).toMatchObject({ privilegeId: null, privilege: null, status: 'approved' });
  });

  it('can be permanent, and takes rules as objects, packed, and as JSON text', async () => {
    await policy([ann]);
    await of.secret('KEY', 'value');
    const at = (path: string) => ({ environment: 'prod', secretPath: { $glob: path } });
    const id = await asked(
      asker.call,
      [
        { subject: 'secrets', action: 'describeSecret', conditions: at('/**') },
        ['readValue,edit', 'secrets', at('/**')],
        ['create', 'secrets', at('/a'), 0, 0, ''],
        JSON.stringify(['read', 'secret-folders', at('/**')]),
        JSON.stringify({ subject: 'secret-imports', action: 'read', conditions: at('/**') }),
      ],
      { isTemporary: false, temporaryRange: undefined },
    );
    await ok(review(ann.call, id));
    expect((await ok(read(asker))).secret.secretValue).toBe('value');
    expect((await list())[0]).toMatchObject({
      isTemporary: false,
      temporaryRange: null,
      privilege: { isTemporary: false, temporaryAccessEndTime: null },
      rules: [
        { action: ['describeSecret'] },
        { action: ['readValue', 'edit'] },
        { action: ['create'] },
        { subject: 'secret-folders' },
        { subject: 'secret-imports' },
      ],
    });
  });

  it('must contain known rules, none that forbids, and a valid time', async () => {
    await policy([ann]);
    const prod = { environment: 'prod' };
    for (const permissions of [
      ['nonsense'],
      ['{"a":'],
      [null],
      [[]],
      [['read']],
      [['fly', 'secrets', prod]],
      [['read', 'planets', prod]],
      [['read', 'secrets', { colour: 'blue' }]],
      [['read', 'secrets', prod, 1]],
      [['read', 'secrets', prod, 0, 'field']],
      [{ ...READ, inverted: true }],
      [{ ...READ, more: true }],
      Array.from({ length: 101 }, () => READ),
    ])
      expect([permissions, (await ask(asker.call, permissions)).status]).toEqual([permissions, 422]);
    for (const more of [{ temporaryRange: 'soon' }, { isTemporary: 'perhaps' }, { note: 'x'.repeat(1001) }])
      expect([more, (await ask(asker.call, [READ], more)).status]).toEqual([more, 422]);
    expect((await ask(asker.call, [])).status).toBe(400);
    expect((await ask(asker.call, [READ], { temporaryRange: '9000y' })).status).toBe(400);
    expect((await ask(asker.call, [READ], { temporaryRange: undefined })).status).toBe(400);
    expect(await list()).toEqual([]);
  });

  it('is under a policy that covers all of it, the closest of equally strict ones, and rejected without one', async () => {
    const whole = await policy([ann]);
    const glob = await policy([ann], { secretPath: '/app/**' });
    const exact = await policy([ann], { secretPath: '/app/x' });
    const under = async (conditions: object) => {
      const { status, body } = await ask(asker.call, [{ subject: 'secrets', action: 'readValue', conditions }]);
      return status === 200 ? body.approval.policyId : status;
    };
    const prod = (secretPath?: unknown) => ({ environment: 'prod', ...(secretPath !== undefined && { secretPath }) });
    expect(await under(prod())).toBe(whole.id);
    expect(await under(prod('/other'))).toBe(whole.id);
    expect(await under(prod('/app'))).toBe(glob.id);
    expect(await under(prod({ $glob: '/app/y/**' }))).toBe(glob.id);
    expect(await under(prod({ $in: ['/app/a', '/app/b'] }))).toBe(glob.id);
    expect(await under(prod({ $in: ['/app/a', '/b'] }))).toBe(whole.id);
    expect(await under(prod('/app/x'))).toBe(exact.id);
    expect(await under(prod({ $glob: '/app/x' }))).toBe(exact.id);
    expect(await under({ ...prod('/app/x'), secretName: 'KEY' })).toBe(exact.id);
    for (const conditions of [
      { environment: 'dev' },
      { environment: { $in: ['prod', 'dev'] } },
      { environment: { $ne: 'prod' } },
      { secretPath: '/app/x' },
    ])
      expect([conditions, await under(conditions)]).toEqual([conditions, 400]);
    expect((await ask(asker.call, [{ subject: 'member', action: 'read' }])).status).toBe(400);
    expect((await ask(asker.call, [READ, { subject: 'tags', action: 'read' }])).status).toBe(400);
  });

  it('must satisfy all policies that cover some of it, including newer ones', async () => {
    await policy([bob], { allowedSelfApprovals: true });
    const strict = await policy([ann], { secretPath: '/app/**' });
    const approved = async () => (await list())[0].isApproved;
    const wide = await asked(asker.call, [{ ...READ, conditions: { environment: 'prod' } }]);
    expect((await list(ann.call))[0].policies.map(({ id }: { id: string }) => id)).toContain(strict.id);
    await ok(review(bob.call, wide));
    expect(await approved()).toBe(false);
    await ok(review(ann.call, wide));
    expect(await approved()).toBe(true);
    const elsewhere = await asked(asker.call, [{ ...READ, conditions: { environment: 'prod', secretPath: '/other' } }]);
    const cat = await of.member();
    await policy([cat], { secretPath: '/oth*' });
    await ok(review(bob.call, elsewhere));
    expect(await approved()).toBe(false);
    await ok(review(cat.call, elsewhere));
    expect(await approved()).toBe(true);
    const free = await asked(asker.call, [{ ...READ, conditions: { environment: 'prod', secretPath: '/free' } }]);
    await ok(review(bob.call, free));
    expect(await approved()).toBe(true);
  });

  it('is listed with what was requested, whatever its privilege has by now', async () => {
    await policy([ann]);
    const id = await asked(asker.call);
    await ok(review(ann.call, id));
    const requested = (await list()).find((one: { id: string }) => one.id === id);
    const permissions = [{ ...READ, conditions: { environment: 'prod', secretPath: '/hidden' } }];
    await ok(
      test.admin('PATCH', `/api/v1/user-project-additional-privilege/${requested.privilegeId}`, { permissions }),
    );
    const reader = await of.member([{ subject: 'secret-approval', action: ['read'] }]);
    const shown = (await list(reader.call)).find((one: { id: string }) => one.id === id);
    expect(shown.privilege).toEqual(requested.privilege);
  });

  it('grants nothing that an approver lacks, now or when the last one approves', async () => {
    const limited = await of.member([{ subject: 'secrets', action: ['describeSecret'] }]);
    await policy([limited, ann, bob], { approvals: 2 });
    const id = await asked(asker.call);
    expect(await review(limited.call, id)).toMatchObject({
      status: 403,
      body: { error: 'PermissionBoundaryError', details: { missingPermissions: [{ action: 'readValue' }] } },
    });
    await ok(review(ann.call, id));
    await ok(
      test.admin('PATCH', `/api/v1/projects/${of.project.id}/memberships/${ann.membershipId}`, {
        roles: [{ role: 'no-access', isTemporary: false }],
      }),
    );
    // Ann's approval is no longer worth anything.
    await ok(review(bob.call, id));
    expect((await list())[0]).toMatchObject({ status: 'pending', privilegeId: null });
    await ok(
      test.admin('PATCH', `/api/v1/projects/${of.project.id}/memberships/${ann.membershipId}`, {
        roles: [{ role: 'member', isTemporary: false }],
      }),
    );
    await ok(review(bob.call, id));
    expect((await list())[0]).toMatchObject({ status: 'approved' });
  });

  it('cannot give its requester what it lacks by self-approval', async () => {
    await policy([asker], { allowedSelfApprovals: true });
    const id = await asked(asker.call);
    expect((await review(asker.call, id)).status).toBe(403);
    const own = await policy([asker, ann], { environment: 'dev', allowedSelfApprovals: false });
    const dev = await asked(asker.call, [{ ...READ, conditions: { environment: 'dev' } }]);
    expect((await review(asker.call, dev)).status).toBe(403);
    expect(own.allowedSelfApprovals).toBe(false);
    await ok(review(ann.call, dev));
    expect((await list())[0]).toMatchObject({ id: dev, status: 'approved' });
  });

  it('is granted by self-approval for no longer than the requester holds it', async () => {
    const { id, call, membershipId } = await of.member('no-access');
    const now = test.coffer.now().toISOString();
    const role = { isTemporary: true, temporaryMode: 'relative', temporaryRange: '2h', temporaryAccessStartTime: now };
    await ok(
      test.admin('PATCH', `/api/v1/projects/${of.project.id}/memberships/${membershipId}`, {
        roles: [
          { role: 'no-access', isTemporary: false },
          { role: 'member', ...role },
        ],
      }),
    );
    const approvers = [id, ann.id].map((one) => ({ type: 'user', id: one }));
    await policy([ann], { approvers, allowedSelfApprovals: true });
    const forGood = await asked(call, [READ], { isTemporary: false, temporaryRange: undefined });
    expect(await review(call, forGood)).toMatchObject({
      status: 403,
      body: { error: 'PermissionBoundaryError', details: { missingPermissions: [{ action: 'describeSecret' }, {}] } },
    });
    expect((await review(call, await asked(call, [READ], { temporaryRange: '3h' }))).status).toBe(403);
    await ok(review(call, await asked(call, [READ], { temporaryRange: '1h' })));
    await ok(review(ann.call, forGood));
    expect((await list()).map(({ isApproved }: { isApproved: boolean }) => isApproved)).toEqual([true, false, true]);
  });

  it('is not granted under a policy that was moved to other locations', async () => {
    const { id: policyId } = await policy([ann], { secretPath: '/app/**' });
    const rule = { ...READ, conditions: { environment: 'prod', secretPath: { $glob: '/app/**' } } };
    const id = await asked(asker.call, [rule]);
    await ok(test.admin('PATCH', `${POLICIES}/${policyId}`, { secretPath: '/other/**' }));
    expect(await review(ann.call, id)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('no longer covers') },
    });
    expect((await list())[0]).toMatchObject({ status: 'pending', reviewers: [] });
    await ok(test.admin('PATCH', `${POLICIES}/${policyId}`, { secretPath: null }));
    await ok(review(ann.call, id));
    expect((await list())[0]).toMatchObject({ status: 'approved' });
    const second = await asked(asker.call, [rule], { temporaryRange: '2h' });
    await ok(test.admin('PATCH', `${POLICIES}/${policyId}`, { secretPath: '/other' }));
    await ok(review(ann.call, second, 'rejected'));
  });

  it('is decided once, by current approvers, and closed by a rejection', async () => {
    const { id: policyId } = await policy([ann, bob], { approvals: 2 });
    const id = await asked(asker.call);
    const admin = await of.member('admin');
    expect((await review(admin.call, id)).status).toBe(403);
    await ok(review(ann.call, id));
    await of.remove(ann);
    await ok(review(bob.call, id));
    expect((await list())[0]).toMatchObject({ status: 'pending' });
    await ok(review(bob.call, id, 'rejected'));
    expect((await list())[0]).toMatchObject({ status: 'rejected', isApproved: false });
    expect((await review(bob.call, id)).status).toBe(400);
    expect(await of.events('access-approval-rejected')).toHaveLength(1);

    await ok(
      test.admin('PATCH', `${POLICIES}/${policyId}`, { approvals: 1, approvers: [{ type: 'user', id: bob.id }] }),
    );
    const second = await asked(asker.call);
    expect(statuses(await Promise.all([review(bob.call, second), review(bob.call, second)]))).toBe('200,400');
    const { rowCount } = await test.coffer.pool.query('select 1 from additional_privileges where membership_id = $1', [
      asker.membershipId,
    ]);
    expect(rowCount).toBe(1);
    const third = await asked(asker.call, [READ], { temporaryRange: '2h' });
    await ok(test.admin('DELETE', `${POLICIES}/${policyId}`));
    expect((await list()).map(({ status }: { status: string }) => status)).toEqual([
      'rejected',
      'approved',
      'rejected',
    ]);
    expect((await review(bob.call, third)).status).toBe(400);
  });

  it('is granted or not, whatever is decided concurrently', async () => {
    for (const cat of [await of.member('no-access'), await of.member('no-access'), await of.member('no-access')]) {
      const { id: policyId } = await policy([ann, bob], { environment: 'dev' });
      const id = await asked(cat.call, [{ ...READ, conditions: { environment: 'dev' } }]);
      const answers = await Promise.all([
        review(ann.call, id),
        review(bob.call, id, 'rejected'),
        test.admin('PATCH', `${POLICIES}/${policyId}`, { approvals: 2 }),
        test.admin('DELETE', `${POLICIES}/${policyId}`),
        test.admin('DELETE', `/api/v1/projects/${of.project.id}/memberships/${cat.membershipId}`),
        ask(cat.call, [{ ...READ, conditions: { environment: 'dev' } }], { temporaryRange: '2h' }),
      ]);
      for (const { status, body } of answers) expect([body.message, status < 500]).toEqual([body.message, true]);
      expect(await list()).toEqual([]);
    }
  });

  it('can be created once at a time, by users with their own membership', async () => {
    await policy([ann]);
    await asked(asker.call);
    expect((await ask(asker.call)).status).toBe(400);
    await asked(asker.call, [READ], { temporaryRange: '2h' });
    const twins = [READ, { ...READ, action: ['describeSecret'] }];
    expect(statuses(await Promise.all([ask(asker.call, twins), ask(asker.call, twins)]))).toBe('200,400');
    const group = await groups.make();
    await groups.letInto(of.project, group, { role: 'viewer' });
    const cat = await groups.person();
    await groups.putIn(group, cat);
    expect((await ask(cat.call)).status).toBe(400);
    const machine = await test.identity({ projectId: of.project.id, projectRole: 'admin' });
    expect((await ask(machine.call)).status).toBe(403);
  });

  it('is visible to its requester, its approvers, and callers who may see all', async () => {
    await policy([ann]);
    const role = [{ subject: 'secrets', action: ['describeSecret'] }];
    const [cat, dan] = [await of.member(role), await of.member(role)];
    await policy([dan], { environment: 'dev' });
    const first = await asked(asker.call);
    const second = await asked(cat.call, [{ ...READ, conditions: { environment: 'dev' } }]);
    const ids = async (call: Member['call'], query = '') =>
      (await list(call, query)).map(({ id }: { id: string }) => id);
    expect(await ids(test.admin)).toEqual([second, first]);
    expect(await ids(cat.call)).toEqual([second]);
    expect(await ids(dan.call)).toEqual([second]);
    expect(await ids(asker.call)).toEqual([first]);
    expect(await ids(test.admin, '&envSlug=prod')).toEqual([first]);
    expect(await ids(test.admin, `&authorProjectMembershipId=${cat.membershipId}`)).toEqual([second]);
    expect(await ids(test.admin, '&authorProjectMembershipId=none')).toEqual([]);
    await ok(review(ann.call, first, 'rejected'));
    const count = async (call: Member['call']) => ok(call('GET', `${REQUESTS}/count?projectSlug=${of.project.slug}`));
    expect(await count(test.admin)).toEqual({ pendingCount: 1, finalizedCount: 1 });
    expect(await count(asker.call)).toEqual({ pendingCount: 0, finalizedCount: 1 });
  });

  it('is refused without a token and to strangers', async () => {
    await policy([ann]);
    const id = await asked(asker.call);
    const slug = `projectSlug=${of.project.slug}`;
    const body = { permissions: [READ], isTemporary: false };
    const calls = [
      ['POST', `${REQUESTS}?${slug}`, body],
      ['GET', `${REQUESTS}?${slug}`, undefined],
      ['GET', `${REQUESTS}/count?${slug}`, undefined],
      ['POST', `${REQUESTS}/${id}/review`, { status: 'approved' }],
    ] as const;
    const stranger = await groups.person();
    for (const [method, url, sent] of calls) {
      expect([url, (await test.as()(method, url, sent)).status]).toEqual([url, 401]);
      expect([url, (await stranger.call(method, url, sent)).status]).toEqual([url, 404]);
    }
    const unknown = `${REQUESTS}/${randomUUID()}/review`;
    await same(stranger.call, 'POST', `${REQUESTS}/${id}/review`, unknown, { status: 'approved' });
    expect((await review(test.admin, id)).status).toBe(403);
    expect((await review(ann.call, id, 'maybe')).status).toBe(422);
  });
});
