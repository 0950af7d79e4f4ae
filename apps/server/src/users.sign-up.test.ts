import { makeUser, type MadeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from './testing/test-server.ts';

let test: TestServer;
let root: MadeUser;
beforeAll(async () => {
  test = await testServer();
  root = await makeUser(test.coffer, { isSuperAdmin: true });
});
afterAll(() => test.close());

const password = 'correct horse battery';
const configure = (settings: object) => test.as(root.token)('PATCH', '/api/v1/admin/config', settings);
const signUp = (body: object) =>
  test.as()('POST', '/api/v3/signup/complete-account/signup', {
    email: 'bob@example.com',
    password,
    firstName: 'Bob',
    ...body,
  });

describe('signing up', () => {
  it('is closed at first', async () => {
    const answer = await signUp({});
    expect(answer.status).toBe(403);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('makes an account with an organization, and goes on logged in', async () => {
    await configure({ allowSignUp: true });
    const answer = await signUp({
      lastName: 'Ray',
      organizationName: 'Bob & Co',
      salt: 'x',
      verifier: 'y',
      encryptedPrivateKey: 'z',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      message: expect.any(String),
      user: expect.objectContaining({
        email: 'bob@example.com',
        firstName: 'Bob',
        lastName: 'Ray',
        superAdmin: false,
        isAccepted: true,
      }),
      token: expect.stringMatching(/^cfu_/),
      organizationId: expect.any(String),
    });
    expect(String(answer.headers['set-cookie'])).toMatch(/^jid=cfr_.*HttpOnly/);
    const { organizationId, token } = answer.body;
    const { body } = await test.as(token)('GET', `/api/v1/organization/${organizationId}`);
    expect(body.organization.name).toBe('Bob & Co');
    expect((await test.as()('POST', '/api/v3/auth/login', { email: 'BOB@example.com', password })).status).toBe(200);
  });

  it('makes an account without an organization', async () => {
    const { body } = await signUp({ email: 'carol@example.com' });
    expect(body.organizationId).toBeNull();
    expect((await test.as(body.token)('GET', '/api/v2/users/me/organizations')).body).toEqual({ organizations: [] });
  });

  it('refuses an address that is taken, in whatever case, also at the same time', async () => {
    expect((await signUp({ email: 'Bob@Example.com' })).status).toBe(400);
    const answers = await Promise.all(Array.from({ length: 5 }, () => signUp({ email: 'dave@example.com' })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400]);
  });

  it('takes addresses of some domains only, where the instance says so', async () => {
    await configure({ allowedSignUpDomain: 'acme.test, acme.example' });
    for (const email of ['x@example.com', 'x@acme.test.evil.com', 'x@sub.acme.test', 'acme.test@evil.com']) {
      expect((await signUp({ email })).status).toBe(403);
    }
    expect((await signUp({ email: 'eve@Acme.Example' })).status).toBe(200);
    await configure({ allowedSignUpDomain: null });
  });

  it('refuses a short password, a missing name and what is no address', async () => {
    expect((await signUp({ password: '1234567' })).status).toBe(422);
    expect((await signUp({ firstName: undefined })).status).toBe(422);
    expect((await signUp({ email: 'nobody' })).status).toBe(422);
    expect((await signUp({ email: 'nul@example.com', firstName: 'a\0b' })).status).toBe(422);
  });

  it('takes no right from the request', async () => {
    const { body } = await signUp({
      email: 'mallory@example.com',
      superAdmin: true,
      isSuperAdmin: true,
      organizationId: test.organizationId,
    });
    expect(body.user.superAdmin).toBe(false);
    expect(body.organizationId).toBeNull();
  });
});
