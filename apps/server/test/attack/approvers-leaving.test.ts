import { makeIdentity, makeUser, runs, SEARCH_SEED, searchTime, type MadeUser } from '@coffer/domain/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ poolSize: 2 });
});
afterAll(() => test.close());

/** Of three users and two groups: one, or both. */
const step = fc.record({
  kind: fc.constantFrom(
    'approve',
    'approve',
    'reject',
    'leave',
    'join',
    'in',
    'out',
    'give',
    'take',
    'name',
    'off',
    'on',
  ),
  user: fc.nat(2),
  group: fc.nat(1),
  named: fc.subarray(['u0', 'u1', 'u2', 'g0', 'g1'], { minLength: 1 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/**
 * A naive account of what makes somebody an approver: being named, in the project and in groups. What ends and begins
 * again is something else than before.
 */
class Account {
  readonly #since = new Map<string, number>();
  readonly #inactive = new Set<number>();
  readonly #approvals = new Map<number, ReadonlyMap<string, number>>();
  #clock = 0;

  begin(...what: readonly string[]): void {
    for (const one of what) if (!this.#since.has(one)) this.#since.set(one, ++this.#clock);
  }
  end(what: string): void {
    this.#since.delete(what);
  }
  setActive(user: number, isActive: boolean): void {
    if (isActive) this.#inactive.delete(user);
    else this.#inactive.add(user);
  }
  review(user: number, isApproval: boolean): void {
    if (isApproval) this.#approvals.set(user, new Map(this.#since));
    else this.#approvals.delete(user);
  }

  /** Whether a user is in the project and named by the policy; `then`: without interruption since. */
  mayApprove(user: number, then: ReadonlyMap<string, number> = this.#since): boolean {
    const lasts = (...all: readonly string[]) =>
      all.every((one) => this.#since.has(one) && this.#since.get(one) === then.get(one));
    const by = (what: string) =>
      lasts(`${what} u${user}`) || [0, 1].some((group) => lasts(`${what} g${group}`, `g${group} u${user}`));
    return !this.#inactive.has(user) && by('project') && by('named');
  }
  get approvals(): number {
    return [...this.#approvals].filter(([user, then]) => this.mayApprove(user, then)).length;
  }
}

interface Place {
  readonly projectId: string;
  readonly users: readonly MadeUser[];
  readonly groups: readonly { readonly id: string }[];
  readonly policyId: string;
  readonly requestId: string;
  readonly committer: Caller;
}

const NAMED = ['u0', 'u1', 'g0'];
const PROJECTS = '/api/v1/projects';

function approversOf({ users, groups }: Pick<Place, 'users' | 'groups'>, named: readonly string[]) {
  return named.map((one) => {
    const index = Number(one[1]);
    return one.startsWith('u') ? { type: 'user', id: users[index]!.id } : { type: 'group', id: groups[index]!.id };
  });
}

const add = (projectId: string, { email }: MadeUser) =>
  test.admin('POST', `${PROJECTS}/${projectId}/memberships`, { usernames: [email], emails: [], roleSlugs: ['viewer'] });
const addGroup = (projectId: string, { id }: { id: string }) =>
  test.admin('POST', `${PROJECTS}/${projectId}/memberships/groups/${id}`, { role: 'viewer' });

/** An open request of a machine, and those who may approve it. */
async function makePlace(approvals: number): Promise<Place> {
  const { admin, organizationId } = test;
  const { id: projectId } = await test.project();
  const users: MadeUser[] = [];
  const groups: { id: string }[] = [];
  for (let one = 0; one < 3; one++) users.push(await makeUser(test.coffer, { organizationId }));
  for (let one = 0; one < 2; one++)
    groups.push(await ok(admin('POST', '/api/v1/groups', { name: `${projectId} ${one}` })));
  for (const user of users) await ok(add(projectId, user));
  for (const group of groups) await ok(addGroup(projectId, group));
  await ok(admin('POST', `/api/v1/groups/${groups[0]!.id}/users/${users[0]!.email}`));
  const approvers = approversOf({ users, groups }, NAMED);
  const policy = { workspaceId: projectId, environment: 'prod', approvers, approvals };
  const { approval } = await ok(admin('POST', '/api/v1/secret-approvals', policy));
  const places = { organizationId, organizationRole: 'no-access', projectId, projectRole: 'admin' };
  const committer = test.as((await makeIdentity(test.coffer, places)).token);
  const secret = { projectId, environment: 'prod', secretValue: 'x' };
  const requested = await ok(committer('POST', '/api/v4/secrets/X', secret));
  return { projectId, users, groups, policyId: approval.id, requestId: requested.approval.id, committer };
}

async function membershipOf(userId: string, projectId: string | null): Promise<string> {
  const { rows } = await test.coffer.pool.query<{ id: string }>(
    'select id from memberships where user_id = $1 and project_id is not distinct from $2::uuid',
    [userId, projectId],
  );
  return rows[0]?.id ?? 'none';
}

/** Does a step, and notes it where it was done. */
async function take(place: Place, account: Account, { kind, user: at, group, named }: Step): Promise<void> {
  const { admin } = test;
  const { projectId, policyId, requestId } = place;
  const [user, { id: groupId }] = [place.users[at]!, place.groups[group]!];
  const member = `/api/v1/groups/${groupId}/users/${user.email}`;
  const organization = `/api/v2/organizations/${test.organizationId}/memberships`;
  const isDone = async (answer: ReturnType<Caller>) => (await answer).status === 200;
  switch (kind) {
    case 'approve':
    case 'reject': {
      const status = kind === 'approve' ? 'approved' : 'rejected';
      const review = `/api/v1/secret-approval-requests/${requestId}/review`;
      const isTaken = await isDone(test.as(user.token)('POST', review, { status }));
      if (isTaken !== account.mayApprove(at)) throw new Error(`${kind} of u${at} is ${isTaken ? 'taken' : 'refused'}`);
      if (isTaken) account.review(at, kind === 'approve');
      return;
    }
    case 'join':
      if (await isDone(add(projectId, user))) account.begin(`project u${at}`);
      return;
    case 'leave': {
      const membership = await membershipOf(user.id, projectId);
      if (await isDone(admin('DELETE', `${PROJECTS}/${projectId}/memberships/${membership}`)))
        account.end(`project u${at}`);
      return;
    }
    case 'in':
      if (await isDone(admin('POST', member))) account.begin(`g${group} u${at}`);
      return;
    case 'out':
      if (await isDone(admin('DELETE', member))) account.end(`g${group} u${at}`);
      return;
    case 'give':
      if (await isDone(addGroup(projectId, { id: groupId }))) account.begin(`project g${group}`);
      return;
    case 'take':
      if (await isDone(admin('DELETE', `${PROJECTS}/${projectId}/memberships/groups/${groupId}`)))
        account.end(`project g${group}`);
      return;
    case 'name': {
      const approvers = approversOf(place, named);
      if (!(await isDone(admin('PATCH', `/api/v1/secret-approvals/${policyId}`, { approvers })))) return;
      for (const one of ['u0', 'u1', 'u2', 'g0', 'g1'])
        if (named.includes(one)) account.begin(`named ${one}`);
        else account.end(`named ${one}`);
      return;
    }
    default: {
      const membership = await membershipOf(user.id, null);
      await ok(admin('PATCH', `${organization}/${membership}`, { isActive: kind === 'on' }));
      account.setActive(at, kind === 'on');
    }
  }
}

describe('attack: approvers who come and go', () => {
  it(
    'approve while they are approvers, and their approvals count as long as they remain so without interruption',
    async () => {
      const counted = { merged: 0, refused: 0 };
      const steps = fc.array(step, { minLength: 4, maxLength: 12 });
      const property = fc.asyncProperty(fc.integer({ min: 1, max: 2 }), steps, async (needed, all) => {
        const place = await makePlace(needed);
        const account = new Account();
        account.begin(...['u0', 'u1', 'u2', 'g0', 'g1'].map((one) => `project ${one}`), 'g0 u0');
        account.begin(...NAMED.map((one) => `named ${one}`));
        for (const one of all) await take(place, account, one);
        const { status } = await place.committer(
          'POST',
          `/api/v1/secret-approval-requests/${place.requestId}/merge`,
          {},
        );
        expect({ needed, given: account.approvals, status }).toMatchObject({
          status: account.approvals >= needed ? 200 : 400,
        });
        counted[status === 200 ? 'merged' : 'refused']++;
      });
      await fc.assert(property, { numRuns: runs(3, 500), seed: SEARCH_SEED, endOnFailure: true });
      expect(counted.refused + counted.merged).toBe(runs(3, 500));
    },
    searchTime(300_000),
  );
});
