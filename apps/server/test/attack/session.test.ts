import { randomUUID } from 'node:crypto';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeKey } from '../harness/api-keys.ts';
import { recordedDeadlocks } from '../harness/deadlocks.ts';
import { HeldStatements } from '../harness/held-statement.ts';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

const password = 'correct horse battery';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ME = '/api/v2/users/me';
const PASSWORD = '/api/v2/password/user/password-reset';
let test: TestServer;
let held: HeldStatements;
let deadlocks: readonly string[];
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
  held = new HeldStatements(test);
  deadlocks = recordedDeadlocks(test.coffer);
});
afterAll(() => test.close());

const cookieOf = ({ headers }: Answer) =>
  /jid=[^;]+/.exec([headers['set-cookie']].flat().map(String).join('\n'))?.[0] ?? '';
const refresh = (cookie: string) => test.as()('POST', '/api/v1/auth/token', undefined, { cookie });
const isGood = async (token: string) => (await test.as(token)('GET', ME)).status === 200;

describe('attack: sessions', () => {
  it('a stolen refresh cookie is invalid after both have used it', async () => {
    const { email } = await makeUser(test.coffer, { password });
    const login = await test.as()('POST', '/api/v3/auth/login', { email, password });
    const stolen = cookieOf(login);
    const thief = await refresh(stolen);
    expect(thief.status).toBe(200);
    test.advance(60_000);
    // The owner refreshes with the cookie that the attacker has used: the session ends for both.
    expect((await refresh(stolen)).status).toBe(401);
    expect((await refresh(cookieOf(thief))).status).toBe(401);
    expect(await isGood(thief.body.token)).toBe(false);
    expect(await isGood(login.body.accessToken)).toBe(false);
  });

  it.each([
    ['refreshes the session', '/api/v1/auth/token', 401],
    ['authorizes a command line', '/api/v1/auth/command-line/authorize', 403],
    ['opens a session for a command line', '/api/v1/auth/command-line/session', 403],
  ])('a replaced refresh token ends its session wherever it is presented: where it %s', async (_, path, status) => {
    const { organizationId } = test;
    const { email } = await makeUser(test.coffer, { password, organizationId, role: 'member' });
    const login = await test.as()('POST', '/api/v3/auth/login', { email, password });
    const chosen = await test.as(login.body.accessToken)('POST', '/api/v3/auth/select-organization', {
      organizationId,
    });
    const { token } = chosen.body;
    const present = (cookie: string) =>
      test.as(token)('POST', path, { codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' }, { cookie });
    const owner = await refresh(cookieOf(login));
    expect((await present(cookieOf(login))).status).toBe(200);
    test.advance(10_000);
    expect((await present(cookieOf(login))).status).toBe(status);
    expect((await refresh(cookieOf(owner))).status).toBe(401);
    expect([await isGood(token), await isGood(owner.body.token)]).toEqual([false, false]);
  });

  it('a new password opens no session in the place of one that has ended meanwhile', async () => {
    const { organizationId } = test;
    const { id, email } = await makeUser(test.coffer, { password, organizationId, role: 'member' });
    const login = await test.as()('POST', '/api/v3/auth/login', { email, password });
    const change = { oldPassword: password, newPassword: 'another horse battery' };
    const [changed] = await Promise.all([
      test.as(login.body.accessToken)('POST', PASSWORD, change),
      test.coffer.pool.query('delete from user_sessions where user_id = $1', [id]),
    ]);
    expect(changed.status).toBe(401);
    expect((await test.coffer.pool.query('select from user_sessions where user_id = $1', [id])).rowCount).toBe(0);
  });

  it.each([
    ['and stays', false],
    ['and signs out of the stolen session', true],
  ])('a thief of a refresh cookie who opens sessions for a command line %s loses them as well', async (_, signsOut) => {
    const { organizationId } = test;
    const { email } = await makeUser(test.coffer, { password, organizationId, role: 'member' });
    const login = await test.as()('POST', '/api/v3/auth/login', { email, password });
    const select = (token: string) => test.as(token)('POST', '/api/v3/auth/select-organization', { organizationId });
    await select(login.body.accessToken);
    const thief = await refresh(cookieOf(login));
    const path = '/api/v1/auth/command-line';
    const call = (to: string, body: object) =>
      test.as(thief.body.token)('POST', `${path}/${to}`, body, { cookie: cookieOf(thief) });
    const { token, refreshToken } = (await call('session', {})).body;
    const authorize = { codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' };
    const codes = [await call('authorize', authorize), await call('authorize', authorize)].map(({ body }) => body.code);
    const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const exchange = (code: string) => test.as()('POST', `${path}/token`, { code, codeVerifier });
    const exchanged = (await exchange(codes[0])).body;
    const opened: string[] = [token, exchanged.token];
    expect(await Promise.all(opened.map(isGood))).toEqual([true, true]);
    // They open no further ones, which nobody would know to be of this session.
    for (const to of ['session', 'authorize']) {
      const further = { cookie: `jid=${refreshToken}` };
      expect((await test.as(token)('POST', `${path}/${to}`, authorize, further)).status).toBe(403);
    }
    const another = await test.as()('POST', '/api/v3/auth/login', { email, password });
    if (signsOut) await test.as(thief.body.token)('POST', '/api/v1/auth/logout');

    test.advance(10_000);
    expect((await refresh(cookieOf(login))).status).toBe(401);
    expect(await Promise.all(opened.map(isGood))).toEqual([false, false]);
    for (const cookie of [`jid=${refreshToken}`, `jid=${exchanged.refreshToken}`])
      expect((await refresh(cookie)).status).toBe(401);
    expect((await exchange(codes[1])).status).toBe(401);
    // Not what was opened elsewhere.
    expect(await isGood(another.body.accessToken)).toBe(true);
  });

  describe('signing out', () => {
    const LOGOUT = '/api/v1/auth/logout';
    const enter = async () => {
      const { organizationId } = test;
      const { id, email } = await makeUser(test.coffer, { password, organizationId, role: 'member' });
      const login = await test.as()('POST', '/api/v3/auth/login', { email, password });
      return { id, email, token: String(login.body.accessToken), cookie: cookieOf(login) };
    };
    const isCleared = ({ headers }: Answer) => [headers['set-cookie']].flat().join('\n').includes('jid=;');
    const leave = (token: string | undefined, headers: Record<string, string>) =>
      test.as(token)('POST', LOGOUT, undefined, headers);

    it('ends the session of the refresh cookie where the access token is missing, invalid, expired or of no member', async () => {
      const missing = await enter();
      const invalid = await enter();
      const expired = await enter();
      const removed = await enter();
      const { organizationId } = test;
      const chosen = await test.as(removed.token)('POST', '/api/v3/auth/select-organization', { organizationId });
      const { pool } = test.coffer;
      await pool.query('update user_access_tokens set expires_at = $2 where user_id = $1', [
        expired.id,
        test.coffer.now(),
      ]);
      await pool.query('update memberships set is_active = false where user_id = $1', [removed.id]);
      for (const [token, { cookie, token: own }] of [
        [undefined, missing],
        ['cfu_invalid', invalid],
        [expired.token, expired],
        [chosen.body.token, removed],
      ] as const) {
        const out = await leave(token, { cookie });
        expect([out.status, isCleared(out)]).toEqual([200, true]);
        expect((await refresh(cookie)).status).toBe(401);
        expect(await isGood(own)).toBe(false);
      }
    });

    it('ends both sessions where the cookie is of another one than the access token', async () => {
      const [ann, bob] = [await enter(), await enter()];
      expect((await leave(ann.token, { cookie: bob.cookie })).status).toBe(200);
      expect([await isGood(ann.token), await isGood(bob.token)]).toEqual([false, false]);
    });

    it.each(['the other', 'all'])('ends sessions in one order, while another sign-out ends %s', async (ended) => {
      const { email, token, cookie } = await enter();
      const second = await test.as()('POST', '/api/v3/auth/login', { email, password });
      const waiting = async () => {
        const { rows } = await test.coffer.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length;
      };
      const out = test.as(String(second.body.accessToken));
      const also = () =>
        ended === 'all' ? out('DELETE', '/api/v2/users/me/sessions') : out('POST', LOGOUT, undefined, { cookie });
      const others: ReturnType<typeof also>[] = [];
      const first = await held.during(
        /^delete from "?user_sessions/,
        () => leave(token, { cookie: cookieOf(second) }),
        async () => {
          others.push(also());
          await expect.poll(waiting).toBeGreaterThan(0);
        },
      );
      // The token of the other one has ended while it waited.
      expect([first.status, (await others[0]!).status]).toEqual([200, 401]);
      expect([await isGood(token), await isGood(String(second.body.accessToken)), deadlocks]).toEqual([
        false,
        false,
        [],
      ]);
    });

    it('removes a cookie that is not accepted, which ends nothing but the session of a replaced one', async () => {
      const { token, cookie } = await enter();
      const unknown = await leave(undefined, { cookie: `jid=${cookie.slice(4, -6)}aaaaaa` });
      expect([unknown.status, isCleared(unknown)]).toEqual([401, true]);
      expect(await isGood(token)).toBe(true);
      await refresh(cookie);
      test.advance(10_000);
      const replaced = await leave(undefined, { cookie });
      expect([replaced.status, isCleared(replaced)]).toEqual([401, true]);
      expect(await isGood(token)).toBe(false);
    });

    it('keeps the cookie of a session that it could not end', async () => {
      const short = await testServer({ lockTimeout: 20 });
      onTestFinished(() => short.close());
      const { id, email } = await makeUser(short.coffer, { password });
      const cookie = cookieOf(await short.as()('POST', '/api/v3/auth/login', { email, password }));
      const out = () => short.as()('POST', LOGOUT, undefined, { cookie });
      const other = await short.coffer.pool.connect();
      try {
        await other.query('begin');
        await other.query('select 1 from user_sessions where user_id = $1 for update', [id]);
        const { status, headers } = await out();
        expect([status, headers['set-cookie'], headers['clear-site-data']]).toEqual([503, undefined, undefined]);
      } finally {
        await other.query('rollback');
        other.release();
      }
      expect((await out()).status).toBe(200);
    });

    it('is nothing that a page of another site does by the cookie', async () => {
      const { token, cookie } = await enter();
      const out = await leave(undefined, { cookie, origin: 'https://evil.example.com' });
      expect([out.status, out.headers['set-cookie']]).toEqual([401, undefined]);
      expect(await isGood(token)).toBe(true);
    });
  });

  it('parallel uses of a stolen cookie create no second family of tokens', async () => {
    const { email } = await makeUser(test.coffer, { password });
    const stolen = cookieOf(await test.as()('POST', '/api/v3/auth/login', { email, password }));
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(stolen)));
    const successors = new Set(answers.map(cookieOf));
    expect(successors.size).toBe(1);
    expect((await refresh([...successors][0]!)).status).toBe(200);
  });

  it.each([
    ['where the organization sets no limit', null, DAY],
    ['within the limit of the organization', '10h', HOUR],
  ])('a stolen access token cannot be extended by selecting an organization again, %s', async (_, limit, step) => {
    const { organizationId } = test;
    await test.admin('PATCH', `/api/v1/organization/${organizationId}`, { userTokenExpiration: limit });
    const { email } = await makeUser(test.coffer, { password, organizationId });
    const choose = (token: string) => test.as(token)('POST', '/api/v3/auth/select-organization', { organizationId });
    const login = await test.as()('POST', '/api/v3/auth/login', { email, password });
    let { token } = (await choose(login.body.accessToken)).body;
    for (let steps = 0; steps < 9; steps++) {
      test.advance(step);
      ({ token } = (await choose(token)).body);
      expect(await isGood(token)).toBe(true);
    }
    test.advance(step);
    expect(await isGood(token)).toBe(false);
    expect((await choose(login.body.accessToken)).status).toBe(401);
    await test.admin('PATCH', `/api/v1/organization/${organizationId}`, { userTokenExpiration: null });
  });

  it('a page of another site cannot log the browser into an account of its own, in any way to open a session', async () => {
    const page = { host: 'localhost:8080', origin: 'http://localhost:3000' };
    const own = { ...page, origin: 'http://localhost:8080' };
    const { email } = await makeUser(test.coffer, { password });
    const query = `?${new URLSearchParams({ email, password }).toString()}`;
    const invited = async () => {
      const address = `${randomUUID()}@example.com`;
      const { organizationId } = test;
      const invitation = { inviteeEmails: [address], organizationId, organizationRoleSlug: 'member' };
      const { link } = (await test.admin('POST', '/api/v1/invite-org/signup', invitation)).body.completeInviteLinks[0];
      const code = new URL(link).searchParams.get('token');
      const verified = await test.as()('POST', '/api/v1/invite-org/verify', { email: address, organizationId, code });
      return { email: address, password, firstName: 'Ann', token: verified.body.token };
    };
    const ways: ((headers: Record<string, string>) => Promise<Answer>)[] = [
      (headers) => test.as()('POST', `/api/v3/auth/login${query}`, undefined, headers),
      (headers) => test.as()('POST', '/api/v3/auth/login', { email, password }, headers),
      (headers) => test.as()('POST', '/api/trpc/sessions.logIn', { email, password }, headers),
      async (headers) => test.as()('POST', '/api/v3/signup/complete-account/invite', await invited(), headers),
      async (headers) => {
        const { token } = await makeUser(test.coffer, { password });
        return test.as(token)(
          'POST',
          PASSWORD,
          { oldPassword: password, newPassword: 'another horse battery' },
          headers,
        );
      },
    ];
    for (const way of ways) {
      for (const headers of [page, { ...page, origin: 'null' }, { host: page.host, 'sec-fetch-site': 'cross-site' }]) {
        const answer = await way(headers);
        expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined]);
      }
      for (const headers of [own, { host: page.host }]) expect(cookieOf(await way(headers))).toMatch(/^jid=cfr_/);
    }
  });

  it('a page of another port cannot put a session of its own beside that of the browser', async () => {
    const cookies = [];
    for (let number = 0; number < 2; number++) {
      const { email } = await makeUser(test.coffer, { password });
      cookies.push(cookieOf(await test.as()('POST', '/api/v3/auth/login', { email, password })));
    }
    const both = await refresh(cookies.join('; '));
    expect([both.status, cookieOf(both)]).toEqual([401, '']);
    expect(both.body.message).toContain('several cookies');
    // It has not been used up.
    for (const cookie of cookies) expect((await refresh(cookie)).status).toBe(200);
  });

  it('a stolen token deletes no account and sets no password', async () => {
    const { token } = await makeUser(test.coffer, { password });
    const call = test.as(token);
    const bodies = [undefined, {}, { password: '' }, { password: 'guess' }, { password: null }];
    const answers = [];
    for (const body of bodies) answers.push((await call('DELETE', ME, body)).status);
    expect(answers).toEqual([400, 400, 422, 401, 422]);
    expect((await call('POST', PASSWORD, { oldPassword: 'guess', newPassword: 'a better one' })).status).toBe(401);
    expect(await isGood(token)).toBe(true);
    expect((await call('DELETE', ME, { password })).status).toBe(200);
  });

  it('what was copied of the session in which the password is changed is not accepted afterwards, and its owner goes on', async () => {
    const { organizationId } = test;
    const { email } = await makeUser(test.coffer, { password, organizationId, role: 'member' });
    const login = await test.as()('POST', '/api/v3/auth/login', { email, password });
    const choose = (token: string) => test.as(token)('POST', '/api/v3/auth/select-organization', { organizationId });
    const { token } = (await choose(login.body.accessToken)).body;
    const refreshed = await refresh(cookieOf(login));
    const copied = [login.body.accessToken, token, refreshed.body.token];
    for (const one of copied) expect(await isGood(one)).toBe(true);
    const change = { oldPassword: password, newPassword: 'another horse battery' };
    const changed = await test.as(token)('POST', PASSWORD, change, { cookie: cookieOf(refreshed) });
    expect(changed.status).toBe(200);

    for (const one of copied) {
      expect(await isGood(one)).toBe(false);
      expect((await choose(one)).status).toBe(401);
      expect((await test.as(one)('POST', '/api/v2/users/me/api-keys', { name: 'x', expiresIn: 60 })).status).toBe(401);
    }
    for (const cookie of [cookieOf(login), cookieOf(refreshed)]) {
      expect((await refresh(cookie)).status).toBe(401);
      const opened = await test.as(changed.body.token)('POST', '/api/v1/auth/command-line/session', {}, { cookie });
      expect(opened.status).toBe(403);
    }
    // Nor does presenting a copy end the session of the owner.
    expect(await isGood(changed.body.token)).toBe(true);
    expect((await test.as(changed.body.token)('GET', '/api/v1/projects')).status).toBe(200);
    const next = await refresh(cookieOf(changed));
    expect([next.status, next.body.organizationId]).toEqual([200, organizationId]);
    expect((await test.as(next.body.token)('GET', `${ME}/sessions`)).body).toHaveLength(1);
  });

  it('no API key comes from a copied token while the password is being changed', async () => {
    const { organizationId } = test;
    const { token, id } = await makeUser(test.coffer, { password, organizationId, role: 'member' });
    const keys = Array.from({ length: 6 }, () =>
      test.as(token)('POST', '/api/v2/users/me/api-keys', { name: 'x', expiresIn: 60 }),
    );
    const change = test.as(token)('POST', PASSWORD, { oldPassword: password, newPassword: 'another horse battery' });
    const statuses = (await Promise.all([change, ...keys])).map(({ status }) => status);
    expect(statuses[0]).toBe(200);
    const { rows } = await test.coffer.pool.query('select 1 from user_api_keys where user_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  it('a stolen session guesses the password no faster by the sessions that it opens', async () => {
    const { email } = await makeUser(test.coffer, { password, organizationId: test.organizationId, role: 'member' });
    const login = await test.as()('POST', '/api/v3/auth/login', { email, password });
    const { organizationId } = test;
    const chosen = await test.as(login.body.accessToken)('POST', '/api/v3/auth/select-organization', {
      organizationId,
    });
    const cookie = cookieOf(login);
    const guess = (token: string, oldPassword: string) =>
      test.as(token)('POST', PASSWORD, {
        oldPassword,
        newPassword: 'another horse battery',
      });
    const statuses = [];
    for (let session = 0; session < 3; session++) {
      const opened = await test.as(chosen.body.token)('POST', '/api/v1/auth/command-line/session', {}, { cookie });
      for (let number = 0; number < 5; number++)
        statuses.push((await guess(opened.body.token, `guess ${session} ${number}`)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), ...Array.from({ length: 5 }, () => 429)]);
    // The owner logs in as ever, and changes the password once the sessions of the thief have ended.
    const own = async () => {
      const again = await test.as()('POST', '/api/v3/auth/login', { email, password });
      const { accessToken } = again.body;
      const choice = await test.as(accessToken)('POST', '/api/v3/auth/select-organization', { organizationId });
      return choice.body.token;
    };
    const token = await own();
    expect((await guess(token, password)).status).toBe(429);
    expect((await test.as(token)('DELETE', '/api/v2/users/me/sessions')).status).toBe(200);
    expect((await guess(await own(), password)).status).toBe(200);
  });

  it('sessions, tokens and API keys that have ended by the limit of an organization stay ended under another one', async () => {
    const { organizationId, call: admin } = await test.foreign();
    const limit = async (userTokenExpiration: string | null) =>
      (await admin('PATCH', `/api/v1/organization/${organizationId}`, { userTokenExpiration })).status;
    const enter = async () => {
      const { email } = await makeUser(test.coffer, { password, organizationId, role: 'member' });
      const login = await test.as()('POST', '/api/v3/auth/login', { email, password });
      const select = { organizationId };
      const chosen = await test.as(login.body.accessToken)('POST', '/api/v3/auth/select-organization', select);
      const { token } = chosen.body;
      const { key, id: keyId } = await makeKey(test, token, 600);
      return { token, cookie: cookieOf(login), key, keyId };
    };
    const lives = async ({ token, cookie, key }: Awaited<ReturnType<typeof enter>>) => [
      await isGood(token),
      (await test.as()('GET', ME, undefined, { 'x-api-key': key })).status === 200,
      (await refresh(cookie)).status === 200,
    ];

    const old = await enter();
    expect(await limit('10m')).toBe(200);
    test.advance(10 * 60_000);
    const young = await enter();
    expect(await lives(old)).toEqual([false, false, false]);
    expect(await limit('1h')).toBe(200);
    expect(await lives(old)).toEqual([false, false, false]);
    expect(await limit(null)).toBe(200);
    expect(await lives(old)).toEqual([false, false, false]);
    expect(await lives(young)).toEqual([true, true, true]);
    // Each key that went is on the log.
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      `select data ->> 'apiKeyId' as id from audit_events where type = 'api_key.deleted' and organization_id = $1`,
      [organizationId],
    );
    expect(rows).toEqual([{ id: old.keyId }]);
  });
});
