import { INSTANCE_LOG, jobs, startWorker, type Mail, type Worker } from '@coffer/domain';
import { makeUser, type MadeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let root: MadeUser;
beforeAll(async () => {
  test = await testServer();
  root = await makeUser(test.coffer, { isSuperAdmin: true });
});
afterAll(() => test.close());

const password = 'correct horse battery';
const configure = (settings: object) => test.as(root.token)('PATCH', '/api/v1/admin/config', settings);
const ASK = '/api/v3/signup/email/signup';
const VERIFY = '/api/v3/signup/email/verify';
const signUp = (body: object, on: TestServer = test, token?: string) =>
  on.as(token)('POST', '/api/v3/signup/complete-account/signup', {
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

  it('without an organization is on the log of the instance, and so is what the account does before it has one', async () => {
    await configure({ allowSignUp: true });
    const { rows: before } = await test.coffer.pool.query('select id from audit_events');
    const email = 'dora@example.com';
    expect((await signUp({ email })).status).toBe(200);
    const login = await test.as()('POST', '/api/v3/auth/login', { email, password });
    const cookie = /jid=[^;]+/.exec(String(login.headers['set-cookie']))![0];
    const { body } = await test.as()('POST', '/api/v1/auth/token', undefined, { cookie });
    const newPassword = 'another horse battery';
    const change = { oldPassword: password, newPassword };
    expect((await test.as(body.token)('POST', '/api/v2/password/user/password-reset', change)).status).toBe(200);
    const { rows } = await test.coffer.pool.query<{ type: string; organization_id: string }>(
      'select type, organization_id from audit_events where not id = any ($1) order by created_at, id',
      [before.map(({ id }) => id)],
    );
    expect(rows.map(({ type }) => type)).toEqual([
      'user.signed_up',
      'user.logged_in',
      'session.refreshed',
      'user.password_changed',
      'user.logged_in',
    ]);
    expect(new Set(rows.map((row) => row.organization_id))).toEqual(new Set([INSTANCE_LOG]));
  });

  it('creates an account with an organization, and continues logged in', async () => {
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

  it('accepts only addresses of some domains, if configured', async () => {
    await configure({ allowedSignUpDomain: 'acme.test, acme.example' });
    for (const email of ['x@example.com', 'x@acme.test.evil.com', 'x@sub.acme.test', 'acme.test@evil.com']) {
      expect((await signUp({ email })).status).toBe(403);
    }
    // Claiming the header proves nothing.
    expect(await signUp({ email: 'eve@Acme.Example' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('no e-mail') },
    });
    expect(await test.as()('POST', ASK, { email: 'eve@acme.example' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('sign-up-link') },
    });
    await configure({ allowedSignUpDomain: null });
  });

  it('rejects a short password, a missing name and an invalid address', async () => {
    expect((await signUp({ password: '1234567' })).status).toBe(422);
    expect((await signUp({ firstName: undefined })).status).toBe(422);
    expect((await signUp({ email: 'nobody' })).status).toBe(422);
    expect((await signUp({ email: 'nul@example.com', firstName: 'a\0b' })).status).toBe(422);
  });

  it('accepts no rights from the request', async () => {
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

describe('signing up where e-mail is sent', () => {
  let mailing: TestServer;
  let worker: Worker;
  let admin: MadeUser;
  const sent: Mail[] = [];
  beforeAll(async () => {
    mailing = await testServer({ sendMail: async (mail) => void sent.push(mail) });
    worker = await startWorker(mailing.coffer, jobs, { pollInterval: 50 });
    admin = await makeUser(mailing.coffer, { isSuperAdmin: true });
    await configureMailing({ allowSignUp: true, allowedSignUpDomain: 'acme.test' });
  });
  afterAll(async () => {
    await worker.stop();
    await mailing.close();
  });
  const configureMailing = (settings: object) => mailing.as(admin.token)('PATCH', '/api/v1/admin/config', settings);
  const ask = (email: string) => mailing.as()('POST', ASK, { email });
  const idle = () =>
    expect
      .poll(async () => (await mailing.coffer.pool.query('select 1 from graphile_worker._private_jobs')).rows.length)
      .toBe(0);
  /** The codes that were sent to an address. */
  const codesFor = async (email: string): Promise<string[]> => {
    await idle();
    return sent
      .filter(({ to }) => to === email)
      .map(({ text }) => new URL(/http\S+token=\S+/.exec(text)![0]).searchParams.get('token')!);
  };
  const verify = (email: string, code: string) => mailing.as()('POST', VERIFY, { email, code });

  it('accepts a code from the mailbox, once, and records the verification', async () => {
    const email = 'ann@acme.test';
    expect((await signUp({ email }, mailing)).status).toBe(400);
    expect((await ask(email.toUpperCase())).status).toBe(200);
    const [code] = await codesFor(email);
    const verified = await verify(email, code!);
    expect(verified.body).toEqual({
      message: expect.any(String),
      token: expect.stringMatching(/^cfn_/),
      user: expect.objectContaining({ email, isAccepted: false }),
    });
    expect((await verify(email, code!)).status).toBe(401);
    const { token } = verified.body;
    expect((await signUp({ email: 'eve@acme.test', token }, mailing)).status).toBe(401);
    expect((await signUp({ email, token, password: 'password1234' }, mailing)).status).toBe(422);
    const done = await Promise.all([signUp({ email }, mailing, token), signUp({ email, token }, mailing)]);
    expect(done.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect(done.find(({ status }) => status === 200)!.body.user).toMatchObject({ email, isEmailVerified: true });
  });

  it('expires after an hour, and its token after 15 minutes', async () => {
    const [one, two] = ['late@acme.test', 'later@acme.test'];
    await ask(one);
    const [code] = await codesFor(one);
    mailing.advance(3600_000);
    expect((await verify(one, code!)).status).toBe(401);
    await ask(two);
    const [other] = await codesFor(two);
    const { token } = (await verify(two, other!)).body;
    mailing.advance(15 * 60_000);
    expect((await signUp({ email: two, token }, mailing)).status).toBe(401);
  });

  it('sends codes to permitted addresses, no more than three per hour, and responds equally to all', async () => {
    const { email: taken } = await makeUser(mailing.coffer, { email: 'taken@acme.test' });
    const answers = [];
    for (const email of [taken, 'nobody@elsewhere.test', 'many@acme.test']) {
      for (let time = 0; time < 5; time++) {
        answers.push(await ask(email));
        await idle();
      }
    }
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 200, body: answers[0]!.body });
    expect(await codesFor(taken)).toEqual([]);
    expect(await codesFor('nobody@elsewhere.test')).toEqual([]);
    const codes = await codesFor('many@acme.test');
    expect(codes).toHaveLength(3);
    expect((await verify('many@acme.test', codes[0]!)).status).toBe(401);
    expect((await verify('many@acme.test', codes[2]!)).status).toBe(200);
  });

  it('is closed again for a code that was sent before', async () => {
    const email = 'soon@acme.test';
    await ask(email);
    const [code] = await codesFor(email);
    const { token } = (await verify(email, code!)).body;
    await configureMailing({ allowSignUp: false });
    expect((await signUp({ email, token }, mailing)).status).toBe(403);
    await configureMailing({ allowSignUp: true });
    expect((await signUp({ email, token }, mailing)).status).toBe(200);
  });
});
