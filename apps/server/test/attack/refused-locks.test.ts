import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { makeWorld, type World } from '../harness/matrix-world.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

// The matrix test searches all operations for locks of refused calls. Here others hold some of these locks.

let test: TestServer;
let world: World;
beforeAll(async () => {
  test = await testServer({ lockTimeout: 500 });
  world = await makeWorld(test, 'zlockedz');
});
afterAll(() => test.close());

/** The answer to a call while somebody has the rows that it names. */
async function whileLocked(call: () => Promise<Answer>): Promise<Answer> {
  const { has } = world;
  const rows: Record<string, string> = {
    additional_privileges: has.identityPrivilege,
    identities: has.identity,
    secret_approval_requests: has.changeRequest,
    access_approval_requests: has.accessRequest,
    tags: has.tag,
  };
  const client = await test.owner.connect();
  try {
    await client.query('begin');
    for (const [table, id] of Object.entries(rows))
      await client.query(`select from ${table} where id = $1 for update`, [id]);
    await client.query('select from identity_auth_methods where identity_id = $1 for update', [has.identity]);
    return await call();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const CALLS: readonly (readonly [title: string, status: number, call: (call: Caller) => Promise<Answer>])[] = [
  [
    'a privilege',
    404,
    (call) =>
      call('PATCH', `/api/v2/identity-project-additional-privilege/${world.has.identityPrivilege}`, { slug: 'other' }),
  ],
  ['an identity', 403, (call) => call('PATCH', `/api/v1/identities/${world.has.identity}`, { name: 'other' })],
  ['an identity to delete', 403, (call) => call('DELETE', `/api/v1/identities/${world.has.identity}`)],
  [
    'a token of an identity',
    403,
    (call) => call('POST', `/api/v1/auth/token-auth/identities/${world.has.identity}/tokens`, {}),
  ],
  [
    'a client secret of an identity',
    403,
    (call) => call('POST', `/api/v1/auth/universal-auth/identities/${world.has.identity}/client-secrets`, {}),
  ],
  [
    'a change request to merge',
    404,
    (call) => call('POST', `/api/v1/secret-approval-requests/${world.has.changeRequest}/merge`, {}),
  ],
  [
    'a change request to close',
    404,
    (call) => call('POST', `/api/v1/secret-approval-requests/${world.has.changeRequest}/status`, { status: 'close' }),
  ],
  [
    'a change request to review',
    404,
    (call) =>
      call('POST', `/api/v1/secret-approval-requests/${world.has.changeRequest}/review`, { status: 'approved' }),
  ],
];
const IN_PROJECT: typeof CALLS = [
  [
    'an access request',
    403,
    (call) =>
      call('POST', `/api/v1/access-approvals/requests/${world.has.accessRequest}/review`, { status: 'approved' }),
  ],
  [
    'the tag of a new secret',
    403,
    (call) =>
      call('POST', '/api/v4/secrets/NEW', {
        ...{ projectId: world.has.project, environment: 'dev', secretPath: '/', secretValue: 'v' },
        tagIds: [world.has.tag],
      }),
  ],
];

describe('attack: a member of the organization alone, beside others who have a lock', () => {
  it.each(CALLS)('does not wait for, nor take, it: %s', async (_, status, call) => {
    const { organizationId } = world;
    const person = await makeUser(test.coffer, { organizationId, role: 'member' });
    expect(await whileLocked(() => call(test.as(person.token)))).toMatchObject({ status });
  });
});

describe('attack: a member of the project without rights, beside others who have a lock', () => {
  it.each(IN_PROJECT)('does not wait for, nor take, it: %s', async (_, status, call) => {
    const { organizationId, has, machine } = world;
    const person = await makeUser(test.coffer, { organizationId });
    const member = { usernames: [person.email], emails: [], roleSlugs: ['no-access'] };
    await ok(machine('POST', `/api/v1/projects/${has.project}/memberships`, member));
    expect(await whileLocked(() => call(test.as(person.token)))).toMatchObject({ status });
  });
});
