import { INSTANCE_LOG } from '@coffer/domain';
import { makeProject, makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

const password = 'correct horse battery';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const person = (make: Parameters<typeof makeUser>[1] = {}) => makeUser(test.coffer, { password, ...make });
const member = () => person({ organizationId: test.organizationId, role: 'member' });
const logIn = (email: string, given = password) => test.as()('POST', '/api/v3/auth/login', { email, password: given });
const ME = '/api/v2/users/me';
const IN_TRANSACTION =
  "select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'";

describe('my account', () => {
  it('is returned in the published shape, under both paths', async () => {
    const { id, email, token } = await person();
    const { body } = await test.as(token)('GET', ME);
    expect(body).toEqual({
      user: {
        id,
        username: email,
        email,
        firstName: 'Ann',
        lastName: 'Lee',
        authMethods: ['email'],
        superAdmin: false,
        isAccepted: true,
        isEmailVerified: false,
        isGhost: false,
        isMfaEnabled: false,
        mfaMethods: null,
        selectedMfaMethod: null,
        consecutiveFailedMfaAttempts: 0,
        consecutiveFailedPasswordAttempts: 0,
        isLocked: false,
        temporaryLockDateEnd: null,
        devices: null,
        clientPublicKey: null,
        serverPrivateKey: null,
        encryptionVersion: null,
        protectedKey: null,
        protectedKeyIV: null,
        protectedKeyTag: null,
        publicKey: null,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    });
    expect((await test.as(token)('GET', '/api/v1/user')).body).toEqual(body);
  });

  it('is for users: refused to machine identities and all others', async () => {
    expect((await test.admin('GET', ME)).status).toBe(403);
    expect((await test.as()('GET', ME)).status).toBe(401);
  });

  it('lists the organizations that I have joined and am active in', async () => {
    const { token, id } = await member();
    const { body } = await test.as(token)('GET', `${ME}/organizations`);
    expect(body.organizations).toEqual([expect.objectContaining({ id: test.organizationId, name: 'Acme' })]);
    const alone = await person();
    expect((await test.as(alone.token)('GET', `${ME}/organizations`)).body).toEqual({ organizations: [] });
    const { organizationId: foreign } = await test.foreign();
    await test.coffer.pool.query(
      `insert into memberships (id, organization_id, user_id, status) values (gen_random_uuid(), $1, $2, 'invited')`,
      [foreign, id],
    );
    expect((await test.as(token)('GET', `${ME}/organizations`)).body.organizations).toHaveLength(1);
  });

  it('accepts another name, which the audit log uses from then on', async () => {
    const { token } = await member();
    const { status, body } = await test.as(token)('PATCH', `${ME}/name`, { firstName: ' Anna ', lastName: 'Leigh' });
    expect({ status, ...body }).toMatchObject({ status: 200, user: { firstName: 'Anna', lastName: 'Leigh' } });
    expect((await test.as(token)('GET', ME)).body.user).toMatchObject({ firstName: 'Anna', lastName: 'Leigh' });
    expect((await test.as(token)('PATCH', `${ME}/name`, { firstName: '', lastName: 'x' })).status).toBe(422);
    expect((await test.as(token)('PATCH', `${ME}/name`, { firstName: 'nul \0', lastName: 'x' })).status).toBe(422);
    expect((await test.as(token)('PATCH', `${ME}/name`, { firstName: 'x'.repeat(256), lastName: 'x' })).status).toBe(
      422,
    );
  });
});

describe('changing the password', () => {
  const path = '/api/v2/password/user/password-reset';

  it('accepts the new one from then on, ends all sessions, and continues in a new one', async () => {
    const { email, token, id } = await member();
    const other = (await logIn(email)).body.accessToken;
    const answer = await test.as(token)('POST', path, { oldPassword: password, newPassword: 'a better one' });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { token: expect.stringMatching(/^cfu_/) },
    });
    expect((await test.as(answer.body.token)('GET', ME)).status).toBe(200);
    expect((await test.as(token)('GET', ME)).status).toBe(401);
    expect((await test.as(other)('GET', ME)).status).toBe(401);
    expect((await logIn(email)).status).toBe(401);
    expect((await logIn(email, 'a better one')).status).toBe(200);
    const { rows } = await test.coffer.pool.query(
      `select published from audit_events where data->>'userId' = $1 and type = 'user.password_changed'`,
      [id],
    );
    expect(rows).toEqual([{ published: 'change-user-password' }]);
  });

  it('rejects a wrong old password and a new one that is too short', async () => {
    const { email, token } = await person();
    expect((await test.as(token)('POST', path, { oldPassword: 'wrong', newPassword: 'a better one' })).status).toBe(
      401,
    );
    expect((await test.as(token)('POST', path, { oldPassword: password, newPassword: '1234567' })).status).toBe(422);
    expect((await logIn(email)).status).toBe(200);
  });

  it('rejects a new one that is too short or common, and still accepts an older one', async () => {
    const old = await person({ password: 'short' });
    expect((await logIn(old.email, 'short')).status).toBe(200);
    const change = (newPassword: string, oldPassword = 'short') =>
      test.as(old.token)('POST', path, { oldPassword, newPassword });
    for (const [newPassword, reason] of [
      ['elevenchars', 'minimum is 12'],
      ['Password1234', 'too common'],
      ['123456789012', 'too common'],
      [old.email, 'too common'],
    ] as const)
      expect(await change(newPassword)).toMatchObject({
        status: 422,
        body: { error: 'ValidationFailure', message: [{ message: expect.stringContaining(reason) }] },
      });
    expect((await change('twelve chars')).status).toBe(200);
  });

  it('applies exactly one of many concurrent updates', async () => {
    const { email, token } = await person();
    const changes = ['first of all', 'second one', 'third of all'].map((newPassword) =>
      test.as(token)('POST', path, { oldPassword: password, newPassword }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect((await logIn(email)).status).toBe(401);
  });

  it('keeps no connection to the database while the new password is hashed', async () => {
    const { token } = await person();
    const { passwordTurns } = test.coffer;
    const run = passwordTurns.run.bind(passwordTurns);
    const kept: (number | null)[] = [];
    const hashing = vi.spyOn(passwordTurns, 'run').mockImplementation(async (whose, work) => {
      kept.push((await test.owner.query(IN_TRANSACTION)).rowCount);
      return run(whose, work);
    });
    const { status } = await test.as(token)('POST', path, { oldPassword: password, newPassword: 'a better one' });
    hashing.mockRestore();
    expect([status, kept]).toEqual([200, [0, 0]]);
  });

  it('leaves no session that was concurrently opened with the old password', async () => {
    const { email, token } = await person();
    const [changed, ...logins] = await Promise.all([
      test.as(token)('POST', path, { oldPassword: password, newPassword: 'a better one' }),
      ...Array.from({ length: 6 }, () => logIn(email)),
    ]);
    expect(changed.status).toBe(200);
    for (const { body } of logins.filter(({ status }) => status === 200)) {
      expect((await test.as(body.accessToken)('GET', ME)).status).toBe(401);
    }
  });

  it('is for people with a token', async () => {
    const body = { oldPassword: password, newPassword: 'a better one' };
    expect((await test.as()('POST', path, body)).status).toBe(401);
    expect((await test.admin('POST', path, body)).status).toBe(403);
  });
});

describe('deleting my account', () => {
  it('removes the user from everything, immediately', async () => {
    const { email, token, id } = await member();
    const { status, body } = await test.as(token)('DELETE', ME, { password });
    expect({ status, id: body.user.id }).toEqual({ status: 200, id });
    expect((await test.as(token)('GET', ME)).status).toBe(401);
    expect((await logIn(email)).status).toBe(401);
    const { users } = (await test.admin('GET', `/api/v2/organizations/${test.organizationId}/memberships`)).body;
    expect(users.map(({ userId }: { userId: string }) => userId)).not.toContain(id);
    const { rows } = await test.coffer.pool.query(
      `select organization_id from audit_events where type = 'user.deleted' and data->>'userId' = $1 order by 1`,
      [id],
    );
    expect(rows).toEqual([{ organization_id: INSTANCE_LOG }, { organization_id: test.organizationId }]);
  });

  it('is recorded where the user was invited, and its memberships of projects there end', async () => {
    const { token, email } = await member();
    const { organizationId, call, identity } = await test.foreign();
    const { id: projectId } = await makeProject(test.coffer, organizationId, identity.actor);
    const projects = [{ id: projectId, projectRoleSlug: ['viewer'] }];
    const invited = { inviteeEmails: [email], organizationId, projects };
    expect((await call('POST', '/api/v1/invite-org/signup', invited)).status).toBe(200);
    expect((await test.as(token)('DELETE', ME, { password })).status).toBe(200);
    const { rows } = await test.coffer.pool.query(
      `select type, project_id from audit_events where organization_id = $1
         and type in ('project_member.removed', 'user.deleted') order by type`,
      [organizationId],
    );
    expect(rows).toEqual([
      { type: 'project_member.removed', project_id: projectId },
      { type: 'user.deleted', project_id: null },
    ]);
  });

  it('requires the password again, because a token is not sufficient', async () => {
    const { email, token } = await member();
    const missing = await test.as(token)('DELETE', ME);
    expect(missing).toMatchObject({ status: 400, body: { message: expect.stringContaining('password') } });
    expect((await test.as(token)('DELETE', ME, { password: 'wrong' })).status).toBe(401);
    const other = await person();
    expect((await test.as(token)('DELETE', ME, { password: `${password}x`, email: other.email })).status).toBe(401);
    expect((await logIn(email)).status).toBe(200);
    const without = await person({ password: undefined });
    expect(await test.as(without.token)('DELETE', ME, { password })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('link') },
    });
    for (const one of [token, without.token]) expect((await test.as(one)('GET', ME)).status).toBe(200);
  });

  it('cannot be done by administrators of the instance through this path', async () => {
    await person({ isSuperAdmin: true });
    const { id, token } = await person({ isSuperAdmin: true });
    const url = `/api/v1/admin/user-management/users/${id}`;
    for (const one of [
      url,
      url.toUpperCase().replace('/API/V1/ADMIN/USER-MANAGEMENT/USERS', '/api/v1/admin/user-management/users'),
    ])
      expect((await test.as(token)('DELETE', one)).status).toBe(400);
    expect((await test.as(token)('GET', ME)).status).toBe(200);
    await test.coffer.pool.query('update users set is_super_admin = false where is_super_admin');
  });

  it('is refused to the last administrator of an organization', async () => {
    const { token } = await person();
    const { body } = await test.as(token)('POST', '/api/v2/organizations', { name: 'Alone' });
    const refused = await test.as(token)('DELETE', ME, { password });
    expect(refused.status).toBe(400);
    expect(refused.body.details).toEqual({ organizationIds: [body.organization.id] });
    expect((await test.as(token)('GET', ME)).status).toBe(200);
  });

  it('is refused to the last administrator of the instance, also if the last two request it concurrently', async () => {
    const admins = await Promise.all([person({ isSuperAdmin: true }), person({ isSuperAdmin: true })]);
    const answers = await Promise.all(admins.map(({ token }) => test.as(token)('DELETE', ME, { password })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });
});

describe('my favourite projects', () => {
  it('are stored in the given order', async () => {
    const { token } = await member();
    const path = '/api/v1/user/me/project-favorites';
    const [one, two] = [await test.project(), await test.project()];
    expect((await test.as(token)('GET', `${path}?orgId=${test.organizationId}`)).body).toEqual({
      projectFavorites: [],
    });
    const set = (projectFavorites: string[], orgId = test.organizationId) =>
      test.as(token)('PUT', path, { orgId, projectFavorites });
    expect((await set([two.id, one.id])).body).toEqual({});
    expect((await test.as(token)('GET', `${path}?orgId=${test.organizationId}`)).body).toEqual({
      projectFavorites: [two.id, one.id],
    });
    expect((await set(['no-uuid'])).status).toBe(404);
    expect((await set([], (await test.foreign()).organizationId)).status).toBe(404);
  });
});
