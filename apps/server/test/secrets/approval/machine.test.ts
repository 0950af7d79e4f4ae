import { describe, expect, it } from 'vitest';
import { approvalTests, type Approvals, type Member } from '../../harness/approvals.ts';
import { ok } from '../../harness/groups.ts';
import type { Caller, TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let of: Approvals;
let maker: Member;
let ann: Member;
approvalTests(async (project) => {
  [test, of] = [project.test, project];
  [maker, ann] = [await of.member('admin'), await of.member()];
});

const machineOf = (projectRole = 'member') => test.identity({ projectId: of.project.id, projectRole });

describe('a write of a machine to a covered folder', () => {
  it('by an identity creates a request as the identity, and is merged as that identity', async () => {
    await of.policy([ann]);
    const robot = await machineOf();
    const { approval } = await ok(of.write(robot.call, 'A', '1'));
    const committer = { committerUserId: null, committerIdentityId: robot.id, committerServiceTokenId: null };
    expect(approval).toMatchObject({ status: 'open', hasMerged: false, ...committer });
    expect(await of.values()).toEqual({});
    const shown = { committer: { type: 'identity', id: robot.id, name: expect.any(String) }, committerUser: null };
    for (const call of [robot.call, ann.call])
      expect((await ok(of.get(call, approval.id))).approval).toMatchObject(shown);
    expect(await of.requests(robot.call, `&committer=${robot.id}`)).toMatchObject([{ id: approval.id }]);
    expect((await of.merge(robot.call, approval.id)).status).toBe(400);
    await ok(of.review(ann.call, approval.id));
    expect((await ok(of.merge(robot.call, approval.id))).approval.hasMerged).toBe(true);
    const query = new URLSearchParams(of.place()).toString();
    const { secret } = await ok(test.admin('GET', `/api/v4/secrets/A?${query}`));
    expect(secret.actor).toMatchObject({ actorId: robot.id, actorType: 'identity' });
    expect(await of.events('secret-approval-merged')).toMatchObject([{ ...committer, approvedBy: [ann.id] }]);
  });

  it('by a service token creates a request, which the token closes and an approver merges', async () => {
    await of.policy([ann]);
    const token = await of.serviceToken(maker.call);
    const { approval } = await ok(of.write(token.call, 'A', '1'));
    expect(approval).toMatchObject({ committerServiceTokenId: token.id, committerUserId: null });
    expect(await of.requests(token.call)).toMatchObject([{ committer: { type: 'service', name: 'deploy' } }]);
    await ok(of.status(token.call, approval.id, 'close'));
    await ok(of.status(token.call, approval.id, 'open'));
    await ok(of.review(ann.call, approval.id));
    await ok(of.merge(ann.call, approval.id));
    expect(await of.values()).toEqual({ A: '1' });
  });

  it('is bypassed with a reason by the machine itself where all policies are soft', async () => {
    await of.policy([ann], { enforcementLevel: 'soft' });
    const robot = await machineOf();
    const id = await of.ask(robot.call, 'A', '1');
    await ok(of.merge(robot.call, id, 'Rollout'));
    expect(await of.values()).toEqual({ A: '1' });
  });

  it('is seen and merged by no other machine', async () => {
    await of.policy([ann]);
    const [robot, other] = [await machineOf(), await machineOf('no-access')];
    const token = await of.serviceToken(maker.call);
    const id = await of.ask(robot.call, 'A', '1');
    await ok(of.review(ann.call, id));
    for (const { call } of [other, token]) {
      expect(await of.requests(call)).toEqual([]);
      expect((await of.get(call, id)).status).toBe(403);
      expect((await of.merge(call, id)).status).toBe(403);
    }
  });

  it('is rejected if it cannot be requested', async () => {
    await of.policy([ann]);
    const robot = await machineOf('admin');
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      `select id from environments where project_id = $1 and slug = 'prod'`,
      [of.project.id],
    );
    const url = `/api/v1/projects/${of.project.id}/environments/${rows[0]!.id}`;
    for (const answer of [await robot.call('DELETE', url), await robot.call('PATCH', url, { slug: 'other' })])
      expect(answer).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('A change policy covers /') },
      });
  });

  it('is applied directly by an identity that every policy there exempts, and by no other', async () => {
    const [exempt, other] = [await machineOf(), await machineOf()];
    const token = await of.serviceToken(maker.call);
    const policy = await of.policy([ann], { exemptIdentityIds: [exempt.id] });
    expect((await ok(of.write(exempt.call, 'A', '1'))).secret.secretKey).toBe('A');
    for (const call of [other.call, token.call, test.admin])
      expect((await ok(of.write(call, 'B', '1'))).approval.status).toBe('open');
    await of.policy([ann], { secretPath: '/**' });
    expect((await ok(of.write(exempt.call, 'C', '1'))).approval.status).toBe('open');
    expect(await ok(test.admin('GET', `/api/v1/secret-approvals/${policy.id}`))).toMatchObject({
      approval: { exemptIdentityIds: [exempt.id] },
    });
  });

  it('is done directly by identities and service tokens if the policy exempts machines, and not by users', async () => {
    const [robot, token] = [await machineOf(), await of.serviceToken(maker.call)];
    await of.policy([ann], { exemptIdentityIds: [], exemptMachines: true });
    await ok(of.write(robot.call, 'A', '1'));
    await ok(of.write(token.call, 'B', '2'));
    expect((await ok(of.write(maker.call, 'C', '3'))).approval.status).toBe('open');
    expect(await of.values()).toEqual({ A: '1', B: '2' });
  });

  it('is not merged after the machine was deleted, has expired, or lost its rights', async () => {
    await of.policy([ann]);
    const robots = [await machineOf(), await machineOf(), await machineOf()];
    const tokens = [await of.serviceToken(maker.call), await of.serviceToken(maker.call)];
    const ids: string[] = [];
    for (const [index, { call }] of [...robots, ...tokens].entries()) ids.push(await of.ask(call, `K${index}`, '1'));
    for (const id of ids) await ok(of.review(ann.call, id));
    const members = `/api/v1/projects/${of.project.id}/memberships/identities`;
    await ok(test.admin('DELETE', `/api/v1/identities/${robots[0]!.id}`));
    await ok(test.admin('DELETE', `${members}/${robots[1]!.id}`));
    await ok(test.admin('PATCH', `${members}/${robots[2]!.id}`, { roles: [{ role: 'viewer', isTemporary: false }] }));
    await ok(maker.call('DELETE', `/api/v2/service-token/${tokens[0]!.id}`));
    await test.coffer.pool.query(`update service_tokens set expires_at = now() - interval '1 hour' where id = $1`, [
      tokens[1]!.id,
    ]);
    for (const id of ids) {
      expect(await of.merge(ann.call, id)).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/no longer has the rights for it/) },
      });
      expect((await ok(of.get(ann.call, id))).approval.committer).not.toBeNull();
      await ok(of.status(ann.call, id, 'close'));
      expect((await of.status(ann.call, id, 'open')).status).toBe(400);
    }
    expect(await of.values()).toEqual({});
  });
});

describe('the approval of a user behind a machine', () => {
  const refusal = { status: 403, body: { message: expect.stringMatching(/self-approval/) } };

  /** The request of a machine: its maker may approve it only where the policy allows self-approval. */
  async function expectSelf(call: Caller, name: string, policyId: string): Promise<void> {
    const id = await of.ask(call, name, '1');
    expect(await of.review(maker.call, id)).toMatchObject(refusal);
    const allow = (allowedSelfApprovals: boolean) =>
      ok(test.admin('PATCH', `/api/v1/secret-approvals/${policyId}`, { allowedSelfApprovals }));
    await allow(true);
    await ok(of.review(maker.call, id));
    await allow(false);
    expect((await of.merge(maker.call, id)).status).toBe(400);
    await ok(of.review(ann.call, id));
    await ok(of.merge(maker.call, id));
  }

  it('who created the service token is a self-approval', async () => {
    const { id } = await of.policy([maker, ann]);
    await expectSelf((await of.serviceToken(maker.call)).call, 'A', id);
  });

  it('whose approver issued a credential to the identity, or to one that did, is a self-approval', async () => {
    const { id } = await of.policy([maker, ann]);
    const first = await of.logIn(maker.call, await of.projectIdentity(maker.call, 'admin'));
    await expectSelf(first, 'A', id);
    const second = await of.logIn(first, await of.projectIdentity(first));
    await expectSelf(second, 'B', id);
  });

  it('whose approver is not connected to the identity counts', async () => {
    await of.policy([maker]);
    const robot = await of.logIn(test.admin, await of.projectIdentity());
    const id = await of.ask(robot, 'A', '1');
    await ok(of.review(maker.call, id));
    await ok(of.merge(robot, id));
    expect(await of.values()).toEqual({ A: '1' });
  });
});

describe('policies that cover the same folder', () => {
  it('each need their own number of approvals by their own approvers', async () => {
    const [author, bob, cat] = [await of.member(), await of.member(), await of.member()];
    await of.policy([ann, bob], { approvals: 2 });
    await of.policy([cat], { secretPath: '/' });
    const id = await of.ask(author.call, 'A', '1');
    for (const { call } of [ann, cat]) {
      await ok(of.review(call, id));
      expect((await of.merge(author.call, id)).status).toBe(400);
    }
    expect((await ok(of.get(author.call, id))).approval.isApproved).toBe(false);
    await ok(of.review(bob.call, id));
    await ok(of.merge(author.call, id));
  });

  it('allow self-approval, and a bypass, only where all of them do', async () => {
    const author = await of.member();
    const lax = { allowedSelfApprovals: true, enforcementLevel: 'soft' };
    await of.policy([author], { ...lax, secretPath: '/' });
    const strict = await of.policy([author, ann]);
    const id = await of.ask(author.call, 'A', '1');
    expect((await of.review(author.call, id)).status).toBe(403);
    expect((await of.merge(author.call, id, 'Now')).status).toBe(400);
    // The hard policy has its approval, the soft one does not: the hard one makes both hard.
    await ok(of.review(ann.call, id));
    expect((await of.merge(author.call, id, 'Now')).status).toBe(400);
    await ok(test.admin('PATCH', `/api/v1/secret-approvals/${strict.id}`, lax));
    await ok(of.merge(author.call, id, 'Now'));
  });

  it('count at the merge with their current state, including newer ones', async () => {
    const [author, bob] = [await of.member(), await of.member()];
    const { id: policyId } = await of.policy([ann, bob]);
    const id = await of.ask(author.call, 'A', '1');
    await ok(of.review(ann.call, id));
    await ok(test.admin('PATCH', `/api/v1/secret-approvals/${policyId}`, { approvals: 2 }));
    expect((await of.merge(author.call, id)).status).toBe(400);
    await ok(of.review(bob.call, id));
    const cat = await of.member();
    await of.policy([cat], { secretPath: '/**' });
    expect((await of.merge(author.call, id)).status).toBe(400);
    await ok(of.review(cat.call, id));
    await ok(of.merge(author.call, id));
  });
});
