import { authenticate, bearerToken, openCoffer, parseRootKey, refreshToken } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

const DAY = 24 * 3600 * 1000;
const password = 'correct horse battery';

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' }, { hosts: ['coffer.test'] });
});
afterAll(() => test.close());

const nobody = () => test.as();
const person = (make: Parameters<typeof makeUser>[1] = {}) =>
  makeUser(test.coffer, { password, organizationId: test.organizationId, role: 'member', ...make });
const logIn = (email: string, given = password) => nobody()('POST', '/api/v3/auth/login', { email, password: given });
const cookieOf = ({ headers }: Answer): string =>
  [headers['set-cookie']]
    .flat()
    .map(String)
    .find((text) => text.startsWith('jid='))!;
const asCookie = (answer: Answer) => ({ cookie: cookieOf(answer).split(';')[0]! });
const refresh = (answer: Answer) => nobody()('POST', '/api/v1/auth/token', undefined, asCookie(answer));
const select = (token: string, organizationId: string) =>
  test.as(token)('POST', '/api/v3/auth/select-organization', { organizationId });
const eventsOf = async (userId: string): Promise<{ published: string; actor_type: string }[]> => {
  const { rows } = await test.coffer.pool.query(
    `select published, actor_type from audit_events where data->>'userId' = $1 order by created_at, id`,
    [userId],
  );
  return rows;
};

describe('logging in', () => {
  it('returns a token without an organization and sets the refresh token as a strict, HTTP-only cookie', async () => {
    const { email, id } = await person();
    const answer = await logIn(email.toUpperCase());
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ accessToken: expect.stringMatching(/^cfu_/) });
    expect(cookieOf(answer)).toMatch(/^jid=cfr_[^;]+; Max-Age=7776000; Path=\/api; HttpOnly; SameSite=Strict$/);
    expect(await eventsOf(id)).toContainEqual({ published: 'user-login', actor_type: 'user' });

    const call = test.as(answer.body.accessToken);
    expect((await call('GET', '/api/v2/users/me')).body.user).toMatchObject({ id, email });
    const refused = await call('GET', `/api/v1/organization/${test.organizationId}`);
    expect(refused.status).toBe(401);
    expect(refused.body.message).toContain('select-organization');
  });

  it('marks the cookie as secure for https', async () => {
    const secure = await testServer({ settings: { siteUrl: 'https://coffer.example.com' } });
    onTestFinished(() => secure.close());
    const { email } = await makeUser(secure.coffer, { password });
    const answer = await secure.as()('POST', '/api/v3/auth/login', { email, password });
    expect(cookieOf(answer)).toContain('; Secure');
  });

  it('marks the cookie as secure for a page with https at a server of another scheme', async () => {
    const { email } = await person();
    const proxied = ['https', 'HTTPS', 'https, https', 'https,http'].map((scheme) => ({ 'x-forwarded-proto': scheme }));
    for (const header of [{ origin: 'https://localhost' }, ...proxied]) {
      const { headers } = await test.app.inject({
        ...{ method: 'POST', url: '/api/v3/auth/login', payload: { email, password } },
        headers: { host: 'localhost', ...header },
      });
      const cookies = [headers['set-cookie']].flat().map(String);
      expect([header, cookies.filter((cookie) => !cookie.includes('; Secure'))]).toEqual([header, []]);
      expect(cookies.join()).toContain('jid=cfr_');
    }
  });

  it('returns the same for a wrong password, an unknown address and an account without a password', async () => {
    const { email, id } = await person();
    const { email: without } = await person({ password: undefined });
    const wrong = await logIn(email, 'wrong');
    expect(wrong.status).toBe(401);
    for (const other of [await logIn('nobody@example.com', 'wrong'), await logIn(without, 'wrong')]) {
      expect({ ...other.body, reqId: '' }).toEqual({ ...wrong.body, reqId: '' });
      expect(other.headers['set-cookie']).toBeUndefined();
    }
    expect(await eventsOf(id)).toContainEqual({ published: 'user-login-failed', actor_type: 'unknownUser' });
  });

  it('delays guesses after the tenth, ever longer, whether or not anybody has the address', async () => {
    const { email } = await person();
    for (const address of [email, 'ghost@example.com']) {
      for (let guess = 0; guess < 10; guess++) expect((await logIn(address, `guess ${guess}`)).status).toBe(401);
      for (const delay of ['2', '4', '8']) {
        const { status, body, headers } = await logIn(address.toUpperCase());
        expect([status, body.message]).toEqual([429, expect.stringContaining('Too many')]);
        expect(headers['retry-after']).toBe(delay);
        test.advance(Number(delay) * 1000);
        expect((await logIn(` ${address}`, 'wrong')).status).toBe(401);
      }
    }
    test.advance(16_000);
    expect((await logIn(email)).status).toBe(200);
  });

  it('counts failures within a session separately from logins', async () => {
    const { email, token } = await person();
    const call = test.as(token);
    const change = (oldPassword: string) =>
      call('POST', '/api/v2/password/user/password-reset', { oldPassword, newPassword: 'another one!' });
    for (let guess = 0; guess < 10; guess++) expect((await logIn(email, 'wrong')).status).toBe(401);
    expect((await logIn(email)).status).toBe(429);
    for (let guess = 0; guess < 10; guess++) expect((await change('wrong')).status).toBe(401);
    expect((await change(password)).status).toBe(429);
    const { body } = await call('GET', '/api/v2/users/me');
    expect(body.user).toMatchObject({ isLocked: false, consecutiveFailedPasswordAttempts: 10 });
    test.advance(2_000);
    expect((await change(password)).status).toBe(200);
  });

  it('restarts the count of a client after the right password', async () => {
    const { email } = await person();
    for (let round = 0; round < 2; round++) {
      for (let guess = 0; guess < 9; guess++) expect((await logIn(email, 'wrong')).status).toBe(401);
      expect((await logIn(email)).status).toBe(200);
    }
  });

  it('does not let many guesses at once through', async () => {
    const { email } = await person();
    const guesses = await Promise.all(Array.from({ length: 30 }, (_, guess) => logIn(email, `guess ${guess}`)));
    // Attempts that are running when the threshold is reached.
    expect(guesses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(13);
    expect((await logIn(email)).status).toBe(429);
  });

  it('names the device in a cookie, which stays the same at its later logins', async () => {
    const { email } = await person();
    const device = (answer: Answer) =>
      /cdt=(cfd_[^;]+); Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict/.exec(
        [answer.headers['set-cookie']].flat().join('\n'),
      )?.[1];
    const first = device(await logIn(email))!;
    const again = (cookie: string) =>
      nobody()('POST', '/api/v3/auth/login', { email, password }, { cookie: `cdt=${cookie}` });
    expect(device(await again(first))).toBe(first);
    expect(device(await again('cfd_made-up'))).not.toBe('cfd_made-up');
    const { rows } = await test.coffer.pool.query('select client from known_clients where subject = $1', [
      `user:${email}`,
    ]);
    expect(JSON.stringify(rows)).not.toContain(first);
  });

  it('rejects an invalid or too long address, and accepts unknown fields', async () => {
    const { email } = await person();
    expect((await logIn('not an address')).status).toBe(422);
    expect((await logIn(email, 'x'.repeat(1025))).status).toBe(422);
    expect((await logIn(email, '')).status).toBe(422);
    expect((await logIn(email, 'nul \0 inside')).status).toBe(401);
    const answer = await nobody()('POST', '/api/v3/auth/login', {
      email,
      password,
      captchaToken: 'x',
      providerAuthToken: null,
    });
    expect(answer.status).toBe(200);
  });

  it('keeps the hundred most recently used sessions', async () => {
    const { email, id } = await person();
    await test.coffer.pool.query(
      `insert into user_sessions (id, user_id, refresh_hash, ip_address, user_agent, last_used_at, expires_at)
       select gen_random_uuid(), $1, sha256(gen_random_uuid()::text::bytea), '127.0.0.1', '', now() - n * interval '1 minute', now() + interval '1 day'
       from generate_series(1, 120) n`,
      [id],
    );
    await logIn(email);
    const { rows } = await test.coffer.pool.query('select 1 from user_sessions where user_id = $1', [id]);
    expect(rows).toHaveLength(100);
  });
});

describe('choosing an organization', () => {
  it('returns a token of the user for that organization', async () => {
    const { email, id } = await person();
    const { accessToken } = (await logIn(email)).body;
    const answer = await select(accessToken, test.organizationId);
    expect(answer.body).toEqual({ token: expect.stringMatching(/^cfu_/), isMfaEnabled: false, mfaMethod: null });
    const { body } = await test.as(answer.body.token)('GET', `/api/v1/organization/${test.organizationId}`);
    expect(body.organization.id).toBe(test.organizationId);
    expect(await eventsOf(id)).toContainEqual({ published: 'select-organization', actor_type: 'user' });
  });

  it('rejects an organization without the user like an unknown one', async () => {
    const { token } = await person();
    const { organizationId: foreign } = await test.foreign();
    const answers = await Promise.all(
      [foreign, '00000000-0000-4000-8000-000000000000', 'no-uuid'].map((id) => select(token, id)),
    );
    for (const answer of answers)
      expect({ status: answer.status, ...answer.body, reqId: '' }).toEqual({
        ...answers[1]!.body,
        status: 404,
        reqId: '',
      });
  });

  it('refuses members who were deactivated or have not accepted yet, and machine identities', async () => {
    const { email, id } = await person();
    const { accessToken } = (await logIn(email)).body;
    for (const state of [`is_active = false`, `is_active = true, status = 'invited'`]) {
      await test.coffer.pool.query(`update memberships set ${state} where user_id = $1`, [id]);
      expect((await select(accessToken, test.organizationId)).status).toBe(403);
    }
    expect((await select(test.adminIdentity.token, test.organizationId)).status).toBe(403);
  });

  it('refuses a caller without a token', async () => {
    expect(
      (await nobody()('POST', '/api/v3/auth/select-organization', { organizationId: test.organizationId })).status,
    ).toBe(401);
  });
});

describe('the refresh cookie', () => {
  it('gets a new access token in the selected organization', async () => {
    const { email, id } = await person();
    const login = await logIn(email);
    const first = await nobody()('POST', '/api/v1/auth/token', undefined, asCookie(login));
    expect(first.body).toEqual({
      token: expect.stringMatching(/^cfu_/),
      organizationId: null,
      subOrganizationId: null,
    });
    await select(login.body.accessToken, test.organizationId);
    const second = await nobody()('POST', '/api/v1/auth/token', undefined, asCookie(login));
    expect(second.body.organizationId).toBe(test.organizationId);
    expect(await eventsOf(id)).toContainEqual({ published: 'refresh-user-session', actor_type: 'user' });
    expect((await test.as(second.body.token)('GET', `/api/v1/organization/${test.organizationId}`)).status).toBe(200);
  });

  it('gets a 404 if it is missing and a 401 if it is invalid, ended or expired', async () => {
    const { email } = await person();
    const show = (headers: Record<string, string>) => nobody()('POST', '/api/v1/auth/token', undefined, headers);
    expect((await show({})).status).toBe(404);
    expect((await show({ cookie: 'jid=nonsense' })).status).toBe(401);
    const login = await logIn(email);
    expect((await show({ cookie: `jid=${login.body.accessToken}` })).status).toBe(401);
    await test.as(login.body.accessToken)('POST', '/api/v1/auth/logout');
    expect((await refresh(login)).status).toBe(401);

    const other = await logIn(email);
    test.advance(90 * DAY);
    expect((await refresh(other)).status).toBe(401);
  });

  it('is replaced by each refresh, for as long as the session lasts', async () => {
    const { email } = await person();
    const login = await logIn(email);
    const first = await refresh(login);
    expect(cookieOf(first)).toMatch(/^jid=cfr_[^;]+; Max-Age=77\d{5}; Path=\/api; HttpOnly; SameSite=Strict$/);
    const second = await refresh(first);
    const cookies = [login, first, second].map((answer) => asCookie(answer).cookie);
    expect(new Set(cookies).size).toBe(3);
    for (const { body } of [login, first, second])
      expect((await test.as(body.accessToken ?? body.token)('GET', '/api/v2/users/me')).status).toBe(200);
  });

  it('ends its session when a replaced one is presented again, and records that in the audit log', async () => {
    const { email, id } = await person();
    const login = await logIn(email);
    const first = await refresh(login);
    const second = await refresh(first);
    const apart = await logIn(email);
    // Replaced twice: no parallel tab has that one.
    expect((await refresh(login)).status).toBe(401);
    for (const answer of [first, second]) expect((await refresh(answer)).status).toBe(401);
    for (const { body } of [login, first, second])
      expect((await test.as(body.accessToken ?? body.token)('GET', '/api/v2/users/me')).status).toBe(401);
    expect(await eventsOf(id)).toContainEqual({ published: 'refresh-token-reused', actor_type: 'unknownUser' });
    expect((await refresh(apart)).status).toBe(200);
  });

  it('is accepted for ten seconds after it was replaced, and answered with the same successor', async () => {
    const { email } = await person();
    const login = await logIn(email);
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(login)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map((answer) => asCookie(answer).cookie)).size).toBe(1);
    test.advance(9_000);
    expect(asCookie(await refresh(login))).toEqual(asCookie(answers[0]!));
    // Being shown again does not lengthen the time.
    test.advance(1_000);
    expect((await refresh(login)).status).toBe(401);
    expect((await refresh(answers[0]!)).status).toBe(401);
  });

  it('gets one successor, also from two concurrent processes', async () => {
    const { email } = await person();
    const login = await logIn(email);
    const there = await openCoffer({
      databaseUrl: test.databaseUrl,
      rootKey: parseRootKey(test.rootKey),
      fetch: () => Promise.reject(new Error('This test reaches no network')),
      now: test.coffer.now,
      migrate: false,
    });
    onTestFinished(() => there.close());
    const presented = asCookie(login).cookie.slice('jid='.length);
    const successors = await Promise.all(
      [there, test.coffer, there, test.coffer].map(
        async (coffer) => (await refreshToken(coffer.contextFor({ type: 'anonymous' }), presented)).refreshToken,
      ),
    );
    expect(new Set(successors).size).toBe(1);
    expect((await refresh(login)).status).toBe(200);
  });

  it('of a session that the release before opened is replaced and guarded as well', async () => {
    const { email } = await person();
    const login = await logIn(email);
    await test.coffer.pool.query('update user_sessions set refresh_family_hash = null');
    const first = await refresh(login);
    expect(first.status).toBe(200);
    test.advance(10_000);
    expect((await refresh(login)).status).toBe(401);
    expect((await refresh(first)).status).toBe(401);
  });

  it('of another session has no effect, nor does an invented one', async () => {
    const { email } = await person();
    const [one, other] = [await logIn(email), await logIn(email)];
    const [mine, theirs] = [one, other].map((answer) => asCookie(answer).cookie.slice(4));
    // Not even a token with the right prefix: its checksum, or its family, differs.
    await nobody()('POST', '/api/v1/auth/token', undefined, {
      cookie: `jid=${mine!.slice(0, 20)}${theirs!.slice(20)}`,
    });
    for (const answer of [one, other]) expect((await refresh(answer)).status).toBe(200);
  });

  it('is rejected from pages of other sites', async () => {
    const { email } = await person();
    const login = await logIn(email);
    const from = (origin: string) =>
      nobody()('POST', '/api/v1/auth/token', undefined, { ...asCookie(login), host: 'coffer.test:8080', origin });
    for (const origin of [
      'https://evil.example',
      'null',
      'http://coffer.test:9090',
      'http://coffer.test.evil.example:8080',
    ]) {
      const refused = await from(origin);
      expect(refused.status).toBe(403);
      expect(refused.body).not.toHaveProperty('token');
    }
    expect((await from('http://coffer.test:8080')).status).toBe(200);
    expect((await from('http://127.0.0.1:8080')).status).toBe(200);
  });

  it('is rejected where the browser marks the request as cross-site', async () => {
    const { email } = await person();
    const login = await logIn(email);
    const from = (site: string, url = '/api/v1/auth/token') =>
      nobody()('POST', url, {}, { ...asCookie(login), 'sec-fetch-site': site });
    expect((await from('cross-site')).body).toMatchObject({ statusCode: 403, error: 'ForbiddenError' });
    expect((await from('cross-site', '/api/trpc/sessions.refresh')).status).toBe(403);
    for (const site of ['same-origin', 'none']) expect((await from(site)).status).toBe(200);
  });

  it('replaces one that an earlier release has set for all paths', async () => {
    const { email } = await person();
    const former = await logIn(email);
    const { status, headers } = await nobody()('POST', '/api/v1/auth/token', undefined, {
      ...asCookie(former),
      'sec-fetch-site': 'same-origin',
    });
    expect([status, [headers['set-cookie']].flat()]).toEqual([
      200,
      [expect.stringMatching(/^jid=; Max-Age=0; Path=\/;/), expect.stringMatching(/^jid=cfr_.*Path=\/api;/)],
    ]);
  });

  it('is no bearer token, and an access token is no refresh cookie', async () => {
    const { email } = await person();
    const login = await logIn(email);
    const held = asCookie(login).cookie.slice('jid='.length);
    expect((await test.as(held)('GET', '/api/v2/users/me')).status).toBe(401);
  });

  it('falls back to no organization where the person is no member any more', async () => {
    const { email, id } = await person();
    const login = await logIn(email);
    await select(login.body.accessToken, test.organizationId);
    await test.coffer.pool.query('delete from memberships where user_id = $1', [id]);
    const { status, body } = await nobody()('POST', '/api/v1/auth/token', undefined, asCookie(login));
    expect({ status, organizationId: body.organizationId }).toEqual({ status: 200, organizationId: null });
  });
});

describe('an access token', () => {
  it('is checked by checkAuth', async () => {
    const { token } = await person();
    expect((await test.as(token)('POST', '/api/v1/auth/checkAuth')).body).toEqual({ message: 'Authenticated' });
    for (const wrong of [undefined, 'cfu_nonsense', `${token}x`, token.slice(0, -1)]) {
      expect((await test.as(wrong)('POST', '/api/v1/auth/checkAuth')).status).toBe(401);
    }
  });

  it('expires after ten days', async () => {
    const { token } = await person();
    test.advance(10 * DAY - 60_000);
    expect((await test.as(token)('POST', '/api/v1/auth/checkAuth')).status).toBe(200);
    test.advance(60_000);
    expect((await test.as(token)('POST', '/api/v1/auth/checkAuth')).status).toBe(401);
  });

  it("expires after the organization's lifetime, also if that is shortened later", async () => {
    const { token, email } = await person();
    const call = test.as(token);
    expect((await call('POST', '/api/v1/auth/checkAuth')).status).toBe(200);
    const update = (userTokenExpiration: string | null) =>
      test.admin('PATCH', `/api/v1/organization/${test.organizationId}`, { userTokenExpiration });
    expect((await update('1h')).status).toBe(200);
    test.advance(59 * 60_000);
    expect((await call('POST', '/api/v1/auth/checkAuth')).status).toBe(200);
    test.advance(60_000);
    expect((await call('POST', '/api/v1/auth/checkAuth')).status).toBe(401);
    const { accessToken } = (await logIn(email)).body;
    test.advance(2 * 3600_000);
    expect((await test.as(accessToken)('POST', '/api/v1/auth/checkAuth')).status).toBe(200);
    expect((await update(null)).body.organization.userTokenExpiration).toBeNull();
  });

  it('is rejected with 403 immediately after the membership is removed, and works again when it is restored', async () => {
    const { token, id } = await person();
    const call = test.as(token);
    expect((await call('GET', '/api/v1/organization')).status).toBe(200);
    const { users } = (await test.admin('GET', `/api/v2/organizations/${test.organizationId}/memberships`)).body;
    const membership = users.find((one: { userId: string }) => one.userId === id);
    const path = `/api/v2/organizations/${test.organizationId}/memberships/${membership.id}`;
    await test.admin('PATCH', path, { isActive: false });
    expect((await call('GET', '/api/v1/organization')).status).toBe(403);
    await test.admin('PATCH', path, { isActive: true });
    expect((await call('GET', '/api/v1/organization')).status).toBe(200);
    await test.admin('DELETE', path);
    expect((await call('GET', '/api/v1/organization')).status).toBe(403);
  });

  it('is not stored in a form that could be used', async () => {
    const { token } = await person();
    const { rows } = await test.coffer.pool.query(
      `select 1 from user_access_tokens where encode(hash, 'escape') = $1 or hash = $2`,
      [token, Buffer.from(token)],
    );
    expect(rows).toEqual([]);
  });
});

describe('a session', () => {
  const settings = (change: Partial<TestServer['coffer']['settings']>) => {
    const before = { ...test.coffer.settings };
    Object.assign(test.coffer.settings, change);
    return () => Object.assign(test.coffer.settings, before);
  };
  const isGood = async (token: string) => (await test.as(token)('GET', '/api/v2/users/me')).status === 200;

  it('ends after its idle lifetime, also if that is shortened later', async () => {
    const { email } = await person();
    const [used, refreshed, idle] = [await logIn(email), await logIn(email), await logIn(email)];
    const restore = settings({ sessionIdleSeconds: 3600 });
    let latest = refreshed;
    for (let quarter = 0; quarter < 6; quarter++) {
      test.advance(15 * 60_000);
      expect(await isGood(used.body.accessToken)).toBe(true);
      await test.coffer.usage.flush();
      latest = await refresh(latest);
      expect(latest.status).toBe(200);
    }
    expect(await isGood(idle.body.accessToken)).toBe(false);
    expect((await refresh(idle)).status).toBe(401);
    expect((await refresh(used)).status).toBe(200);
    const { body } = await test.as(latest.body.token)('GET', '/api/v2/users/me/sessions');
    expect(body).toHaveLength(2);
    restore();
  });

  it('ends after its absolute lifetime, with any use', async () => {
    const { email } = await person();
    let latest = await logIn(email);
    const restore = settings({ sessionSeconds: 7200 });
    for (let half = 0; half < 3; half++) {
      test.advance(30 * 60_000);
      latest = await refresh(latest);
      expect(await isGood(latest.body.token)).toBe(true);
    }
    test.advance(30 * 60_000);
    expect(await isGood(latest.body.token)).toBe(false);
    expect((await refresh(latest)).status).toBe(401);
    restore();
  });

  it('is not refreshed for an organization with a shorter lifetime than the idle time', async () => {
    const { email } = await person();
    const login = await logIn(email);
    await select(login.body.accessToken, test.organizationId);
    const update = (userTokenExpiration: string | null) =>
      test.admin('PATCH', `/api/v1/organization/${test.organizationId}`, { userTokenExpiration });
    await update('1h');
    test.advance(59 * 60_000);
    const next = await refresh(login);
    expect(next.status).toBe(200);
    test.advance(60 * 60_000);
    expect((await refresh(next)).status).toBe(401);
    await update(null);
  });
});

describe('my sessions', () => {
  it('are listed with their origin', async () => {
    const { email, token, id } = await person();
    await nobody()('POST', '/api/v3/auth/login', { email, password }, { 'user-agent': 'console/1' });
    const { body } = await test.as(token)('GET', '/api/v2/users/me/sessions');
    expect(body).toHaveLength(2);
    expect(body[0]).toEqual({
      id: expect.any(String),
      userId: id,
      name: null,
      ip: '127.0.0.1',
      userAgent: 'console/1',
      isCurrent: false,
      refreshVersion: 1,
      accessVersion: 1,
      lastUsed: expect.any(String),
      expiresAt: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(body[1].isCurrent).toBe(true);
  });

  it('end individually, immediately, with their tokens', async () => {
    const { email, token } = await person();
    const other = await logIn(email);
    const call = test.as(token);
    const otherCall = test.as(other.body.accessToken);
    expect((await otherCall('GET', '/api/v2/users/me')).status).toBe(200);
    const [newest] = (await call('GET', '/api/v2/users/me/sessions')).body;
    expect((await call('DELETE', `/api/v2/users/me/sessions/${newest.id.toUpperCase()}`)).body).toEqual({
      message: expect.any(String),
    });
    expect((await otherCall('GET', '/api/v2/users/me')).status).toBe(401);
    expect((await call('GET', '/api/v2/users/me')).status).toBe(200);
    expect((await call('DELETE', `/api/v2/users/me/sessions/${newest.id}`)).status).toBe(404);
  });

  it('end in every process within a second', async () => {
    const { token } = await person();
    const there = await openCoffer({
      databaseUrl: test.databaseUrl,
      rootKey: parseRootKey(test.rootKey),
      fetch: () => Promise.reject(new Error('This test reaches no network')),
      now: test.coffer.now,
      migrate: false,
    });
    onTestFinished(() => there.close());
    const isGood = async () => {
      try {
        await authenticate(there.contextFor({ type: 'anonymous' }), bearerToken(token));
        return true;
      } catch {
        return false;
      }
    };
    expect(await isGood()).toBe(true);
    await test.as(token)('DELETE', '/api/v2/users/me/sessions');
    await expect.poll(isGood).toBe(false);
  });

  it('cannot be revoked by other callers', async () => {
    const [ann, bob] = [await person(), await person()];
    const path = `/api/v2/users/me/sessions/${ann.actor.sessionId}`;
    const foreign = await test.as(bob.token)('DELETE', path);
    const unknown = await test.as(bob.token)('DELETE', '/api/v2/users/me/sessions/no-uuid');
    expect({ ...foreign.body, reqId: '' }).toEqual({ ...unknown.body, reqId: '' });
    expect(foreign.status).toBe(404);
    expect((await test.as(ann.token)('GET', '/api/v2/users/me')).status).toBe(200);
  });

  it('end all together, including the current one', async () => {
    const { email, token } = await person();
    const other = await logIn(email);
    const ended = await test.as(other.body.accessToken)('DELETE', '/api/v2/users/me/sessions');
    expect(ended.status).toBe(200);
    expect(cookieOf(ended)).toMatch(/^jid=; Max-Age=0/);
    for (const one of [token, other.body.accessToken])
      expect((await test.as(one)('GET', '/api/v2/users/me')).status).toBe(401);
    expect((await nobody()('POST', '/api/v1/auth/token', undefined, asCookie(other))).status).toBe(401);
  });

  it('end by logging out, which clears the cookie and keeps the others', async () => {
    const { email, token } = await person();
    const other = await logIn(email);
    const out = await test.as(other.body.accessToken)('POST', '/api/v1/auth/logout');
    expect(out.status).toBe(200);
    // At its path, and at that of earlier releases.
    expect(out.headers['set-cookie']).toEqual(
      ['/api', '/'].map((path) => expect.stringMatching(new RegExp(`^jid=; Max-Age=0; Path=${path};`))),
    );
    expect(out.headers['clear-site-data']).toBe('"cache", "storage"');
    expect((await test.as(other.body.accessToken)('POST', '/api/v1/auth/checkAuth')).status).toBe(401);
    expect((await test.as(token)('POST', '/api/v1/auth/checkAuth')).status).toBe(200);
  });

  it('are refused to machine identities and to callers without a token', async () => {
    expect((await test.admin('GET', '/api/v2/users/me/sessions')).status).toBe(403);
    expect((await nobody()('GET', '/api/v2/users/me/sessions')).status).toBe(401);
    expect((await nobody()('POST', '/api/v1/auth/logout')).status).toBe(401);
  });
});
