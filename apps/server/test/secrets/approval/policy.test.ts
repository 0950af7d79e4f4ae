import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { approvalTests, type Approvals, type Member } from '../../harness/approvals.ts';
import { ok, same } from '../../harness/groups.ts';
import type { TestServer } from '../../harness/test-server.ts';

const URL = '/api/v1/secret-approvals';

let test: TestServer;
let of: Approvals;
let ann: Member;
const groups = approvalTests(async (project) => {
  [test, of, ann] = [project.test, project, await project.member()];
});

const create = (more: object = {}, call = test.admin) =>
  call('POST', URL, {
    workspaceId: of.project.id,
    environment: 'prod',
    approvers: [{ type: 'user', id: ann.id }],
    ...more,
  });
const list = async () => (await ok(test.admin('GET', `${URL}?workspaceId=${of.project.id}`))).approvals;

describe('a change policy', () => {
  it('is created, read, listed, changed and deleted with every published field', async () => {
    const { status, body } = await create({ name: 'Four eyes', secretPath: '/app/', approvals: 1 });
    expect(status).toBe(200);
    const approval = {
      id: expect.any(String),
      name: 'Four eyes',
      secretPath: '/app',
      approvals: 1,
      envId: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      enforcementLevel: 'hard',
      deletedAt: null,
      allowedSelfApprovals: false,
      environment: { id: expect.any(String), name: 'Production', slug: 'prod' },
      projectId: of.project.id,
      approvers: [{ id: ann.id, type: 'user', name: ann.email }],
      exemptIdentityIds: [],
      exemptMachines: false,
    };
    expect(body).toEqual({ approval });
    const { id } = body.approval;
    expect((await ok(test.admin('GET', `${URL}/${id}`))).approval).toEqual(approval);
    expect(await list()).toEqual([approval]);

    const bob = await of.member();
    const changed = await ok(
      test.admin('PATCH', `${URL}/${id}`, {
        approvers: [{ type: 'user', username: bob.email }],
        secretPath: null,
        enforcementLevel: 'soft',
        allowedSelfApprovals: true,
      }),
    );
    expect(changed.approval).toEqual({
      ...approval,
      secretPath: null,
      enforcementLevel: 'soft',
      allowedSelfApprovals: true,
      approvers: [{ id: bob.id, type: 'user', name: bob.email }],
    });
    expect((await ok(test.admin('DELETE', `${URL}/${id}`))).approval.deletedAt).toEqual(expect.any(String));
    expect(await list()).toEqual([]);
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect((await test.admin(method, `${URL}/${id}`, method === 'PATCH' ? {} : undefined)).status).toBe(404);
    const data = { policyId: id, name: 'Four eyes', environment: 'prod' };
    expect(await of.events('create-secret-approval-policy')).toEqual([
      {
        ...{ ...data, secretPath: '/app', approvers: [{ type: 'user', id: ann.id }] },
        ...{ approvals: 1, enforcementLevel: 'hard', allowedSelfApprovals: false },
        ...{ exemptIdentityIds: [], exemptMachines: false },
      },
    ]);
    expect(await of.events('update-secret-approval-policy')).toEqual([
      {
        ...{ ...data, secretPath: null, approvers: [{ type: 'user', id: bob.id }] },
        ...{ approvals: 1, enforcementLevel: 'soft', allowedSelfApprovals: true },
        ...{ exemptIdentityIds: [], exemptMachines: false },
        changed: expect.arrayContaining(['secretPath', 'enforcementLevel', 'allowedSelfApprovals', 'approvers']),
      },
    ]);
    expect(await of.events('delete-secret-approval-policy')).toEqual([{ ...data, secretPath: null }]);
  });

  it('has groups among its approvers, and returns their current members', async () => {
    const group = await groups.make();
    await groups.letInto(of.project, group, { role: 'viewer' });
    const cat = await groups.person();
    await groups.putIn(group, cat);
    const { approval } = await ok(create({ approvers: [{ type: 'group', id: group.id }], approvals: 5 }));
    expect(approval.approvers).toEqual([{ id: group.id, type: 'group', name: group.name }]);
    const board = async () => {
      const query = `workspaceId=${of.project.id}&environment=prod&secretPath=/`;
      return (await ok(test.admin('GET', `${URL}/board?${query}`))).policy.userApprovers;
    };
    expect(await board()).toEqual([{ userId: cat.id }]);
    await groups.takeOut(group, cat);
    expect(await board()).toEqual([]);
  });

  it('applies together with all others that cover the same folder, the strictest first', async () => {
    const make = async (name: string, secretPath?: string, more: object = {}) =>
      (await ok(create({ name, secretPath, ...more }))).approval.id as string;
    const whole = await make('whole');
    await make('other environment', '/app', { environment: 'dev' });
    const glob = await make('glob', '/app/**', { enforcementLevel: 'soft' });
    const younger = await make('younger glob', '/app/*');
    const exact = await make('exact', '/app/x', { allowedSelfApprovals: true });
    const covering = async (secretPath: string, environment = 'prod') => {
      const query = new URLSearchParams({ workspaceId: of.project.id, environment, secretPath });
      const { policy, policies } = await ok(test.admin('GET', `${URL}/board?${query.toString()}`));
      expect(policy).toEqual(policies[0]);
      return policies.map(({ id }: { id: string }) => id);
    };
    expect(
      await Promise.all(['/', '/other', '/app', '/app/y', '/app/y/z', '/app/x'].map((path) => covering(path))),
    ).toEqual([[whole], [whole], [whole, glob], [younger, whole, glob], [whole, glob], [younger, whole, exact, glob]]);
    expect(await covering('/', 'dev')).toEqual([]);

    const writer = await of.member();
    for (const [path, name] of [
      ['/', 'app'],
      ['/app', 'x'],
    ] as const)
      expect((await test.admin('POST', '/api/v2/folders', { ...of.place(), path, name })).status).toBe(200);
    const { approval } = await ok(of.write(writer.call, 'A', '1', '/app/x'));
    expect(approval.policyId).toBe(younger);
    const shown = (await ok(of.get(writer.call, approval.id))).approval.policies;
    expect(shown.map(({ id }: { id: string }) => id)).toEqual([younger, whole, exact, glob]);
  });

  it('exempts only identities of the project, by callers who may edit policies', async () => {
    const machine = await test.identity({ projectId: of.project.id, projectRole: 'viewer' });
    const outsider = await test.identity();
    const foreign = await test.foreign();
    for (const id of [outsider.id, foreign.identity.id, ann.id, randomUUID(), 'nobody'])
      expect([id, (await create({ exemptIdentityIds: [id] })).status]).toEqual([id, 404]);
    for (const wrong of [{ exemptIdentityIds: 'all' }, { exemptMachines: 'perhaps' }])
      expect([wrong, (await create(wrong)).status]).toEqual([wrong, 422]);
    const maker = await of.member([{ subject: 'secret-approval', action: ['read', 'create'] }], 'member');
    const { approval } = await ok(create({ exemptIdentityIds: [], exemptMachines: false }, maker.call));
    for (const more of [{ exemptIdentityIds: [machine.id] }, { exemptMachines: true }]) {
      expect((await create(more, maker.call)).status).toBe(403);
      expect((await maker.call('PATCH', `${URL}/${approval.id}`, more)).status).toBe(403);
    }
    const change = (more: object) => test.admin('PATCH', `${URL}/${approval.id}`, more);
    expect((await change({ exemptIdentityIds: [outsider.id] })).status).toBe(404);
    expect((await ok(change({ exemptIdentityIds: [machine.id], exemptMachines: true }))).approval).toMatchObject({
      exemptIdentityIds: [machine.id],
      exemptMachines: true,
    });
    expect((await ok(change({ name: 'same' }))).approval.exemptIdentityIds).toEqual([machine.id]);
    expect((await ok(change({ exemptIdentityIds: [] }))).approval.exemptIdentityIds).toEqual([]);
    expect(await of.events('update-secret-approval-policy')).toMatchObject([
      { exemptIdentityIds: [machine.id], exemptMachines: true },
      { changed: ['name'], exemptIdentityIds: [machine.id] },
      { exemptIdentityIds: [], exemptMachines: true },
    ]);
  });

  it('accepts only approvers of the project, and no more approvals than approvers', async () => {
    const stranger = await groups.person();
    const group = await groups.make();
    const foreign = await test.foreign();
    for (const approver of [
      { type: 'user', id: stranger.id },
      { type: 'user', id: randomUUID() },
      { type: 'user', id: 'nobody' },
      { type: 'user', username: stranger.username },
      { type: 'user', id: foreign.identity.id },
      { type: 'group', id: group.id },
      { type: 'group', id: ann.id },
    ])
      expect([approver, (await create({ approvers: [approver] })).status]).toEqual([approver, 404]);
    expect((await create({ approvals: 2 })).status).toBe(400);
    const { id } = (await ok(create())).approval;
    expect((await test.admin('PATCH', `${URL}/${id}`, { approvals: 2 })).status).toBe(400);
    for (const wrong of [
      { approvals: 0 },
      { approvals: 1.5 },
      { approvers: [] },
      { approvers: [{ type: 'group' }] },
      { approvers: [{ type: 'robot', id: ann.id }] },
      { enforcementLevel: 'none' },
      { secretPath: 'app' },
      { secretPath: '/app/{' },
      { secretPath: '/a\0b' },
      // No folder has these names: such a policy would cover nothing.
      { secretPath: '/app//config' },
      { secretPath: '/my folder' },
      { name: 'x'.repeat(256) },
    ])
      expect([wrong, (await create(wrong)).status]).toEqual([wrong, 422]);
    expect((await create({ environment: 'nowhere' })).status).toBe(404);
    expect(await list()).toHaveLength(1);
  });

  it('is rejected without a token, for non-members, and without the permission', async () => {
    const { id } = (await ok(create())).approval;
    const board = `${URL}/board?workspaceId=${of.project.id}&environment=prod&secretPath=/`;
    const calls = [
      ['POST', URL, { workspaceId: of.project.id, environment: 'prod', approvers: [{ type: 'user', id: ann.id }] }],
      ['GET', `${URL}?workspaceId=${of.project.id}`, undefined],
      ['GET', board, undefined],
      ['GET', `${URL}/${id}`, undefined],
      ['PATCH', `${URL}/${id}`, { approvals: 1 }],
      ['DELETE', `${URL}/${id}`, undefined],
    ] as const;
    const foreign = await test.foreign();
    const member = await of.member();
    const nobody = await of.member('no-access');
    for (const [method, url, body] of calls) {
      expect([url, (await test.as()(method, url, body)).status]).toEqual([url, 401]);
      expect([url, (await foreign.call(method, url, body)).status]).toEqual([url, 404]);
      expect([url, (await nobody.call(method, url, body)).status]).toEqual([url, 403]);
      // Members of the built-in role see policies, and change none.
      expect([url, (await member.call(method, url, body)).status]).toEqual([url, method === 'GET' ? 200 : 403]);
    }
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      await same(foreign.call, method, `${URL}/${id}`, `${URL}/${randomUUID()}`, method === 'PATCH' ? {} : undefined);
    expect(await list()).toHaveLength(1);
  });

  it('is deleted with its environment, and its requests with it', async () => {
    await of.policy([ann]);
    await of.ask(ann.call, 'A', '1');
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      `select id from environments where project_id = $1 and slug = 'prod'`,
      [of.project.id],
    );
    await ok(test.admin('DELETE', `/api/v1/projects/${of.project.id}/environments/${rows[0]!.id}`));
    expect(await list()).toEqual([]);
    const { approvals } = await ok(test.admin('GET', `/api/v1/secret-approval-requests?workspaceId=${of.project.id}`));
    expect(approvals).toEqual([]);
  });
});
