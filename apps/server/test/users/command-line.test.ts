import { createHash } from 'node:crypto';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

const DAY = 24 * 3600 * 1000;
const password = 'correct horse battery';
const PATH = '/api/v1/auth/command-line';
const verifier = 'a-verifier-of-this-test-that-has-43-letters-~.';
const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url');

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
});
afterAll(() => test.close());

const cookieOf = ({ headers }: Answer): string =>
  [headers['set-cookie']]
    .flat()
    .map(String)
    .find((text) => text.startsWith('jid='))!
    .split(';')[0]!;

/** A browser in which a user is signed in: its access token in the organization, and its refresh cookie. */
async function browser() {
  const { id, email } = await makeUser(test.coffer, { password, organizationId: test.organizationId, role: 'member' });
  const login = await test.as()('POST', '/api/v3/auth/login', { email, password });
  const chosen = await test.as(login.body.accessToken)('POST', '/api/v3/auth/select-organization', {
    organizationId: test.organizationId,
  });
  const token: string = chosen.body.token;
  const cookie = cookieOf(login);
  const post = (path: string, body: object = {}, headers: Record<string, string> = { cookie }) =>
    test.as(token)('POST', `${PATH}/${path}`, body, headers);
  const authorize = (text = verifier) => post('authorize', { codeChallenge: challengeOf(text) });
  return { id, email, token, cookie, post, authorize };
}

const exchange = (code: string, codeVerifier = verifier) =>
  test.as()('POST', `${PATH}/token`, { code, codeVerifier }, { 'user-agent': 'coffer/1' });
const works = async (token: string) => (await test.as(token)('GET', '/api/v1/organization')).status === 200;

describe('the login of a command line through a browser', () => {
  it('exchanges a code and its verifier for a session of its own, named in the list of sessions', async () => {
    const { email, authorize, token, post } = await browser();
    const authorized = await authorize();
    expect(authorized.body).toEqual({ code: expect.stringMatching(/^cfl_/), expiresAt: expect.any(String) });
    const { status, body } = await exchange(authorized.body.code);
    expect(status).toBe(200);
    expect(body).toMatchObject({ email, organizationId: test.organizationId });
    expect(await works(body.token)).toBe(true);

    const sessions = (await test.as(token)('GET', '/api/v2/users/me/sessions')).body as {
      name: string | null;
      userAgent: string;
    }[];
    const named = sessions.filter(({ name }) => name !== null);
    expect(named).toMatchObject([{ name: 'command line', userAgent: 'coffer/1' }]);
    // The browser's goes on, and its sign-out does not end the other one.
    expect((await post('authorize', { codeChallenge: challengeOf(verifier) })).status).toBe(200);
    await test.as(token)('POST', '/api/v1/auth/logout');
    expect(await works(body.token)).toBe(true);
  });

  it('returns a refresh token, with which the session goes on', async () => {
    const { authorize } = await browser();
    const { body } = await exchange((await authorize()).body.code);
    const refreshed = await test.as()('POST', '/api/v1/auth/token', {}, { cookie: `jid=${body.refreshToken}` });
    expect(refreshed.body.organizationId).toBe(test.organizationId);
    expect(await works(refreshed.body.token)).toBe(true);
  });

  it('opens a session for a command line that expects tokens', async () => {
    const { email, post, token } = await browser();
    const { status, body } = await post('session');
    expect(status).toBe(200);
    expect(body.email).toBe(email);
    expect(body.token).not.toBe(token);
    expect(await works(body.token)).toBe(true);
  });

  it('accepts a code once, for two minutes, and with its own verifier', async () => {
    const { authorize } = await browser();
    const used = (await authorize()).body.code;
    const both = await Promise.all([exchange(used), exchange(used)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 401]));

    const late = (await authorize()).body.code;
    test.advance(120_000);
    expect((await exchange(late)).status).toBe(401);

    const foreign = (await authorize()).body.code;
    expect((await exchange(foreign, `${verifier}x`)).status).toBe(401);
    // The wrong verifier has ended it.
    expect((await exchange(foreign)).status).toBe(401);
    expect((await exchange('cfl_made-up')).status).toBe(401);
    expect((await exchange(used, 'short')).status).toBe(422);
  });

  it('needs the refresh token of the same session: an access token alone opens no other session', async () => {
    const { post, authorize } = await browser();
    const other = await browser();
    const body = { codeChallenge: challengeOf(verifier) };
    const wrong: Record<string, string>[] = [{}, { cookie: 'jid=nonsense' }, { cookie: other.cookie }];
    for (const headers of wrong) {
      expect((await post('authorize', body, headers)).status).toBe(403);
      expect((await post('session', {}, headers)).status).toBe(403);
    }
    expect((await authorize()).status).toBe(200);
  });

  it('is refused to pages of other sites, API keys and machine identities', async () => {
    const { post, token, cookie } = await browser();
    const body = { codeChallenge: challengeOf(verifier) };
    expect((await post('authorize', body, { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post('session', {}, { cookie, origin: 'http://evil.example' })).status).toBe(403);
    const key = await test.as(token)('POST', '/api/v2/users/me/api-keys', { name: 'k', expiresIn: 3600 });
    const byKey = await test.as()('POST', `${PATH}/session`, {}, { cookie, 'x-api-key': key.body.apiKey });
    expect(byKey.status).toBe(403);
    expect((await test.admin('POST', `${PATH}/authorize`, body, { cookie })).status).toBe(403);
    expect((await test.as()('POST', `${PATH}/session`, {}, { cookie })).status).toBe(401);
  });

  it('ends with the credentials of the user: codes before their exchange, and sessions', async () => {
    const { authorize, token } = await browser();
    const opened = (await exchange((await authorize()).body.code)).body;
    const { code } = (await authorize()).body;
    await test.as(token)('DELETE', '/api/v2/users/me/sessions');
    expect((await exchange(code)).status).toBe(401);
    expect(await works(opened.token)).toBe(false);
  });

  it('ends with a new password, also of the session in which the user agreed', async () => {
    const { authorize, token } = await browser();
    const { code } = (await authorize()).body;
    const changed = await test.as(token)('POST', '/api/v2/password/user/password-reset', {
      oldPassword: password,
      newPassword: 'another horse battery',
    });
    expect(changed.status).toBe(200);
    expect((await exchange(code)).status).toBe(401);
    expect([await works(token), await works(changed.body.token)]).toEqual([false, true]);
  });

  it('gives nothing after the end of the membership', async () => {
    const { authorize, id } = await browser();
    const { code } = (await authorize()).body;
    await test.coffer.pool.query(`update memberships set is_active = false where user_id = $1`, [id]);
    expect((await exchange(code)).status).toBe(401);
  });

  it('does not outlast the lifetime of the session in which the user agreed', async () => {
    const { authorize, post, cookie } = await browser();
    test.advance(9 * DAY);
    const { body } = await exchange((await authorize()).body.code);
    const end = test.coffer.now().getTime() + 81 * DAY;
    expect(new Date(body.expiresAt).getTime()).toBe(end);
    expect(new Date((await post('session', {}, { cookie })).body.expiresAt).getTime()).toBe(end);
  });

  it('is recorded, without the code, and keeps only hashes', async () => {
    const { authorize, id } = await browser();
    const { code } = (await authorize()).body;
    const { rows } = await test.coffer.pool.query(
      `select published, data::text from audit_events where data->>'userId' = $1`,
      [id],
    );
    expect(rows.map(({ published }) => published)).toContain('authorize-command-line');
    expect(JSON.stringify(rows)).not.toContain(code);
    const { rows: kept } = await test.coffer.pool.query('select c::text as text from command_line_codes c');
    expect(JSON.stringify(kept)).not.toContain(code);
  });
});
