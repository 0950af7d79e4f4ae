import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_KEYS, keyholder, makeKey, withKey, type Keyholder } from '../harness/api-keys.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const ME = '/api/v2/users/me';
const HOUR = 3_600_000;
const password = 'correct horse battery';

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
});
afterAll(() => test.close());

const status = async (call: Caller) => (await call('GET', ME)).status;
const organizationMembership = async ({ id }: { id: string }) => {
  const text = 'select id from memberships where user_id = $1 and project_id is null';
  return (await test.coffer.pool.query<{ id: string }>(text, [id])).rows[0]!.id;
};
const membershipPath = async (user: { id: string }) =>
  `/api/v2/organizations/${test.organizationId}/memberships/${await organizationMembership(user)}`;

/** Adds the user to a project; returns the ID of the membership. */
async function join(projectId: string, { email }: { email: string }, role: string): Promise<string> {
  const { body } = await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, {
    usernames: [email],
    emails: [],
    roleSlugs: [role],
  });
  return body.memberships[0].id;
}

describe('attack: a stolen API key', () => {
  it('makes, shows and deletes no keys, sessions or tokens of the user', async () => {
    const user = await keyholder(test, { password });
    const sessions = (await user.session('GET', `${ME}/sessions`)).body;
    const attempts: [Parameters<Caller>[0], string, object?][] = [
      ['POST', API_KEYS, { name: 'x', expiresIn: 3600 }],
      ['GET', API_KEYS],
      ['GET', '/api/v3/users/me/api-keys'],
      ['DELETE', `${API_KEYS}/${user.keyId}`],
      ['POST', '/api/v3/auth/select-organization', { organizationId: test.organizationId }],
      ['POST', '/api/v1/auth/logout'],
      ['GET', `${ME}/sessions`],
      ['DELETE', `${ME}/sessions`],
      ['DELETE', `${ME}/sessions/${sessions[0].id}`],
    ];
    for (const [method, url, body] of attempts)
      expect([url, (await user.call(method, url, body)).status]).toEqual([url, 403]);
    // Refreshing needs the cookie of a session, which a key does not replace.
    expect((await user.call('POST', '/api/v1/auth/token')).status).toBe(404);
    expect(await status(user.session)).toBe(200);
    expect(await status(user.call)).toBe(200);
  });

  it('changes neither the account nor the password, also with the password', async () => {
    const user = await keyholder(test, { password });
    const reset = { oldPassword: password, newPassword: 'a better one than that' };
    expect((await user.call('POST', '/api/v2/password/user/password-reset', reset)).status).toBe(403);
    expect((await user.call('DELETE', ME, { password })).status).toBe(403);
    expect((await user.call('PATCH', `${ME}/name`, { firstName: 'Mallory', lastName: '' })).status).toBe(403);
    expect((await user.call('POST', '/api/v2/organizations', { name: 'Away' })).status).toBe(403);
    expect((await user.session('GET', ME)).body.user).toMatchObject({ firstName: 'Ann' });
  });

  it('does not take its user out of the organization', async () => {
    const user = await keyholder(test, { password });
    const url = await membershipPath(user);
    expect((await user.call('DELETE', url)).status).toBe(403);
    expect(await status(user.call)).toBe(200);
    expect((await user.session('DELETE', url)).status).toBe(200);
  });

  it('does not administer the instance, although its user does', async () => {
    const user = await keyholder(test, { isSuperAdmin: true, role: 'admin' });
    const path = '/api/v1/admin/user-management/users';
    expect((await user.session('GET', path)).status).toBe(200);
    expect((await user.call('GET', path)).status).toBe(403);
    expect((await user.call('DELETE', `${path}/${user.id}`)).status).toBe(403);
    expect((await user.call('PATCH', '/api/v1/admin/config', { allowSignUp: true })).status).toBe(403);
  });

  it('approves nothing', async () => {
    const { id: projectId, slug } = await test.project();
    const approver = await keyholder(test);
    await join(projectId, approver, 'admin');
    const asking = await keyholder(test);
    await join(projectId, asking, 'viewer');
    const approvers = [{ type: 'user', id: approver.id }];
    const policy = { environment: 'dev', secretPath: '/', approvals: 1, approvers };
    const made = await test.admin('POST', '/api/v1/access-approvals/policies', {
      ...policy,
      projectSlug: slug,
      name: 'a',
    });
    expect([made.status, made.body]).toEqual([200, made.body]);
    const asked = await asking.call('POST', `/api/v1/access-approvals/requests?projectSlug=${slug}`, {
      permissions: [
        { action: 'edit', subject: 'secrets', conditions: { environment: 'dev', secretPath: { $glob: '/' } } },
      ],
      isTemporary: true,
      temporaryRange: '1h',
    });
    expect([asked.status, asked.body]).toEqual([200, asked.body]);
    const review = `/api/v1/access-approvals/requests/${asked.body.approval.id}/review`;
    expect((await approver.call('POST', review, { status: 'approved' })).status).toBe(403);
    const change = await test.admin('POST', '/api/v1/secret-approvals', {
      ...policy,
      workspaceId: projectId,
      name: 's',
    });
    expect(change.status).toBe(200);
    expect(
      (await approver.call('POST', '/api/v1/secret-approval-requests/x/review', { status: 'approved' })).status,
    ).toBe(403);
  });

  it('gives nothing that its user does not hold, nor for longer', async () => {
    const { id: projectId } = await test.project();
    const user = await keyholder(test);
    const membershipId = await join(projectId, user, 'admin');
    const window = {
      isTemporary: true,
      temporaryMode: 'relative',
      temporaryRange: '30m',
      temporaryAccessStartTime: test.coffer.now().toISOString(),
    };
    const limited = await test.admin('PATCH', `/api/v1/projects/${projectId}/memberships/${membershipId}`, {
      roles: [
        { role: 'no-access', isTemporary: false },
        { role: 'admin', ...window },
      ],
    });
    expect(limited.status).toBe(200);
    const token = (expiresIn: number) =>
      user.call('POST', '/api/v2/service-token', {
        name: 'x',
        workspaceId: projectId,
        scopes: [{ environment: 'dev', secretPath: '/**' }],
        permissions: ['read'],
        expiresIn,
      });
    const refused = await token(3600);
    expect([refused.status, refused.body.error]).toEqual([403, 'PermissionBoundaryError']);
    const made = await token(600);
    expect(made.status).toBe(200);
    // What it created ends with the rights of its user.
    const list = () =>
      test.as(made.body.serviceToken)('GET', `/api/v3/secrets/raw?workspaceId=${projectId}&environment=dev`);
    expect((await list()).status).toBe(200);
    await test.admin('DELETE', `/api/v1/projects/${projectId}/memberships/${membershipId}`);
    expect((await list()).status).toBe(401);
  });

  it('is refused from an address that the project does not trust', async () => {
    const { id: projectId } = await test.project();
    const user = await keyholder(test);
    await join(projectId, user, 'admin');
    const secrets = `/api/v4/secrets?projectId=${projectId}&environment=dev`;
    const from = async (remoteAddress: string) =>
      (await test.app.inject({ url: secrets, remoteAddress, headers: { 'x-api-key': user.key } })).statusCode;
    expect(await from('192.0.2.1')).toBe(200);
    const trusted = await user.call('POST', `/api/v1/workspace/${projectId}/trusted-ips`, {
      ipAddress: '127.0.0.1',
      isActive: true,
    });
    expect(trusted.status).toBe(200);
    expect(await from('192.0.2.1')).toBe(403);
    expect(await from('127.0.0.1')).toBe(200);
  });
});

describe('attack: an API key after its end', () => {
  it('is refused at once when the user is deactivated', async () => {
    const user = await keyholder(test);
    expect(await status(user.call)).toBe(200);
    expect((await test.admin('PATCH', await membershipPath(user), { isActive: false })).status).toBe(200);
    expect(await status(user.call)).toBe(403);
    expect((await user.call('POST', '/api/v1/projects', { projectName: 'x' })).status).toBe(403);
    // Nor does the session of a deactivated user make another key.
    expect((await user.session('POST', API_KEYS, { name: 'x', expiresIn: 60 })).status).toBe(403);
  });

  it('is refused after the user left, and was invited again and joined', async () => {
    const user = await keyholder(test, { password });
    expect(await status(user.call)).toBe(200);
    expect((await test.admin('DELETE', await membershipPath(user))).status).toBe(200);
    expect(await status(user.call)).toBe(401);
    const { organizationId } = test;
    const invited = await test.admin('POST', '/api/v1/invite-org/signup', {
      inviteeEmails: [user.email],
      organizationId,
    });
    const code = new URL(invited.body.completeInviteLinks[0].link).searchParams.get('token');
    const accept = { email: user.email, organizationId, code };
    const login = await test.as()('POST', '/api/v3/auth/login', { email: user.email, password });
    const again = test.as(login.body.accessToken);
    expect((await again('POST', '/api/v1/invite-org/verify', accept)).status).toBe(200);
    expect((await again('POST', '/api/v3/auth/select-organization', { organizationId })).status).toBe(200);
    expect(await status(user.call)).toBe(401);
  });

  it('is refused at the instant of its end, cached or not', async () => {
    const user = await keyholder(test);
    const other = await makeKey(test, user.token, 3600);
    test.advance(HOUR - 5_000);
    expect(await status(user.call)).toBe(200);
    test.advance(5_000);
    expect(await status(user.call)).toBe(401);
    expect(await status(withKey(test, other.key))).toBe(401);
  });

  it('does not come from a session that is being ended', async () => {
    const keysOf = async ({ id }: { id: string }) =>
      (await test.coffer.pool.query('select 1 from user_api_keys where user_id = $1', [id])).rows.length;
    for (let round = 0; round < 5; round++) {
      const user = await makeUser(test.coffer, { organizationId: test.organizationId });
      const session = test.as(user.token);
      const create = () => session('POST', API_KEYS, { name: 'x', expiresIn: 3600 });
      await Promise.all([create(), session('DELETE', `${ME}/sessions`), create(), create()]);
      expect(await keysOf(user)).toBe(0);
    }
  });
});

describe('attack: forged and guessed API keys', () => {
  it('get the same 401, whatever is wrong with them', async () => {
    const user: Keyholder = await keyholder(test);
    const secret = user.key.split('.')[2]!;
    const answers = await Promise.all(
      [
        '',
        'ak.',
        `ak.${user.keyId}`,
        `ak.${user.keyId}.`,
        `ak.${user.keyId}.${'0'.repeat(64)}`,
        `ak.00000000-0000-4000-8000-000000000000.${secret}`,
        `ak.${user.keyId.toUpperCase()}.${secret}`,
        `ak.${user.keyId}.${secret.toUpperCase()}`,
        `${user.key}.more`,
        `Bearer ${user.key}`,
        `${user.key},${user.key}`,
        `st.${user.keyId}.${secret}`,
      ].map((key) => withKey(test, key)('GET', ME)),
    );
    const bodies = new Set(
      answers.map(({ status: answered, body: { reqId: _, ...body } }) => JSON.stringify([answered, body])),
    );
    expect([...bodies]).toHaveLength(1);
    expect(answers[0]!.status).toBe(401);
    expect(await status(user.call)).toBe(200);
  });

  it('count as refused tokens of their address, and do not lock out a key that is known', async () => {
    const limited = await testServer({ clock: 'standing' }, { refusedTokenLimit: 5 });
    try {
      const user = await keyholder(limited);
      expect(await status(user.call)).toBe(200);
      const guess = (i: number) =>
        withKey(limited, `ak.${user.keyId}.${String(i).padStart(64, '0')}`)('GET', ME).then((answer) => answer.status);
      const statuses: number[] = [];
      for (let i = 0; i < 8; i++) statuses.push(await guess(i));
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
      expect(await status(user.call)).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it('are useless to a reader of the database', async () => {
    const user = await keyholder(test);
    const { rows } = await test.coffer.pool.query('select * from user_api_keys where id = $1', [user.keyId]);
    const [row] = rows as { hash: Buffer }[];
    expect(JSON.stringify(rows)).not.toContain(user.key.split('.')[2]);
    expect(await status(withKey(test, `ak.${user.keyId}.${row!.hash.toString('hex')}`))).toBe(401);
  });
});
