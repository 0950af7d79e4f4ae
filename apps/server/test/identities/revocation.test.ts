import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anotherProcess, type AnotherProcess } from '../harness/another-process.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

/** Two processes on one database. */
let test: TestServer;
let second: AnotherProcess;
beforeAll(async () => {
  test = await testServer();
  second = await anotherProcess(test);
});
afterAll(async () => {
  await second.close();
  await test.close();
});

/** An actor who reads a secret, by a permission that can be removed in many ways. */
interface Reader {
  readonly token: string;
  readonly identityId: string;
  readonly userId: string;
  readonly email: string;
  readonly projectId: string;
  readonly clientSecretId: string;
  readonly tokenId: string;
  readonly projectRoleId: string;
  /** Of the group or the privilege by which it reads. */
  readonly otherId?: string;
}

const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
  const answer = await test.admin(method, url, body);
  expect([method, url, answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([
    method,
    url,
    200,
    undefined,
  ]);
  return answer.body;
};

async function world() {
  const project = await test.project();
  const { role } = await ask('POST', `/api/v1/projects/${project.id}/roles`, {
    slug: 'reader',
    name: 'reader',
    permissions: [{ subject: 'secrets', action: ['describeSecret', 'readValue'] }],
  });
  await ask('POST', '/api/v4/secrets/KEY', { projectId: project.id, environment: 'dev', secretValue: 'found' });
  return { projectId: project.id, projectRoleId: role.id as string };
}

async function machine(by: 'client secret' | 'token'): Promise<Reader> {
  const { projectId, projectRoleId } = await world();
  const { organizationId } = test;
  const { identity } = await ask('POST', '/api/v1/identities', { name: 'reader', organizationId, role: 'no-access' });
  await ask('POST', `/api/v2/workspace/${projectId}/identity-memberships/${identity.id}`, { role: 'reader' });
  const made = { identityId: identity.id, projectId, projectRoleId, userId: '', email: '' };
  if (by === 'token') {
    await ask('POST', `/api/v1/auth/token-auth/identities/${identity.id}`, {});
    const { accessToken, tokenData } = await ask(
      'POST',
      `/api/v1/auth/token-auth/identities/${identity.id}/tokens`,
      {},
    );
    return { ...made, token: accessToken, tokenId: tokenData.id, clientSecretId: '' };
  }
  const method = `/api/v1/auth/universal-auth/identities/${identity.id}`;
  const { clientId } = (await ask('POST', method, {})).identityUniversalAuth;
  const { clientSecret, clientSecretData } = await ask('POST', `${method}/client-secrets`, {});
  const { accessToken } = await ask('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret });
  return { ...made, token: accessToken, tokenId: '', clientSecretId: clientSecretData.id };
}

async function person(): Promise<Reader> {
  const { projectId, projectRoleId } = await world();
  const { organizationId } = test;
  const user = await makeUser(test.coffer, { organizationId });
  await ask('POST', `/api/v2/workspace/${projectId}/memberships`, {
    usernames: [user.email],
    emails: [],
    roleSlugs: ['reader'],
  });
  const made = { identityId: '', tokenId: '', clientSecretId: '', projectRoleId };
  return { ...made, userId: user.id, email: user.email, token: user.token, projectId };
}

/** A machine identity that is in the project by a group alone. */
async function memberOfGroup(): Promise<Reader> {
  const reader = await machine('token');
  const { id } = await ask('POST', '/api/v1/groups', { name: reader.identityId });
  await ask('POST', `/api/v1/projects/${reader.projectId}/memberships/groups/${id}`, { role: 'reader' });
  await ask('POST', `/api/v1/groups/${id}/machine-identities/${reader.identityId}`);
  await ask('DELETE', `/api/v2/workspace/${reader.projectId}/identity-memberships/${reader.identityId}`);
  return { ...reader, otherId: id };
}

/** A machine identity that reads by a privilege alone. */
async function privileged(conditions: object): Promise<Reader> {
  const reader = await machine('token');
  const { identityId, projectId } = reader;
  await ask('PATCH', `/api/v1/identities/${identityId}`, { metadata: [{ key: 'place', value: 'dev' }] });
  await ask('PATCH', `/api/v2/workspace/${projectId}/identity-memberships/${identityId}`, {
    roles: [{ role: 'no-access', isTemporary: false }],
  });
  const { privilege } = await ask('POST', PRIVILEGES, {
    identityId,
    projectId,
    permissions: [{ subject: 'secrets', action: ['describeSecret', 'readValue'], conditions }],
    type: { isTemporary: false },
  });
  return { ...reader, otherId: privilege.id };
}
const PRIVILEGES = '/api/v2/identity-project-additional-privilege';
const inDev = () => privileged({ environment: 'dev' });

const membershipOf = async (userId: string): Promise<string> => {
  const { users } = await ask('GET', `/api/v2/organizations/${test.organizationId}/memberships`);
  return users.find((one: { userId: string }) => one.userId === userId).id;
};

const asThere =
  (token: string): Caller =>
  async (method, url) => {
    const answer = await second.app.inject({ method, url, headers: { authorization: `Bearer ${token}` } });
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
  };
const readBy = async (call: Caller, { projectId }: Reader): Promise<number> =>
  (await call('GET', `/api/v4/secrets/KEY?projectId=${projectId}&environment=dev`)).status;

type Deed = readonly [
  what: string,
  make: () => Promise<Reader>,
  deed: (reader: Reader) => Promise<unknown>,
  status: number,
];
const ofMachines: readonly Deed[] = [
  [
    'a token that its holder revokes',
    () => machine('client secret'),
    ({ token }) => test.as()('POST', '/api/v1/auth/token/revoke', { accessToken: token }),
    401,
  ],
  [
    'a token that is revoked',
    () => machine('token'),
    ({ tokenId }) => ask('POST', `/api/v1/auth/token-auth/tokens/${tokenId}/revoke`),
    401,
  ],
  [
    'a client secret that is revoked',
    () => machine('client secret'),
    ({ identityId, clientSecretId }) =>
      ask('POST', `/api/v1/auth/universal-auth/identities/${identityId}/client-secrets/${clientSecretId}/revoke`),
    401,
  ],
  [
    'a login method that is detached',
    () => machine('client secret'),
    ({ identityId }) => ask('DELETE', `/api/v1/auth/universal-auth/identities/${identityId}`),
    401,
  ],
  [
    'addresses that are trusted no more',
    () => machine('token'),
    ({ identityId }) =>
      ask('PATCH', `/api/v1/auth/token-auth/identities/${identityId}`, {
        accessTokenTrustedIps: [{ ipAddress: '10.0.0.1' }],
      }),
    403,
  ],
  [
    'an identity that is deleted',
    () => machine('token'),
    ({ identityId }) => ask('DELETE', `/api/v1/identities/${identityId}`),
    401,
  ],
  [
    'a membership that is removed',
    () => machine('token'),
    ({ identityId, projectId }) => ask('DELETE', `/api/v2/workspace/${projectId}/identity-memberships/${identityId}`),
    404,
  ],
  [
    'a member whose role is another',
    () => machine('client secret'),
    ({ identityId, projectId }) =>
      ask('PATCH', `/api/v2/workspace/${projectId}/identity-memberships/${identityId}`, {
        roles: [{ role: 'no-access', isTemporary: false }],
      }),
    403,
  ],
  [
    'a role that allows less',
    () => machine('token'),
    ({ projectId, projectRoleId }) =>
      ask('PATCH', `/api/v1/projects/${projectId}/roles/${projectRoleId}`, { permissions: [] }),
    403,
  ],
];
const ofMachinesWithMore: readonly Deed[] = [
  [
    'a member of a group who is taken out of it',
    memberOfGroup,
    ({ otherId, identityId }) => ask('DELETE', `/api/v1/groups/${otherId}/machine-identities/${identityId}`),
    404,
  ],
  ['a group that is deleted', memberOfGroup, ({ otherId }) => ask('DELETE', `/api/v1/groups/${otherId}`), 404],
  [
    'a group that is taken out of the project',
    memberOfGroup,
    ({ otherId, projectId }) => ask('DELETE', `/api/v1/projects/${projectId}/memberships/groups/${otherId}`),
    404,
  ],
  [
    'a group that has another role in the project',
    memberOfGroup,
    ({ otherId, projectId }) =>
      ask('PATCH', `/api/v1/projects/${projectId}/memberships/groups/${otherId}`, {
        roles: [{ role: 'no-access', isTemporary: false }],
      }),
    403,
  ],
  [
    'a role of a group that allows less',
    memberOfGroup,
    ({ projectId, projectRoleId }) =>
      ask('PATCH', `/api/v1/projects/${projectId}/roles/${projectRoleId}`, { permissions: [] }),
    403,
  ],
  ['a privilege that is taken away', inDev, ({ otherId }) => ask('DELETE', `${PRIVILEGES}/${otherId}`), 403],
  [
    'a privilege that allows less',
    inDev,
    ({ otherId }) => ask('PATCH', `${PRIVILEGES}/${otherId}`, { permissions: [] }),
    403,
  ],
  [
    'a privilege that is over',
    inDev,
    ({ otherId }) =>
      ask('PATCH', `${PRIVILEGES}/${otherId}`, {
        type: {
          isTemporary: true,
          temporaryMode: 'relative',
          temporaryRange: '1h',
          temporaryAccessStartTime: '2020-01-01T00:00:00Z',
        },
      }),
    403,
  ],
  [
    'a member whom another privilege forbids it',
    () => machine('token'),
    ({ identityId, projectId }) =>
      ask('POST', PRIVILEGES, {
        identityId,
        projectId,
        permissions: [{ subject: 'secrets', action: ['describeSecret'], inverted: true }],
        type: { isTemporary: false },
      }),
    403,
  ],
  [
    'metadata of which a rule speaks',
    () => privileged({ environment: '{{identity.metadata.place}}' }),
    ({ identityId }) => ask('PATCH', `/api/v1/identities/${identityId}`, { metadata: [] }),
    403,
  ],
  [
    'a project that is deleted',
    () => machine('token'),
    ({ projectId }) => ask('DELETE', `/api/v1/workspace/${projectId}`),
    404,
  ],
];
const ofPeople: readonly Deed[] = [
  [
    'a person who is taken out of the project',
    person,
    ({ email, projectId }) =>
      ask('DELETE', `/api/v2/workspace/${projectId}/memberships`, { usernames: [email], emails: [] }),
    404,
  ],
  [
    'a person who is taken out of the organization',
    person,
    async ({ userId }) =>
      ask('DELETE', `/api/v2/organizations/${test.organizationId}/memberships/${await membershipOf(userId)}`),
    403,
  ],
  [
    'a person whose membership is made inactive',
    person,
    async ({ userId }) =>
      ask('PATCH', `/api/v2/organizations/${test.organizationId}/memberships/${await membershipOf(userId)}`, {
        isActive: false,
      }),
    403,
  ],
  [
    'a role that allows less to a person',
    person,
    ({ projectId, projectRoleId }) =>
      ask('PATCH', `/api/v1/projects/${projectId}/roles/${projectRoleId}`, { permissions: [] }),
    403,
  ],
];

describe.each([...ofMachines, ...ofMachinesWithMore, ...ofPeople])('%s', (_, make, deed, status) => {
  it('is invalid immediately in this process, and within a second in the other', async () => {
    const reader = await make();
    const here = () => readBy(test.as(reader.token), reader);
    const there = () => readBy(asThere(reader.token), reader);
    // Twice, so that everything is cached.
    for (const read of [here, there, here, there]) expect(await read()).toBe(200);
    await deed(reader);
    expect(await here()).toBe(status);
    await expect.poll(there).toBe(status);
    expect([await here(), await there()]).toEqual([status, status]);
  });
});

describe('a process without invalidations', () => {
  it('caches nothing: a revocation elsewhere takes effect', async () => {
    const reader = await machine('token');
    expect(await readBy(asThere(reader.token), reader)).toBe(200);
    const { rows } = await test.coffer.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'coffer-cache' and datname = current_database()`,
    );
    expect(rows.length).toBe(2);
    for (const { pid } of rows) await test.coffer.pool.query('select pg_terminate_backend($1)', [pid]);
    await ask('POST', `/api/v1/auth/token-auth/tokens/${reader.tokenId}/revoke`);
    await expect.poll(() => readBy(asThere(reader.token), reader)).toBe(401);
  });
});
