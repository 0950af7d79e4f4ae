import { describe, expect, it } from 'vitest';
import { approvalTests, type Approvals, type Member } from '../../harness/approvals.ts';
import { ok } from '../../harness/groups.ts';
import type { TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let of: Approvals;
let author: Member;
let ann: Member;
let bob: Member;
const groups = approvalTests(async (project) => {
  [test, of] = [project.test, project];
  [author, ann, bob] = [await of.member(), await of.member(), await of.member()];
});

describe('a review', () => {
  it("is the reviewer's latest one, and counts towards the required number", async () => {
    await of.policy([ann, bob], { approvals: 2 });
    const id = await of.ask(author.call, 'A', '1');
    const { review } = await ok(of.review(ann.call, id, 'rejected', { comment: 'No' }));
    expect(review).toEqual({
      id: expect.any(String),
      status: 'rejected',
      requestId: id,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      reviewerUserId: ann.id,
      comment: 'No',
    });
    await ok(of.review(bob.call, id));
    const refused = await of.merge(ann.call, id);
    expect(refused).toMatchObject({
      status: 400,
      body: { details: { missing: [{ policyId: expect.any(String), needed: 2, given: 1 }] } },
    });
    expect((await ok(of.review(ann.call, id))).review).toMatchObject({
      id: review.id,
      status: 'approved',
      comment: null,
    });
    expect((await ok(of.merge(ann.call, id))).approval.hasMerged).toBe(true);
    expect(await of.values()).toEqual({ A: '1' });
    expect((await of.review(bob.call, id, 'rejected')).status).toBe(400);
    expect((await of.events('secret-approval-reviewed')).map(({ status }) => status)).toEqual([
      'rejected',
      'approved',
      'approved',
    ]);
  });

  it('is for approvers, and for one’s own change if the policy permits it', async () => {
    const policy = await of.policy([author, ann], { allowedSelfApprovals: true });
    const id = await of.ask(author.call, 'A', '1');
    expect((await of.review(bob.call, id)).status).toBe(403);
    const admin = await of.member('admin');
    expect((await of.review(admin.call, id)).status).toBe(403);
    await ok(of.review(author.call, id));
    expect((await ok(of.get(author.call, id))).approval.isApproved).toBe(true);
    const closed = { allowedSelfApprovals: false };
    await ok(test.admin('PATCH', `/api/v1/secret-approvals/${policy.id}`, closed));
    // Earlier reviews count by the current policy.
    expect((await ok(of.get(author.call, id))).approval).toMatchObject({
      isApproved: false,
      reviewers: [{ userId: author.id, isCounted: false }],
    });
    expect((await of.merge(author.call, id)).status).toBe(400);
    expect((await of.review(author.call, id)).status).toBe(403);
    await ok(of.review(author.call, id, 'rejected'));
    await ok(of.review(ann.call, id));
    await ok(of.merge(author.call, id));
  });

  it('of a group’s member counts while it is in the group and the project, and not after a return', async () => {
    const group = await groups.make();
    await groups.letInto(of.project, group, { role: 'member' });
    const cat = await groups.person();
    await groups.putIn(group, cat);
    await of.policy([ann], { approvers: [{ type: 'group', id: group.id }] });
    const id = await of.ask(author.call, 'A', '1');
    await ok(of.review(cat.call, id));
    const isApproved = async () => (await ok(of.get(author.call, id))).approval.isApproved;
    expect(await isApproved()).toBe(true);
    await groups.takeOut(group, cat);
    expect(await isApproved()).toBe(false);
    await groups.putIn(group, cat);
    expect(await isApproved()).toBe(false);
    expect((await of.merge(author.call, id)).status).toBe(400);
    await ok(of.review(cat.call, id));
    await ok(of.merge(author.call, id));
  });

  it('ends when the reviewer leaves the project, also after a return, and when it is no approver any more', async () => {
    const policy = await of.policy([ann, bob]);
    const id = await of.ask(author.call, 'A', '1');
    await ok(of.review(ann.call, id));
    await of.remove(ann);
    expect((await of.merge(author.call, id)).status).toBe(400);
    await ok(
      test.admin('POST', `/api/v1/projects/${of.project.id}/memberships`, {
        usernames: [ann.email],
        emails: [],
        roleSlugs: ['member'],
      }),
    );
    expect((await of.merge(author.call, id)).status).toBe(400);
    await ok(of.review(bob.call, id));
    const approvers = (...people: Member[]) =>
      ok(
        test.admin('PATCH', `/api/v1/secret-approvals/${policy.id}`, {
          approvers: people.map((one) => ({ type: 'user', id: one.id })),
        }),
      );
    await approvers(ann);
    expect((await of.merge(author.call, id)).status).toBe(400);
    await approvers(ann, bob);
    expect((await of.merge(author.call, id)).status).toBe(400);
    await ok(of.review(ann.call, id));
    await approvers(ann);
    await ok(of.merge(author.call, id));
  });

  it('is for the version that was read, if the review names it', async () => {
    const { id: secretId } = await of.secret('A', 'harmless', '/', 'dev');
    await of.policy([ann]);
    const copy = {
      projectId: of.project.id,
      sourceEnvironment: 'dev',
      sourceSecretPath: '/',
      destinationEnvironment: 'prod',
      destinationSecretPath: '/',
      secretIds: [secretId],
    };
    const { id } = (await ok(author.call('POST', '/api/v4/secrets/duplicate', copy))).approval;
    const { version } = (await ok(of.get(ann.call, id))).approval;
    expect((await of.requests())[0].version).toBe(version);
    // The request changes between reading and approving.
    await ok(author.call('PATCH', '/api/v4/secrets/A', { ...of.place('/', 'dev'), secretValue: 'harmful' }));
    for (const status of ['close', 'open'] as const) await ok(of.status(author.call, id, status));
    expect(await of.review(ann.call, id, 'approved', { version })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Read it again') },
    });
    expect((await of.review(ann.call, id, 'approved', { version: 0 })).status).toBe(422);
    expect((await of.merge(author.call, id)).status).toBe(400);
    expect((await ok(of.get(ann.call, id))).approval).toMatchObject({
      version: version + 1,
      reviewers: [],
      commits: [{ after: { secretValue: 'harmful' } }],
    });
    await ok(of.review(ann.call, id, 'rejected', { version: version + 1 }));
  });
});
