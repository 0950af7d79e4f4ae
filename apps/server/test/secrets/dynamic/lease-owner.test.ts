import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamicSecretAtWork, dynamicPlace, type DynamicPlace } from '../../harness/dynamic-secret.ts';
import { testServer, type Caller, type TestServer } from '../../harness/test-server.ts';

const ACTIONS = ['lease', 'read-root-credential', 'edit-root-credential', 'delete-root-credential'] as const;
type Action = (typeof ACTIONS)[number];
const SETS = Array.from({ length: 2 ** ACTIONS.length }, (_, set) =>
  ACTIONS.filter((_action, bit) => set & (1 << bit)),
);

/** The owner of a lease, relative to the caller: also a member of its group, and none in earlier releases. */
const OWNERS = ['self', 'other', 'same group', 'nobody'] as const;
type Owner = (typeof OWNERS)[number];
const OPERATIONS = ['list', 'get', 'renew', 'revoke', 'revoke by force'] as const;
type Operation = (typeof OPERATIONS)[number];

/** The expected result, by a naive reading. */
function mayDo(can: ReadonlySet<Action>, owner: Owner, operation: Operation): boolean {
  if (operation === 'revoke by force') return can.has('edit-root-credential');
  const root = operation === 'list' || operation === 'get' ? 'read-root-credential' : 'edit-root-credential';
  return can.has(root) || (owner === 'self' && can.has('lease'));
}

let test: TestServer;
let place: DynamicPlace;
let one: DynamicSecretAtWork;
let other: { id: string };
let mate: { id: string };
let group: string;
beforeAll(async () => {
  test = await testServer();
  place = await dynamicPlace(test);
  one = new DynamicSecretAtWork(test, place, 'codes');
  await one.create('totp', { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' });
  [other, mate] = [await test.identity(), await test.identity()];
  group = (await test.admin('POST', '/api/v1/groups', { name: 'Team' })).body.id;
  await test.admin('POST', `/api/v1/groups/${group}/machine-identities/${mate.id}`, {});
});
afterAll(() => test.close());

interface CallerWith {
  readonly id: string;
  readonly call: Caller;
  readonly can: ReadonlySet<Action>;
}

async function callerWith(actions: readonly Action[]): Promise<CallerWith> {
  const rules: Rule[] = actions.length > 0 ? [{ subject: 'dynamic-secrets', action: [...actions] }] : [];
  const { id, call } = await test.identity({ projectId: place.projectId, rules });
  await test.admin('POST', `/api/v1/groups/${group}/machine-identities/${id}`, {});
  return { id, call, can: new Set(actions) };
}

async function leaseOf(ownerId: string | null): Promise<string> {
  const { lease } = (await one.lease()).body;
  await test.coffer.pool.query(
    `update dynamic_secret_leases set created_by_id = $2, created_by_type = case when $2::uuid is null then null else 'identity' end
     where id = $1`,
    [lease.id, ownerId],
  );
  return lease.id;
}

/** Whether the operation has its effect on a lease. */
async function does(call: Caller, leaseId: string, operation: Operation): Promise<boolean> {
  const own = new DynamicSecretAtWork(test, place, one.name, call);
  if (operation === 'list') {
    const { status, body } = await call('GET', `/api/v1/dynamic-secrets/${one.name}/leases?${place.query}`);
    expect([200, 403]).toContain(status);
    return status === 200 && body.leases.some(({ id }: { id: string }) => id === leaseId);
  }
  const answer = await {
    get: () => own.getLease(leaseId),
    renew: () => own.renew(leaseId),
    revoke: () => own.revoke(leaseId),
    'revoke by force': () => own.revoke(leaseId, { isForced: true }),
  }[operation]();
  expect([200, 403]).toContain(answer.status);
  return answer.status === 200;
}

/** The cases in which the result differs from the expected one. */
async function disagreements(
  { can, id, call }: CallerWith,
  ownerIdOf = (owner: Owner): string | null =>
    ({ self: id, other: other.id, 'same group': mate.id, nobody: null })[owner],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const owner of OWNERS) {
    const leaseId = await leaseOf(ownerIdOf(owner));
    for (const operation of OPERATIONS) {
      const before = await standing(leaseId);
      const done = await does(call, before ? leaseId : await leaseOf(ownerIdOf(owner)), operation);
      if (done !== mayDo(can, owner, operation)) wrong.push(`${[...can].join('+')}: ${operation} of ${owner}`);
    }
    await test.coffer.pool.query('delete from dynamic_secret_leases');
    await test.coffer.pool.query('update dynamic_secrets set leases = 0');
  }
  return wrong;
}

const standing = async (leaseId: string) =>
  ((await test.coffer.pool.query('select 1 from dynamic_secret_leases where id = $1', [leaseId])).rowCount ?? 0) > 0;

describe('leases', () => {
  it('are for their owners and for callers with the permission on the root credential, with any other permissions', async () => {
    for (const actions of SETS) expect(await disagreements(await callerWith(actions))).toEqual([]);
  });

  it('are found by the same comparison if they are held for the leases of others', async () => {
    const caller = await callerWith(['lease']);
    // As if the server took everybody for the owner: each lease is the caller's own.
    const found = await disagreements(caller, () => caller.id);
    expect(found).toContain('lease: revoke of other');
    expect(found).toContain('lease: list of same group');
    expect(found).toContain('lease: renew of nobody');
  });

  it('are owned by people as well as by machines, and not by namesakes', async () => {
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const { role } = (
      await test.admin('POST', `/api/v1/projects/${place.projectId}/roles`, {
        slug: 'leaser',
        name: 'Leaser',
        permissions: [{ subject: 'dynamic-secrets', action: ['lease'] }],
      })
    ).body;
    const body = { usernames: [user.email], roleSlugs: [role.slug] };
    await test.admin('POST', `/api/v1/projects/${place.projectId}/memberships`, body);
    const own = new DynamicSecretAtWork(test, place, one.name, test.as(user.token));
    const { lease } = (await own.lease()).body;
    expect(lease.createdBy).toEqual({ type: 'user', id: user.id });
    expect((await own.leases()).map(({ id }) => id)).toEqual([lease.id]);
    expect((await own.revoke(lease.id, { isForced: true })).status).toBe(403);
    expect((await own.revoke(lease.id)).status).toBe(200);
  });
});
