import { createMailer, jobs, startWorker, type Log, type Worker } from '@coffer/domain';
import { makeUser, startMailServer, type MailServer, type ReceivedMail } from '@coffer/domain/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const password = 'correct horse battery';
const another = 'a better one than that';
const ASK = '/api/v1/password/email/password-reset';
const VERIFY = '/api/v1/password/email/password-reset-verify';
const RESET = '/api/v2/password/password-reset';
const ME = '/api/v2/users/me';

const lines: unknown[] = [];
const keep = (details: object, message: string) => void lines.push({ details, message });
const log: Log = { debug: keep, info: keep, warn: keep, error: keep };

let test: TestServer;
let mail: MailServer;
let worker: Worker | undefined;
beforeAll(async () => {
  mail = await startMailServer();
  test = await testServer({ sendMail: createMailer(mail.smtp), log });
});
beforeEach(() => {
  mail.received.length = 0;
  lines.length = 0;
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await test.coffer.pool.query('delete from graphile_worker._private_jobs');
});
afterAll(async () => {
  await test.close();
  await mail.close();
});

interface WaitingJob {
  task: string;
  payload: object;
}
const waiting = async (): Promise<WaitingJob[]> =>
  (
    await test.coffer.pool.query<WaitingJob>(
      `select t.identifier as task, j.payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`,
    )
  ).rows;
/** Lets the queue run dry. */
async function whenSent(): Promise<ReceivedMail[]> {
  worker ??= await startWorker(test.coffer, jobs, { pollInterval: 50 });
  await expect.poll(async () => (await waiting()).length).toBe(0);
  return mail.received;
}

const person = () => makeUser(test.coffer, { password, organizationId: test.organizationId, role: 'member' });
const logIn = (email: string, given = password) => test.as()('POST', '/api/v3/auth/login', { email, password: given });
const ask = (email: string) => test.as()('POST', ASK, { email });
const linkIn = ({ text }: ReceivedMail): URL => new URL(/https?:\S+/.exec(text)![0]);
const codeOf = (link: URL) => link.searchParams.get('token')!;
const verify = (link: URL, email = link.searchParams.get('to')!) =>
  test.as()('POST', VERIFY, { email, code: codeOf(link) });
const reset = (token: string, newPassword = another) => test.as(token)('POST', RESET, { newPassword });

/** Requests a link, and returns the mailed one. */
async function linkFor(email: string): Promise<URL> {
  const before = mail.received.length;
  expect((await ask(email)).status).toBe(200);
  const received = await whenSent();
  expect(received.slice(before)).toMatchObject([{ to: [email] }]);
  return linkIn(received[before]!);
}
const tokenFor = async (email: string): Promise<string> => (await verify(await linkFor(email))).body.token;

const eventsOf = async (userId: string) =>
  (
    await test.coffer.pool.query<{ type: string; actor_type: string }>(
      `select type, actor_type from audit_events where data->>'userId' = $1 and type like 'user.password_reset%' order by id`,
      [userId],
    )
  ).rows.map(({ type, actor_type: by }) => `${type} by ${by}`);

describe('a forgotten password', () => {
  it('is replaced through a mailed link, and all sessions end', async () => {
    const { id, email, token: session } = await person();
    const { accessToken: other } = (await logIn(email)).body;
    const { status, body } = await ask(` ${email.toUpperCase()}`);
    expect([status, body]).toEqual([200, { message: expect.stringContaining('If there is an account') }]);
    const [message, ...more] = await whenSent();
    expect(more).toEqual([]);
    expect(message).toMatchObject({ to: [email], subject: 'A new password for Coffer' });
    const link = linkIn(message!);
    expect(link.href).toMatch(/^http:\/\/127\.0\.0\.1:8080\/password-reset\?token=cfp_/);
    expect(message!.html).toContain(link.href.replaceAll('&', '&amp;'));

    const verified = await verify(link);
    expect(verified.status).toBe(200);
    expect(verified.body).toEqual({
      user: expect.objectContaining({ id, email, username: email, isAccepted: true, authMethods: ['email'] }),
      token: expect.stringMatching(/^cfq_/),
      userEncryptionVersion: 2,
    });
    for (const held of [session, other]) expect((await test.as(held)('GET', ME)).status).toBe(200);
    for (const common of ['password1234', 'elevenchars', email])
      expect((await reset(verified.body.token, common)).status).toBe(422);
    const done = await reset(verified.body.token);
    expect([done.status, done.body]).toEqual([200, {}]);
    for (const held of [session, other]) expect((await test.as(held)('GET', ME)).status).toBe(401);
    expect((await logIn(email)).status).toBe(401);
    expect((await logIn(email, another)).status).toBe(200);
    expect(await eventsOf(id)).toEqual([
      'user.password_reset_sent by platform',
      'user.password_reset_verified by unknownUser',
      'user.password_reset by user',
    ]);
  });

  it('has no delays any more after a new one is set', async () => {
    const { email } = await person();
    for (let guess = 0; guess < 10; guess++) await logIn(email, 'wrong');
    expect((await logIn(email)).status).toBe(429);
    await reset(await tokenFor(email));
    expect((await logIn(email, another)).status).toBe(200);
  });

  it('accepts the token in the body as well', async () => {
    const { email } = await person();
    const token = await tokenFor(email);
    expect((await test.as()('POST', RESET, { newPassword: another, token })).status).toBe(200);
    expect((await logIn(email, another)).status).toBe(200);
  });

  it('of an account without one is set for the first time', async () => {
    const { email } = await makeUser(test.coffer);
    expect((await reset(await tokenFor(email))).status).toBe(200);
    expect((await logIn(email, another)).status).toBe(200);
  });
});

describe('asking for a link', () => {
  it('responds equally for every address, and sends nothing to unknown ones', async () => {
    const { email } = await person();
    const invited = 'not-yet@example.com';
    await test.admin('POST', '/api/v1/invite-org/signup', {
      inviteeEmails: [invited],
      organizationId: test.organizationId,
    });
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    const answers = [];
    for (const address of [email, 'nobody@example.com', invited]) answers.push(await ask(address));
    const shown = answers.map(({ status, body }) => ({ status, body }));
    expect(shown).toEqual([shown[0], shown[0], shown[0]]);
    const shapes = (await waiting()).map(({ task, payload }) => [task, Object.keys(payload).toSorted()]);
    expect(shapes).toHaveLength(3);
    expect(shapes).toEqual([shapes[0], shapes[0], shapes[0]]);
    expect((await whenSent()).map(({ to }) => to)).toEqual([[email]]);
  });

  it('runs the same queries for every address', async () => {
    const { email } = await person();
    const { pool } = test.coffer;
    /** The statements of a request, in order; other work of the process uses other tables. */
    const own = /^(?:begin|commit|rollback)|add_job|users|memberships|lockouts|known_clients|password_resets/i;
    const statementsOf = async (address: string) => {
      const texts: string[] = [];
      const client = await pool.connect();
      const prototype = Object.getPrototypeOf(client) as { query: (...given: unknown[]) => unknown };
      client.release();
      const { query } = prototype;
      prototype.query = function (...given) {
        const [first] = given as [string | { text: string }];
        texts.push(typeof first === 'string' ? first : first.text);
        return query.apply(this, given);
      };
      try {
        await ask(address);
      } finally {
        prototype.query = query;
      }
      return texts.filter((text) => own.test(text));
    };
    const known = await statementsOf(email);
    expect(known.filter((text) => text.includes('add_job'))).toHaveLength(1);
    expect(await statementsOf('nobody-at-all@example.com')).toEqual(known);
  });

  it('leaves nothing usable in the queue, the log or the database', async () => {
    const { email } = await person();
    await ask(email);
    expect(JSON.stringify(await waiting())).not.toMatch(/cf[pq]_/);
    const [message] = await whenSent();
    const code = codeOf(linkIn(message!)).slice(4, 30);
    const { rows } = await test.coffer.pool.query(
      `select 1 from password_resets where encode(hash, 'escape') like '%' || $1 || '%'
       union all select 1 from audit_events where data::text like '%' || $1 || '%'`,
      [code],
    );
    expect(rows).toEqual([]);
    expect(JSON.stringify(lines)).not.toContain(code);
  });

  it('sends one user at most three links per hour, over any path', async () => {
    const { email } = await person();
    for (let time = 0; time < 3; time++) await linkFor(email);
    const last = linkIn(mail.received.at(-1)!);
    expect((await ask(email)).body).toEqual((await ask('nobody@example.com')).body);
    await Promise.all(Array.from({ length: 5 }, () => ask(email)));
    expect(await whenSent()).toHaveLength(3);
    test.advance(59 * MINUTE);
    await ask(email);
    expect(await whenSent()).toHaveLength(3);
    // So that requests of others in one's name have no effect.
    expect((await verify(last)).status).toBe(200);
    test.advance(2 * MINUTE);
    await linkFor(email);
  });

  it('combines many concurrent requests into one message', async () => {
    const { email } = await person();
    await Promise.all(Array.from({ length: 8 }, () => ask(email)));
    expect(await whenSent()).toHaveLength(1);
  });

  it('is forgotten where the message could only be sent too late', async () => {
    const { email } = await person();
    await ask(email);
    test.advance(HOUR);
    expect(await whenSent()).toEqual([]);
  });

  it('is a 400 that names the way by the operator where no mail server is configured', async () => {
    const bare = await testServer();
    onTestFinished(() => bare.close());
    const { email } = await makeUser(bare.coffer, { password });
    const answers = [];
    for (const address of [email, 'nobody@example.com']) answers.push(await bare.as()('POST', ASK, { email: address }));
    for (const { status, body } of answers)
      expect([status, body.message]).toEqual([400, expect.stringContaining('npm run coffer -- users reset-password')]);
  });

  it('accepts only an address, and has a strict limit', async () => {
    for (const email of ['', 'nobody', 5, 'a\0@example.com', `${'a'.repeat(250)}@example.com`])
      expect([email, (await test.as()('POST', ASK, { email })).status]).toEqual([email, 422]);
    const limited = await testServer({
      sendMail: () => Promise.resolve(),
      settings: { loginLimit: 2 },
      clock: 'standing',
    });
    onTestFinished(() => limited.close());
    const statuses = [];
    for (let time = 0; time < 3; time++)
      statuses.push((await limited.as()('POST', ASK, { email: `${time}@example.com` })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('sends another link if the mail server was unreachable, without counting twice', async () => {
    const { email } = await person();
    let isAway = true;
    const fails = await testServer({
      sendMail: (message) => (isAway ? Promise.reject(new Error('away')) : createMailer(mail.smtp)(message)),
      log,
    });
    onTestFinished(() => fails.close());
    const known = await makeUser(fails.coffer, { password, email });
    await fails.as()('POST', ASK, { email: known.email });
    const trying = await startWorker(fails.coffer, jobs, { pollInterval: 50 });
    onTestFinished(() => trying.stop());
    const attempts = async () =>
      (await fails.coffer.pool.query<{ attempts: number }>('select attempts from graphile_worker._private_jobs'))
        .rows[0]?.attempts;
    const retry = () =>
      fails.coffer.pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null');
    await expect.poll(async () => (await retry(), attempts())).toBeGreaterThan(3);
    isAway = false;
    await expect.poll(async () => (await retry(), attempts())).toBeUndefined();
    const { to, token } = Object.fromEntries(linkIn(mail.received.at(-1)!).searchParams);
    expect((await fails.as()('POST', VERIFY, { email: to, code: token })).status).toBe(200);
  });
});

describe('the link', () => {
  it('works once, also for two concurrent uses, and so does its token', async () => {
    const { email } = await person();
    const link = await linkFor(email);
    const verified = await Promise.all([verify(link), verify(link), verify(link)]);
    expect(verified.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
    expect((await verify(link)).status).toBe(401);
    const { token } = verified.find(({ status }) => status === 200)!.body;
    const passwords = ['the first of three', 'the second of three', 'the third of three'];
    const done = await Promise.all(passwords.map((one) => reset(token, one)));
    expect(done.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
    const won = passwords[done.findIndex(({ status }) => status === 200)]!;
    expect((await reset(token)).status).toBe(401);
    const logins = [];
    for (const one of passwords) logins.push((await logIn(email, one)).status);
    expect(logins).toEqual(passwords.map((one) => (one === won ? 200 : 401)));
  });

  it('expires after an hour, and its token after 15 minutes', async () => {
    const { email } = await person();
    const late = await linkFor(email);
    test.advance(HOUR);
    expect((await verify(late)).status).toBe(401);
    const token = await tokenFor(email);
    test.advance(15 * MINUTE);
    expect((await reset(token)).status).toBe(401);
    expect((await logIn(email)).status).toBe(200);
  });

  it('is replaced by a newer one, and so is its token', async () => {
    const { email } = await person();
    const [first, token] = [await linkFor(email), await tokenFor(email)];
    expect((await verify(first)).status).toBe(401);
    const newest = await linkFor(email);
    expect((await reset(token)).status).toBe(401);
    expect((await verify(newest)).status).toBe(200);
  });

  it('is invalid after any change of the password', async () => {
    const { email, token: session } = await person();
    const [link, token] = [await linkFor(email), await tokenFor(email)];
    const body = { oldPassword: password, newPassword: another };
    expect((await test.as(session)('POST', '/api/v2/password/user/password-reset', body)).status).toBe(200);
    expect([(await verify(link)).status, (await reset(token, 'yet another one')).status]).toEqual([401, 401]);
    expect((await logIn(email, another)).status).toBe(200);
  });

  it('is for the account that it was sent to', async () => {
    const [{ email }, other] = [await person(), await person()];
    const link = await linkFor(email);
    expect((await verify(link, other.email)).status).toBe(401);
    expect((await verify(link, 'nobody@example.com')).status).toBe(401);
    expect((await verify(link)).status).toBe(200);
  });

  it('is deleted with its account', async () => {
    const { email, token } = await person();
    const link = await linkFor(email);
    expect((await test.as(token)('DELETE', ME, { password })).status).toBe(200);
    expect((await verify(link)).status).toBe(401);
  });

  it('is rejected with one error, whatever the fault', async () => {
    const { email, token: session } = await person();
    const link = await linkFor(email);
    const code = codeOf(link);
    const { token } = (await verify(link)).body;
    const mistyped = `${code.slice(0, -1)}${code.endsWith('a') ? 'b' : 'a'}`;
    const messages = new Set<string>();
    for (const wrong of ['', 'x', mistyped, code, token, session, `cfp_${'a'.repeat(50)}`, 'nul \0']) {
      const verified = await test.as()('POST', VERIFY, { email, code: wrong });
      const done = await test.as()('POST', RESET, { newPassword: another, token: wrong === token ? code : wrong });
      expect([wrong, verified.status, done.status]).toEqual([wrong, 401, 401]);
      messages.add(verified.body.message).add(done.body.message);
    }
    expect((await test.as()('POST', RESET, { newPassword: another })).status).toBe(401);
    expect(messages.size).toBe(1);
    // A password that is none uses nothing up.
    for (const wrong of ['1234567', 'x'.repeat(1025), undefined])
      expect((await test.as(token)('POST', RESET, { newPassword: wrong })).status).toBe(422);
    expect((await test.as()('POST', VERIFY, { email, code: 'x'.repeat(256) })).status).toBe(422);
    expect((await reset(token)).status).toBe(200);
  });
});
