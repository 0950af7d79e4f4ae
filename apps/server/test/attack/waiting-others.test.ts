// @long: large values, many callers
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anotherProcess, untilNotified, type AnotherProcess } from '../harness/another-process.ts';
import { Approvals, type Member } from '../harness/approvals.ts';
import { Groups, ok, projectUrl, userUrl } from '../harness/groups.ts';
import { HeldStatements } from '../harness/held-statement.ts';
import { DEV, PROD, replications } from '../harness/replication.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

// A request is done by the right of others, too: the committer of a change request, its approvers, those of access. It waits
// while another process takes that right, or while a policy begins to apply. The response is that of the same request after that.

let test: TestServer;
let second: AnotherProcess;
let held: HeldStatements;
const groups = new Groups(() => test);
/** The administrator, at the second process. */
let elsewhere: Caller;
beforeAll(async () => {
  test = await testServer();
  second = await anotherProcess(test);
  held = new HeldStatements(test);
  elsewhere = second.as(test.adminIdentity.token);
});
afterAll(async () => {
  await second.close();
  await test.close();
});

const outcome = ({ status, body }: Answer) => (status === 200 ? 200 : [status, body.reason ?? body.error]);
const NOTHING = { roles: [{ role: 'no-access' }] };

const membershipOf = (of: Approvals, { membershipId }: Member) =>
  `/api/v1/projects/${of.project.id}/memberships/${membershipId}`;
const remove = (of: Approvals, member: Member) => ok(elsewhere('DELETE', membershipOf(of, member)));
const deny = (of: Approvals, member: Member) => ok(elsewhere('PATCH', membershipOf(of, member), NOTHING));

/** A group of the project without rights, whose only member this is. */
async function groupOf(of: Approvals, { id, email }: Member) {
  const group = await groups.make();
  await groups.putIn(group, { id, username: email });
  await ok(test.admin('POST', projectUrl(of.project, group), { role: 'no-access' }));
  const leave = () => ok(elsewhere('DELETE', userUrl(group, { username: email })));
  return { approver: { type: 'group', id: group.id }, leave };
}

/** The answer to a request that waits for the row of the revisions of a project, which is locked last. */
async function afterRevision(projectId: string, request: () => Promise<Answer>, change: () => Promise<unknown>) {
  const other = await test.owner.connect();
  try {
    await other.query('begin');
    await other.query('select from project_revisions where project_id = $1 for update', [projectId]);
    const answer = request();
    await expect.poll(async () => (await test.owner.query(WAITING)).rowCount).toBeGreaterThan(0);
    await change();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await untilNotified(second, test);
    await other.query('commit');
    return await answer;
  } finally {
    other.release();
  }
}

const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

const committers = ['user', 'identity', 'service token'] as const;

/** Somebody who asks for changes, and how the right to them is taken. */
async function committer(of: Approvals, kind: (typeof committers)[number]) {
  const mallory = await of.member();
  if (kind === 'user') return { call: mallory.call, end: () => deny(of, mallory) };
  if (kind === 'service token') {
    const { id, call } = await of.serviceToken(mallory.call);
    return { call, end: () => ok(elsewhere('DELETE', `/api/v2/service-token/${id}`)) };
  }
  const robot = await of.projectIdentity();
  const url = `/api/v1/projects/${of.project.id}/memberships/identities/${robot}`;
  return { call: await of.logIn(test.admin, robot), end: () => ok(elsewhere('PATCH', url, NOTHING)) };
}

const MERGES = /update secret_approval_requests set status/;

describe('attack: a merge that waits', () => {
  it.each(committers)('changes nothing once the right of its committer has ended: a %s', async (kind) => {
    const of = await Approvals.in(test);
    const ann = await of.member();
    await of.secret('KEY', 'before');
    await of.policy([ann]);
    const { call, end } = await committer(of, kind);
    const { approval } = await ok(of.change(call, 'KEY', { secretValue: 'after' }));
    await ok(of.review(ann.call, approval.id));
    const answer = await held.during(MERGES, () => of.merge(ann.call, approval.id), end);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('no longer has the rights')]);
    expect(await of.values()).toEqual({ KEY: 'before' });
  });

  it.each(['project', 'group'])('changes nothing once one of its approvers has left the %s', async (place) => {
    const of = await Approvals.in(test);
    const [ann, bob, mallory] = [await of.member(), await of.member(), await of.member()];
    const group = place === 'group' ? await groupOf(of, bob) : undefined;
    const named = [ann, bob].map(({ id: one }) => ({ type: 'user', id: one }));
    await of.policy([], { approvals: 2, approvers: group ? [named[0], group.approver] : named });
    const id = await of.ask(mallory.call, 'KEY', 'value');
    for (const { call } of [ann, bob]) await ok(of.review(call, id));
    const leave = () => (group ? group.leave() : remove(of, bob));
    const answer = await held.during(MERGES, () => of.merge(ann.call, id), leave);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('1 of 2 approvals')]);
    expect(await of.values()).toEqual({});
  });

  it('changes nothing for a caller who has ceased to be an approver, by leaving a group', async () => {
    const of = await Approvals.in(test);
    const [ann, bob, mallory] = [await of.member(), await of.member('no-access'), await of.member()];
    const group = await groupOf(of, bob);
    await of.policy([ann], { approvers: [{ type: 'user', id: ann.id }, group.approver] });
    const id = await of.ask(mallory.call, 'KEY', 'value');
    await ok(of.review(ann.call, id));
    const answer = await held.during(MERGES, () => of.merge(bob.call, id), group.leave);
    expect(outcome(answer)).toEqual([403, 'PermissionDenied']);
    expect(await of.values()).toEqual({});
  });

  it('takes the approvals of a policy that is made meanwhile', async () => {
    const of = await Approvals.in(test);
    const [ann, cat, mallory] = [await of.member(), await of.member(), await of.member()];
    await of.policy([ann]);
    const id = await of.ask(mallory.call, 'KEY', 'value');
    await ok(of.review(ann.call, id));
    const body = { workspaceId: of.project.id, environment: 'prod', approvers: [{ type: 'user', id: cat.id }] };
    const make = () => ok(elsewhere('POST', '/api/v1/secret-approvals', body));
    const answer = await held.during(MERGES, () => of.merge(ann.call, id), make);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('0 of 1 approvals')]);
    expect(await of.values()).toEqual({});
  });
});

describe('a change request that is opened again', () => {
  it('says why it cannot be, also where that was found after a wait', async () => {
    const of = await Approvals.in(test);
    const [author, ann] = [await of.member(), await of.member()];
    const policy = await of.policy([ann]);
    const id = await of.ask(author.call, 'KEY', 'value');
    await ok(test.admin('DELETE', `/api/v1/secret-approvals/${policy.id}`));
    const open = () => of.status(author.call, id, 'open');
    const answer = await held.during(/^savepoint dry_run/, open, () => Promise.resolve());
    const message = expect.stringContaining('make the change directly') as string;
    expect(answer).toMatchObject({ status: 400, body: { message } });
  });
});

describe('attack: an approval of access that waits', () => {
  it.each([
    ['has left the project', remove],
    ['no longer holds what it allows', deny],
  ])('grants nothing once an earlier approver %s', async (_, end) => {
    const of = await Approvals.in(test);
    const [ann, bob, mallory] = [await of.member(), await of.member(), await of.member('viewer')];
    await of.secret('KEY', 'before');
    const approvers = [ann, bob].map(({ id }) => ({ type: 'user', id }));
    const policy = { projectSlug: of.project.slug, environment: 'prod', approvals: 2, approvers };
    await ok(test.admin('POST', '/api/v1/access-approvals/policies', policy));
    const requests = '/api/v1/access-approvals/requests';
    const asked = [{ subject: 'secrets', action: ['edit'], conditions: { environment: 'prod' } }];
    const body = { permissions: asked, isTemporary: false };
    const { approval } = await ok(mallory.call('POST', `${requests}?projectSlug=${of.project.slug}`, body));
    const approve = ({ call }: Member) => call('POST', `${requests}/${approval.id}/review`, { status: 'approved' });
    await ok(approve(ann));
    await ok(
      held.during(
        /update access_approval_requests set status/,
        () => approve(bob),
        () => end(of, ann),
      ),
    );
    const { requests: listed } = await ok(test.admin('GET', `${requests}?projectSlug=${of.project.slug}`));
    expect(listed[0].isApproved).toBe(false);
    expect((await of.change(mallory.call, 'KEY', { secretValue: 'after' })).status).toBe(403);
  });

  it('rejects nothing for somebody who has ceased to be an approver, by leaving a group', async () => {
    const of = await Approvals.in(test);
    const [bob, mallory] = [await of.member(), await of.member('viewer')];
    const group = await groupOf(of, bob);
    const policy = { projectSlug: of.project.slug, environment: 'prod', approvers: [group.approver] };
    await ok(test.admin('POST', '/api/v1/access-approvals/policies', policy));
    const requests = '/api/v1/access-approvals/requests';
    const asked = [{ subject: 'secrets', action: ['edit'], conditions: { environment: 'prod' } }];
    const body = { permissions: asked, isTemporary: false };
    const { approval } = await ok(mallory.call('POST', `${requests}?projectSlug=${of.project.slug}`, body));
    const reject = () => bob.call('POST', `${requests}/${approval.id}/review`, { status: 'rejected' });
    const answer = await held.during(/update access_approval_requests set status/, reject, group.leave);
    expect(answer.status).toBe(403);
    const { requests: listed } = await ok(test.admin('GET', `${requests}?projectSlug=${of.project.slug}`));
    expect(listed[0].status).toBe('pending');
  });
});

describe('attack: a replication that waits', () => {
  /** Ann copies a secret, and something changes before that is committed. Returns how many were copied when it was over. */
  async function copies(change: (of: Approvals, ann: Member) => Promise<unknown>): Promise<number> {
    const replicating = replications(test);
    const of = await Approvals.in(test);
    const project = await replicating.project(of.project);
    const ann = await of.member('admin');
    await ok(project.import(DEV, PROD, true, ann.call));
    await replicating.settle();
    const copy = async () => {
      await project.put(PROD, 'KEY', 'value');
      await replicating.settle();
    };
    const done = /update secret_imports set is_replication_success = true/;
    await held.during(done, copy, () => change(of, ann), { isShared: true });
    await replicating.stop();
    return project.copies();
  }

  it('copies nothing once the right of the actor that it runs as has ended', async () => {
    expect(await copies(deny)).toBe(0);
  });

  it('copies at once by other rights and policies, where they suffice', async () => {
    const policy = (of: Approvals, { id }: Member) => {
      const body = { workspaceId: of.project.id, environment: 'staging', approvers: [{ type: 'user', id }] };
      return ok(elsewhere('POST', '/api/v1/secret-approvals', body));
    };
    expect(await copies(policy)).toBe(1);
  });
});

describe('attack: a write that waits', () => {
  const writers = ['user', 'service token', 'identity'] as const;

  it.each(writers)('asks for the approvals of a policy that is made meanwhile, as a %s', async (kind) => {
    const of = await Approvals.in(test);
    const ann = await of.member();
    await of.secret('KEY', 'before');
    const { call } = await committer(of, kind);
    const body = { workspaceId: of.project.id, environment: 'prod', approvers: [{ type: 'user', id: ann.id }] };
    const make = () =>
      ok(elsewhere('POST', '/api/v1/secret-approvals', { ...body, exemptIdentityIds: [test.adminIdentity.id] }));
    const change = () => of.change(call, 'KEY', { secretValue: 'after' });
    const answer = await held.during(/insert into secret_versions/, change, make);
    expect(Object.keys(answer.body)).toEqual(['approval']);
    expect(await of.values()).toEqual({ KEY: 'before' });
  });

  it('asks for approvals once its exemption is taken', async () => {
    const of = await Approvals.in(test);
    const ann = await of.member();
    await of.secret('KEY', 'before');
    const robot = await of.projectIdentity();
    const call = await of.logIn(test.admin, robot);
    const policy = await of.policy([ann], { exemptIdentityIds: [robot, test.adminIdentity.id] });
    const exemptIdentityIds = [test.adminIdentity.id];
    const end = () => ok(elsewhere('PATCH', `/api/v1/secret-approvals/${policy.id}`, { exemptIdentityIds }));
    const change = () => of.change(call, 'KEY', { secretValue: 'after' });
    const answer = await held.during(/insert into secret_versions/, change, end);
    expect(Object.keys(answer.body)).toEqual(['approval']);
    expect(await of.values()).toEqual({ KEY: 'before' });
  });

  it.each([
    ['its right', [403, 'PermissionDenied']],
    ['the right of the committer', [400, 'BadRequest']],
    ['the right of nobody', 200],
  ] as const)(
    'for the lock that is taken last is done by the rights after that wait: %s has ended',
    async (whose, result) => {
      const of = await Approvals.in(test);
      const [ann, mallory] = [await of.member(), await of.member()];
      await of.secret('KEY', 'before');
      let send = () => of.change(mallory.call, 'KEY', { secretValue: 'after' });
      if (whose === 'the right of the committer') {
        await of.policy([ann]);
        const { approval } = await ok(send());
        await ok(of.review(ann.call, approval.id));
        send = () => of.merge(ann.call, approval.id);
      }
      const end = whose === 'the right of nobody' ? () => Promise.resolve() : () => deny(of, mallory);
      expect(outcome(await afterRevision(of.project.id, send, end))).toEqual(result);
      expect(await of.values()).toEqual({ KEY: whose === 'the right of nobody' ? 'after' : 'before' });
    },
  );
});
