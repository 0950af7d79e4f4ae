import { INSTANCE_LOG } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

const first = { email: 'Admin@Example.com', password: 'correct horse', organization: 'First' };

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const fresh = async (work: (fresh: TestServer) => Promise<void>): Promise<void> => {
  const other = await testServer();
  try {
    await work(other);
  } finally {
    await other.close();
  }
};

describe('the status', () => {
  it('is answered to everyone', async () => {
    const { status, body } = await test.as()('GET', '/api/status');
    expect(status).toBe(200);
    expect(body).toEqual({
      date: expect.stringMatching(/^\d{4}-.*Z$/),
      message: 'Ok',
      emailConfigured: false,
      inviteOnlySignup: true,
      redisConfigured: false,
      secretScanningConfigured: false,
      samlDefaultOrgSlug: null,
    });
  });

  it('is 503 while the database does not answer', () =>
    fresh(async (other) => {
      await other.owner.query('alter table instance rename to away');
      const { status, body } = await other.as()('GET', '/api/status');
      expect({ status, error: body.error }).toEqual({ status: 503, error: 'ServiceUnavailable' });
      await other.owner.query('alter table away rename to instance');
      expect((await other.as()('GET', '/api/status')).status).toBe(200);
    }));

  it('does not wait for a database that hangs', () =>
    fresh(async (other) => {
      const client = await other.coffer.pool.connect();
      await client.query('begin');
      await client.query('lock table instance');
      expect((await other.as()('GET', '/api/status')).status).toBe(503);
      await client.query('rollback');
      client.release();
    }));
});

describe('bootstrapping', () => {
  it('creates an administrator, an organization and an identity with a working token', () =>
    fresh(async (other) => {
      expect((await other.as()('GET', '/api/v1/admin/config')).body.config.initialized).toBe(false);
      const { status, body } = await other.as()('POST', '/api/v1/admin/bootstrap', first);
      expect(status).toBe(200);
      expect(body).toEqual({
        message: expect.any(String),
        user: {
          id: expect.any(String),
          username: 'admin@example.com',
          email: 'admin@example.com',
          firstName: null,
          lastName: null,
          superAdmin: true,
        },
        organization: { id: expect.any(String), name: 'First', slug: expect.stringMatching(/^first-/) },
        identity: {
          id: expect.any(String),
          name: 'Instance Admin Identity',
          credentials: { token: expect.stringMatching(/^cfi_/) },
        },
      });
      const identity = other.as(body.identity.credentials.token);
      expect((await identity('GET', `/api/v1/organization/${body.organization.id}`)).status).toBe(200);
      expect((await identity('GET', '/api/v1/admin/user-management/users')).status).toBe(200);
      const login = await other.as()('POST', '/api/v3/auth/login', { email: first.email, password: first.password });
      const chosen = await other.as(login.body.accessToken)('POST', '/api/v3/auth/select-organization', {
        organizationId: body.organization.id,
      });
      const { users } = (await other.as(chosen.body.token)('GET', `/api/v1/organization/${body.organization.id}/users`))
        .body;
      expect(users).toEqual([expect.objectContaining({ userId: body.user.id, role: 'admin' })]);
      // The creator of the instance has the token, and so acts as the identity.
      const { rows } = await other.coffer.pool.query('select identity_id, issuer_id from identity_credential_issuers');
      expect(rows).toEqual([{ identity_id: body.identity.id, issuer_id: body.user.id }]);
      expect((await other.as()('GET', '/api/v1/admin/config')).body.config.initialized).toBe(true);
    }));

  it('admits exactly one of twenty, over any path', () =>
    fresh(async (other) => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 2
            ? other.as()('POST', '/api/v1/admin/bootstrap', { ...first, email: `a${index}@example.com` })
            : other.as()('POST', '/api/v1/admin/signup', {
                email: `a${index}@example.com`,
                password: first.password,
                firstName: 'Ann',
              }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
      const { rows } = await other.coffer.pool.query('select 1 from users where is_super_admin');
      expect(rows).toHaveLength(1);
      expect((await other.as()('POST', '/api/v1/admin/bootstrap', first)).status).toBe(400);
      expect((await other.as()('POST', '/api/v1/admin/signup', { ...first, firstName: 'Ann' })).status).toBe(400);
    }));

  it('leaves a user at a console logged in', () =>
    fresh(async (other) => {
      const answer = await other.as()('POST', '/api/v1/admin/signup', {
        email: first.email,
        password: first.password,
        firstName: 'Ann',
        lastName: 'Lee',
      });
      expect(answer.body).toEqual({
        message: expect.any(String),
        user: expect.objectContaining({ email: 'admin@example.com', superAdmin: true }),
        organization: expect.objectContaining({ name: 'Admin Org' }),
        token: expect.stringMatching(/^cfu_/),
      });
      expect(String(answer.headers['set-cookie'])).toMatch(/^jid=cfr_/);
      expect(
        (await other.as(answer.body.token)('GET', `/api/v1/organization/${answer.body.organization.id}`)).status,
      ).toBe(200);
    }));

  it('refuses what cannot be an administrator, and stays open', () =>
    fresh(async (other) => {
      const call = other.as();
      for (const wrong of [
        { email: 'nobody' },
        { password: '1234567' },
        { organization: ' ' },
        { organization: 'x'.repeat(65) },
        { organization: 'a\0b' },
      ]) {
        expect((await call('POST', '/api/v1/admin/bootstrap', { ...first, ...wrong })).status).toBe(422);
      }
      expect((await call('POST', '/api/v1/admin/bootstrap', first)).status).toBe(200);
    }));
});

describe('the settings of the instance', () => {
  const path = '/api/v1/admin/config';

  it('are public, because sign-in pages need them', async () => {
    const { status, body } = await test.as()('GET', path);
    expect(status).toBe(200);
    expect(body.config).toEqual({
      id: expect.any(String),
      instanceId: expect.any(String),
      initialized: false,
      allowSignUp: false,
      allowedSignUpDomain: null,
      enabledLoginMethods: ['email'],
      trustSamlEmails: false,
      trustLdapEmails: false,
      trustOidcEmails: false,
      defaultAuthOrgId: null,
      defaultAuthOrgSlug: null,
      authConsentContent: null,
      pageFrameContent: null,
      adminIdentityIds: null,
      isMigrationModeOn: false,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  it('are changed by administrators of the instance, field by field', async () => {
    const root = test.as(
      (await makeUser(test.coffer, { isSuperAdmin: true, organizationId: test.organizationId, role: 'member' })).token,
    );
    const { status, body } = await root('PATCH', path, { allowSignUp: true, allowedSignUpDomain: 'Example.com' });
    expect({ status, ...body.config }).toMatchObject({
      status: 200,
      allowSignUp: true,
      allowedSignUpDomain: 'example.com',
    });
    expect((await root('PATCH', path, {})).body.config).toMatchObject({
      allowSignUp: true,
      allowedSignUpDomain: 'example.com',
    });
    expect((await test.as()('GET', '/api/status')).body.inviteOnlySignup).toBe(false);
    expect((await root('PATCH', path, { allowSignUp: false, allowedSignUpDomain: null })).body.config).toMatchObject({
      allowSignUp: false,
      allowedSignUpDomain: null,
    });
    const { rows } = await test.coffer.pool.query(
      `select data from audit_events where type = 'instance.updated' and organization_id = $1`,
      [INSTANCE_LOG],
    );
    expect(rows[0]).toEqual({ data: { settings: ['allowSignUp', 'allowedSignUpDomain'] } });
    expect((await root('PATCH', path, { allowSignUp: 'yes' })).status).toBe(422);
    expect((await root('PATCH', path, { allowedSignUpDomain: 'a b' })).status).toBe(422);
  });

  it('cannot be changed by other callers', async () => {
    const { token } = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
    for (const call of [test.as(token), test.admin])
      expect((await call('PATCH', path, { allowSignUp: true })).status).toBe(403);
    expect((await test.as()('PATCH', path, { allowSignUp: true })).status).toBe(401);
    expect((await test.as()('GET', path)).body.config.allowSignUp).toBe(false);
  });
});
