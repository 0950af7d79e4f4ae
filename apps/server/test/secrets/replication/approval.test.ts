import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Approvals, type Member } from '../../harness/approvals.ts';
import { ok } from '../../harness/groups.ts';
import { DEV, PROD, replications, type ReplicationProject, type Replications } from '../../harness/replication.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let all: Replications;
let of: Approvals;
let project: ReplicationProject;
let author: Member;
let approver: Member;
beforeAll(async () => {
  test = await testServer();
  all = replications(test);
});
afterAll(async () => {
  await all.stop();
  await test.close();
});
beforeEach(async () => {
  of = await Approvals.in(test);
  project = await all.project(of.project);
  [author, approver] = [await of.member(), await of.member()];
});

const requests = async (status = 'open') =>
  (await ok(approver.call('GET', `/api/v1/secret-approval-requests?workspaceId=${of.project.id}&status=${status}`)))
    .approvals;

const mergeNow = async (id: string) => {
  await ok(of.review(approver.call, id));
  return of.merge(approver.call, id);
};

describe('a replication into a folder that a change policy covers', () => {
  it('is requested, and copies what was approved after the merge', async () => {
    await project.put(DEV, 'A', 'a');
    await project.import(PROD, DEV);
    await of.policy([approver]);
    await all.settle();
    const [request, ...others] = await requests();
    expect(others).toEqual([]);
    expect(request).toMatchObject({ isReplicated: true, committerUserId: null, environment: 'prod', secretPath: '/' });
    expect(await project.read(PROD)).toEqual([['dev/', {}]]);
    expect(await project.imports(PROD)).toMatchObject([
      {
        isReplicationSuccess: null,
        replicationStatus: `Waits for the approval of change request ${request.slug}`,
        lastReplicated: null,
      },
    ]);
    expect((await of.get(approver.call, request.id)).body.approval.commits).toMatchObject([
      { op: 'create', secretPath: '/', secretKey: 'A' },
    ]);
    expect((await mergeNow(request.id)).status).toBe(200);
    expect(await project.read(PROD)).toEqual([['dev/', { A: 'a' }]]);
    expect(await project.imports(PROD)).toMatchObject([{ isReplicationSuccess: true, replicationStatus: null }]);
    await all.settle();
    expect(await requests()).toEqual([]);
  });

  it('requests the newest state in the same request, and keeps reviews while it is unchanged', async () => {
    await of.policy([approver]);
    await project.put(DEV, 'A', 'a');
    await project.put(DEV, 'GONE', 'x');
    await project.import(PROD, DEV);
    await all.settle();
    const [first] = await requests();
    await ok(of.review(approver.call, first.id));
    await test.admin('POST', '/api/v1/folders', { workspaceId: of.project.id, environment: 'staging', name: 'x' });
    await all.settle();
    expect(await requests()).toMatchObject([{ id: first.id, isApproved: true }]);
    await project.change(DEV, 'A', { secretValue: 'a2' });
    await project.remove(DEV, 'GONE');
    await all.settle();
    expect(await requests()).toMatchObject([{ id: first.id, isApproved: false }]);
    expect((await mergeNow(first.id)).status).toBe(200);
    expect(await project.read(PROD)).toEqual([['dev/', { A: 'a2' }]]);
  });

  it('does not merge what has changed since, is not requested again after a rejection, but is by a resync', async () => {
    await of.policy([approver]);
    await project.put(DEV, 'A', 'a');
    const { id } = (await project.import(PROD, DEV)).body.secretImport;
    await all.settle();
    const [request] = await requests();
    await all.stop();
    await project.change(DEV, 'A', { secretValue: 'b' });
    expect((await mergeNow(request.id)).status).toBe(400);
    expect(await project.read(PROD)).toEqual([['dev/', {}]]);
    await all.settle();
    await ok(of.status(approver.call, request.id, 'close'));
    await test.admin('POST', '/api/v1/folders', { workspaceId: of.project.id, environment: 'staging', name: 'x' });
    await all.settle();
    expect(await requests()).toEqual([]);
    await ok(
      test.admin('POST', `/api/v1/secret-imports/${id}/replication-resync`, {
        workspaceId: of.project.id,
        environment: 'prod',
      }),
    );
    await all.settle();
    const [again] = await requests();
    expect((await mergeNow(again.id)).status).toBe(200);
    expect(await project.read(PROD)).toEqual([['dev/', { A: 'b' }]]);
  });

  it('copies directly if there is no policy any more, and requests again under another one', async () => {
    const first = await of.policy([approver]);
    const second = await of.policy([approver], { secretPath: '/' });
    await project.put(DEV, 'A', 'a');
    await project.import(PROD, DEV);
    const overdue = () => test.coffer.pool.query(`select graphile_worker.add_job('secret_import.overdue', '{}'::json)`);
    await all.settle();
    const asked = (await requests())[0].policyId;
    const policies = [first.id, second.id].toSorted((one) => (one === asked ? -1 : 1));
    const remove = (id: string) =>
      ok(test.admin('DELETE', `/api/v1/secret-approvals/${id}`, { workspaceId: of.project.id }));
    await remove(policies[0]!);
    expect(await requests()).toEqual([]);
    await overdue();
    await all.settle();
    expect(await requests()).toMatchObject([{ policyId: policies[1] }]);
    await remove(policies[1]!);
    await overdue();
    await all.settle();
    expect(await requests()).toEqual([]);
    expect(await project.read(PROD)).toEqual([['dev/', { A: 'a' }]]);
    expect(await project.imports(PROD)).toMatchObject([{ isReplicationSuccess: true, replicationStatus: null }]);
  });

  it('closes its request if the source equals the copies again, or the import is deleted', async () => {
    await project.put(DEV, 'A', 'a');
    const { id } = (await project.import(PROD, DEV)).body.secretImport;
    await all.settle();
    await of.policy([approver]);
    await project.change(DEV, 'A', { secretValue: 'b' });
    await all.settle();
    expect(await requests()).toHaveLength(1);
    await project.change(DEV, 'A', { secretValue: 'a' });
    await all.settle();
    expect(await requests()).toEqual([]);
    expect(await project.imports(PROD)).toMatchObject([{ isReplicationSuccess: true, replicationStatus: null }]);
    await project.change(DEV, 'A', { secretValue: 'c' });
    await all.settle();
    expect(await requests()).toHaveLength(1);
    await ok(test.admin('DELETE', `/api/v1/secret-imports/${id}`, { workspaceId: of.project.id, environment: 'prod' }));
    expect(await requests()).toEqual([]);
  });

  it('shows in a later request the previous copies', async () => {
    await of.policy([approver]);
    await project.put(DEV, 'A', 'a');
    await project.import(PROD, DEV);
    await all.settle();
    await mergeNow((await requests())[0].id);
    await project.change(DEV, 'A', { secretValue: 'b' });
    await all.settle();
    const [request] = await requests();
    expect((await of.get(approver.call, request.id)).body.approval.commits).toMatchObject([
      { op: 'update', before: { secretPath: '/', secretKey: 'A' }, after: { secretPath: '/', secretKey: 'A' } },
    ]);
    expect((await mergeNow(request.id)).status).toBe(200);
    expect(await project.read(PROD)).toEqual([['dev/', { A: 'b' }]]);
  });

  it('is itself requested if a user sets it up', async () => {
    await of.policy([approver]);
    await project.put(DEV, 'A', 'a');
    const { status, body } = await project.import(PROD, DEV, true, author.call);
    expect([status, body.approval.isReplicated]).toEqual([200, false]);
    expect(await project.imports(PROD)).toEqual([]);
    expect((await mergeNow(body.approval.id)).status).toBe(200);
    await all.settle();
    const [request] = await requests();
    expect((await mergeNow(request.id)).status).toBe(200);
    expect(await project.read(PROD)).toEqual([['dev/', { A: 'a' }]]);
  });

  it('is not approved by the user who set it up, where self-approval is not allowed', async () => {
    await of.policy([author, approver]);
    await project.put(DEV, 'A', 'a');
    const { id } = (await project.import(PROD, DEV, true, author.call)).body.approval;
    expect((await mergeNow(id)).status).toBe(200);
    await all.settle();
    const [request] = await requests();
    expect((await of.review(author.call, request.id)).status).toBe(403);
    expect((await mergeNow(request.id)).status).toBe(200);
  });
});
