import { newId } from '@coffer/domain';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let anyone: Caller;
/** Sets the fixed clock to an instant (milliseconds). */
const setTime = (ms: number) => test.advance(ms - test.coffer.now().getTime());
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
  anyone = test.as();
});
afterAll(() => test.close());
afterEach(() => setTime(Date.now()));

const methodOf = (identityId: string) => `/api/v1/auth/token-auth/identities/${identityId}`;
const tokensOf = (identityId: string) => `${methodOf(identityId)}/tokens`;
const tokenUrl = (tokenId: string) => `/api/v1/auth/token-auth/tokens/${tokenId}`;
const RENEW = '/api/v1/auth/token/renew';
const REVOKE = '/api/v1/auth/token/revoke';
const OWN = '/api/v1/identities/details';

async function identity(settings: object = {}, role = 'member'): Promise<string> {
  const { body } = await test.admin('POST', '/api/v1/identities', {
    name: 'ci',
    organizationId: test.organizationId,
    role,
  });
  const attached = await test.admin('POST', methodOf(body.identity.id), settings);
  expect(attached.status).toBe(200);
  return body.identity.id;
}

/** A token that was made for a new identity whose token auth has these settings. */
async function token(settings: object = {}, name?: string) {
  const identityId = await identity(settings);
  const { status, body } = await test.admin('POST', tokensOf(identityId), { name });
  expect(status).toBe(200);
  return { identityId, tokenId: body.tokenData.id as string, text: body.accessToken as string, body };
}

const use = async (text: string) => (await test.as(text)('GET', OWN)).status;
const renew = (accessToken: string) => anyone('POST', RENEW, { accessToken });
const repeat = <T>(times: number, call: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, index) => call(index)));
const tally = (statuses: readonly number[]) =>
  Object.fromEntries([...new Set(statuses)].map((status) => [status, statuses.filter((one) => one === status).length]));
const bodyOf = ({ body: { reqId: _, ...body } }: Answer) => body;
const metadata = async (tokenId: string) => (await test.admin('GET', tokenUrl(tokenId))).body.token;

describe('tokens of token auth', () => {
  it('are created in the published shape, returned once, and work', async () => {
    const { identityId, tokenId, text, body } = await token({ accessTokenTTL: 60, accessTokenMaxTTL: 600 }, ' deploy ');
    expect(body).toEqual({
      accessToken: expect.stringMatching(/^cfi_/),
      expiresIn: 60,
      accessTokenMaxTTL: 600,
      tokenType: 'Bearer',
      tokenData: {
        id: tokenId,
        identityId,
        name: 'deploy',
        authMethod: 'token-auth',
        accessTokenTTL: 60,
        accessTokenMaxTTL: 600,
        accessTokenNumUses: 0,
        accessTokenNumUsesLimit: 0,
        accessTokenPeriod: 0,
        accessTokenLastUsedAt: null,
        accessTokenLastRenewedAt: null,
        isAccessTokenRevoked: false,
        identityUAClientSecretId: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
    expect(await use(text)).toBe(200);
    expect((await test.admin('GET', tokenUrl(tokenId))).body).toEqual({
      token: { ...body.tokenData, accessTokenNumUses: 1, accessTokenLastUsedAt: expect.any(String) },
    });
  });

  it('have no name by default', async () => {
    const { body } = await token();
    expect(body.tokenData.name).toBeNull();
  });

  it('are listed by their last change, including revoked ones, within the published bounds', async () => {
    const identityId = await identity();
    const ids: string[] = [];
    const start = Date.now();
    for (let i = 0; i < 25; i++) {
      setTime(start + i);
      ids.unshift((await test.admin('POST', tokensOf(identityId), {})).body.tokenData.id);
    }
    const list = async (query = '') => {
      const { status, body } = await test.admin('GET', `${tokensOf(identityId)}${query}`);
      expect(status).toBe(200);
      return body.tokens.map(({ id }: { id: string }) => id);
    };
    expect(await list()).toEqual(ids.slice(0, 20));
    expect(await list('?offset=20&limit=100')).toEqual(ids.slice(20));
    expect(await list('?offset=1&limit=2')).toEqual(ids.slice(1, 3));
    expect(await list('?offset=100')).toEqual([]);
    setTime(start + 100);
    const last = ids.at(-1)!;
    expect((await test.admin('PATCH', tokenUrl(last), { name: 'renamed' })).body.token).toMatchObject({
      id: last,
      name: 'renamed',
    });
    setTime(start + 101);
    await test.admin('POST', `${tokenUrl(ids[10]!)}/revoke`);
    const { body } = await test.admin('GET', `${tokensOf(identityId)}?limit=2`);
    expect(body.tokens).toMatchObject([
      { id: ids[10], isAccessTokenRevoked: true },
      { id: last, name: 'renamed' },
    ]);
    for (const query of ['offset=-1', 'offset=101', 'limit=0', 'limit=101', 'limit=x', 'limit=1.5', 'offset=']) {
      expect([query, (await test.admin('GET', `${tokensOf(identityId)}?${query}`)).status]).toEqual([query, 422]);
    }
  });

  it('are listed without those that other methods issued', async () => {
    const { identityId, tokenId } = await token();
    const universal = `/api/v1/auth/universal-auth/identities/${identityId}`;
    const { clientId } = (await test.admin('POST', universal, {})).body.identityUniversalAuth;
    const { clientSecret } = (await test.admin('POST', `${universal}/client-secrets`, {})).body;
    const login = await anyone('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret });
    expect(login.status).toBe(200);
    const { body } = await test.admin('GET', tokensOf(identityId));
    expect(body.tokens.map(({ id }: { id: string }) => id)).toEqual([tokenId]);
    const { rows } = await test.coffer.pool.query(
      `select id from identity_access_tokens where identity_id = $1 and auth_method = 'universal-auth'`,
      [identityId],
    );
    expect((await test.admin('GET', tokenUrl(rows[0].id))).status).toBe(404);
  });

  it('need token auth', async () => {
    const { body } = await test.admin('POST', '/api/v1/identities', { name: 'x', organizationId: test.organizationId });
    expect((await test.admin('POST', tokensOf(body.identity.id), {})).status).toBe(400);
    expect((await test.admin('GET', tokensOf(body.identity.id))).status).toBe(400);
  });

  it('keep their name if an update omits it', async () => {
    const { tokenId } = await token({}, 'deploy');
    expect((await test.admin('PATCH', tokenUrl(tokenId), {})).body.token.name).toBe('deploy');
    expect((await test.admin('PATCH', tokenUrl(tokenId), { name: 'x'.repeat(256) })).status).toBe(422);
    expect((await test.admin('PATCH', tokenUrl(tokenId), { name: 'a\u0000b' })).status).toBe(400);
  });

  it('are invalid immediately after a revocation, and cannot be revoked twice', async () => {
    const { tokenId, text } = await token();
    expect(await use(text)).toBe(200);
    const revoked = await test.admin('POST', `${tokenUrl(tokenId)}/revoke`);
    expect([revoked.status, typeof revoked.body.message]).toEqual([200, 'string']);
    expect(await use(text)).toBe(401);
    expect((await test.admin('POST', `${tokenUrl(tokenId)}/revoke`)).status).toBe(404);
    expect((await metadata(tokenId)).isAccessTokenRevoked).toBe(true);
  });

  it('are unknown to another organization', async () => {
    const { identityId, tokenId, text } = await token();
    const { call: foreign } = await test.foreign();
    for (const [method, url, ids] of [
      ['POST', tokensOf, [identityId, newId(), 'x']],
      ['GET', tokensOf, [identityId, newId(), 'x']],
      ['GET', tokenUrl, [tokenId, newId(), 'x', '%00']],
      ['PATCH', tokenUrl, [tokenId, newId(), 'x']],
      ['POST', (id: string) => `${tokenUrl(id)}/revoke`, [tokenId, newId(), 'x']],
    ] as const) {
      const body = method === 'GET' ? undefined : {};
      const answers = await Promise.all(ids.map((id) => foreign(method, url(id), body)));
      for (const answer of answers) {
        expect(answer.status).toBe(404);
        expect(bodyOf(answer)).toEqual(bodyOf(answers[0]!));
      }
      expect((await anyone(method, url(ids[0]), body)).status).toBe(401);
    }
    expect(await use(text)).toBe(200);
  });

  it('need the right to them', async () => {
    const { identityId, tokenId } = await token();
    const { call: powerless } = await test.identity({ organizationRole: 'no-access' });
    for (const [method, url] of [
      ['POST', tokensOf(identityId)],
      ['GET', tokensOf(identityId)],
      ['GET', tokenUrl(tokenId)],
      ['PATCH', tokenUrl(tokenId)],
      ['POST', `${tokenUrl(tokenId)}/revoke`],
    ] as const) {
      const { body } = await powerless(method, url, method === 'GET' ? undefined : {});
      expect(body).toMatchObject({ statusCode: 403, error: 'PermissionDenied' });
    }
  });

  it('are not issued, renamed or revoked by callers with fewer rights than the identity', async () => {
    const mighty = await identity({}, 'admin');
    const made = await test.admin('POST', tokensOf(mighty), {});
    const url = tokenUrl(made.body.tokenData.id);
    const { call: member } = await test.identity({ organizationRole: 'member' });
    expect((await member('GET', url)).status).toBe(200);
    for (const [method, path] of [
      ['POST', tokensOf(mighty)],
      ['PATCH', url],
      ['POST', `${url}/revoke`],
    ] as const) {
      expect((await member(method, path, {})).body).toMatchObject({
        statusCode: 403,
        error: 'PermissionBoundaryError',
      });
    }
    expect(await use(made.body.accessToken)).toBe(200);
  });
});

describe('using an access token', () => {
  it('works exactly as often as its limit, for any number of parallel uses, round after round', async () => {
    for (let round = 0; round < 25; round++) {
      const limit = 1 + (round % 5);
      const { tokenId, text } = await token({ accessTokenNumUsesLimit: limit });
      expect(tally(await repeat(4 * limit, () => use(text)))).toEqual({ 200: limit, 401: 3 * limit });
      expect(await metadata(tokenId)).toMatchObject({ accessTokenNumUses: limit, accessTokenNumUsesLimit: limit });
      expect((await renew(text)).status).toBe(401);
    }
  });

  it('expires exactly on time, also while in use, without cleanup', async () => {
    const { tokenId, text } = await token({ accessTokenTTL: 60, accessTokenMaxTTL: 600 });
    const created = new Date((await metadata(tokenId)).createdAt).getTime();
    setTime(created + 60_000 - 1);
    expect(await use(text)).toBe(200);
    setTime(created + 60_000);
    expect(await use(text)).toBe(401);
    expect((await renew(text)).status).toBe(401);
    expect((await anyone('POST', REVOKE, { accessToken: text })).status).toBe(401);
  });

  it('expires at the max TTL without a TTL, and reports it', async () => {
    const { tokenId, text, body } = await token({ accessTokenTTL: 0, accessTokenMaxTTL: 100 });
    expect(body.expiresIn).toBe(100);
    const created = new Date((await metadata(tokenId)).createdAt).getTime();
    setTime(created + 100_000 - 1);
    expect(await use(text)).toBe(200);
    setTime(created + 100_000);
    expect(await use(text)).toBe(401);
  });

  it('never ends on its own if neither is set', async () => {
    const { text, body } = await token({ accessTokenTTL: 0, accessTokenMaxTTL: 0 });
    expect(body.expiresIn).toBe(0);
    setTime(Date.now() + 50 * 365 * 86_400_000);
    expect(await use(text)).toBe(200);
  });

  it('is refused from an address that is not trusted, from the request after the change on', async () => {
    const { identityId, text } = await token({ accessTokenNumUsesLimit: 3 });
    const trust = (ipAddress: string) =>
      test.admin('PATCH', methodOf(identityId), { accessTokenTrustedIps: [{ ipAddress }] });
    expect(await use(text)).toBe(200);
    await trust('10.0.0.0/8');
    const refused = await test.as(text)('GET', OWN);
    expect(refused.body).toMatchObject({ statusCode: 403, error: 'ForbiddenError' });
    expect((await renew(text)).status).toBe(403);
    await trust('127.0.0.1');
    // What was refused has not cost a use.
    expect(tally(await repeat(4, () => use(text)))).toEqual({ 200: 2, 401: 2 });
  });

  it('is invalid immediately after the end of its login method, its identity or its membership', async () => {
    const detached = await token();
    const deleted = await token();
    const expelled = await token();
    const bystander = await token();
    for (const { text } of [detached, deleted, expelled, bystander]) expect(await use(text)).toBe(200);
    expect((await test.admin('DELETE', methodOf(detached.identityId))).status).toBe(200);
    expect((await test.admin('DELETE', `/api/v1/identities/${deleted.identityId}`)).status).toBe(200);
    await test.coffer.pool.query('delete from memberships where identity_id = $1', [expelled.identityId]);
    // The end of a membership invalidates the rights of its actor.
    test.coffer.invalidate([`actor:${expelled.identityId}`]);
    for (const { text } of [detached, deleted, expelled]) {
      expect(await use(text)).toBe(401);
      expect((await renew(text)).status).toBe(401);
    }
    expect(await use(bystander.text)).toBe(200);
  });

  it('stays invalid when the method is attached again', async () => {
    const { identityId, text } = await token();
    await test.admin('DELETE', methodOf(identityId));
    await test.admin('POST', methodOf(identityId), {});
    expect(await use(text)).toBe(401);
  });

  it('refuses text that is no token', async () => {
    const { text } = await token();
    const last = text.at(-1) === 'a' ? 'b' : 'a';
    for (const wrong of [
      'x',
      'cfi_',
      `${text.slice(0, -1)}${last}`,
      `${text}a`,
      text.toUpperCase(),
      text.slice(0, -1),
    ]) {
      expect([wrong, await use(wrong)]).toEqual([wrong, 401]);
    }
  });

  it('has the new name of its identity in later events', async () => {
    const { identityId, text } = await token({}, 'x');
    await use(text);
    await test.admin('PATCH', `/api/v1/identities/${identityId}`, { name: 'renamed' });
    const { body } = await test.as(text)('GET', OWN);
    expect(body.identity.name).toBe('renamed');
  });
});

describe('renewing an access token', () => {
  it('returns a new token for another TTL, and keeps the previous one until its own expiry', async () => {
    const start = Date.now();
    setTime(start);
    const { tokenId, text } = await token({ accessTokenTTL: 60, accessTokenMaxTTL: 600 });
    setTime(start + 30_000);
    const renewed = await renew(text);
    expect(renewed.status).toBe(200);
    expect(renewed.body).toEqual({
      accessToken: expect.stringMatching(/^cfi_/),
      expiresIn: 60,
      accessTokenMaxTTL: 600,
      tokenType: 'Bearer',
    });
    const next = renewed.body.accessToken;
    expect(next).not.toBe(text);
    expect([await use(text), await use(next)]).toEqual([200, 200]);
    expect(await metadata(tokenId)).toMatchObject({
      accessTokenLastRenewedAt: new Date(start + 30_000).toISOString(),
      accessTokenNumUses: 2,
    });
    setTime(start + 60_000);
    expect([await use(text), await use(next)]).toEqual([401, 200]);
    setTime(start + 90_000 - 1);
    expect(await use(next)).toBe(200);
    setTime(start + 90_000);
    expect(await use(next)).toBe(401);
  });

  it('returns the rest if the max TTL comes before the next TTL, and never shortens the token', async () => {
    const start = Date.now();
    setTime(start);
    let { text } = await token({ accessTokenTTL: 60, accessTokenMaxTTL: 100 });
    for (const [after, left] of [
      [40_000, 60],
      [40_001, 59],
      [70_000, 30],
      [99_900, 1],
    ] as const) {
      setTime(start + after);
      const { status, body } = await renew(text);
      expect([after, status, body.expiresIn]).toEqual([after, 200, left]);
      text = body.accessToken;
      expect(await use(text)).toBe(200);
    }
    setTime(start + 100_000);
    expect([(await renew(text)).status, await use(text)]).toEqual([401, 401]);
  });

  it('returns the rest with the defaults, where both TTLs are equal', async () => {
    const start = Date.now();
    setTime(start);
    const { text, tokenId } = await token();
    const created = new Date((await metadata(tokenId)).createdAt).getTime();
    setTime(created + 86_400_000);
    expect((await renew(text)).body).toMatchObject({ expiresIn: 29 * 86_400, accessTokenMaxTTL: 2_592_000 });
  });

  it('does not change the token if it is rejected', async () => {
    const { identityId, text } = await token({ accessTokenTTL: 60, accessTokenMaxTTL: 100 });
    const trust = (ipAddress: string) =>
      test.admin('PATCH', methodOf(identityId), { accessTokenTrustedIps: [{ ipAddress }] });
    await trust('10.0.0.0/8');
    expect((await renew(text)).status).toBe(403);
    await trust('127.0.0.1');
    expect([await use(text), (await renew(text)).status]).toEqual([200, 200]);
  });

  it('continues without end for a periodic token', async () => {
    const start = Date.now();
    setTime(start);
    let { text } = await token({ accessTokenTTL: 60, accessTokenMaxTTL: 100, accessTokenPeriod: 3600 });
    for (let hour = 1; hour < 100; hour += 0.9) {
      setTime(start + hour * 3_600_000 - 1000);
      const { status, body } = await renew(text);
      expect([status, body.expiresIn]).toEqual([200, 3600]);
      text = body.accessToken;
    }
  });

  it('does not reset the uses of a limited token', async () => {
    const { text } = await token({ accessTokenTTL: 60, accessTokenNumUsesLimit: 3 });
    expect(await use(text)).toBe(200);
    const { body } = await renew(text);
    expect(tally([...(await repeat(4, () => use(body.accessToken))), await use(text)])).toEqual({ 200: 2, 401: 3 });
  });

  it('keeps the newest token valid if many renew the same one concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const { text } = await token({ accessTokenTTL: 60, accessTokenMaxTTL: 0 });
      const answers = await repeat(6, () => renew(text));
      const alive = answers.filter(({ status }) => status === 200).map(({ body }) => body.accessToken);
      expect(alive.length).toBeGreaterThanOrEqual(1);
      expect(tally(answers.map(({ status }) => status))).toEqual(
        alive.length === 6 ? { 200: 6 } : { 200: alive.length, 401: 6 - alive.length },
      );
      expect((await Promise.all(alive.map(use))).filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    }
  });

  it('keeps a revoked token revoked, whichever of its values was revoked', async () => {
    const { text } = await token({ accessTokenTTL: 60, accessTokenMaxTTL: 0 });
    const { body } = await renew(text);
    expect((await anyone('POST', REVOKE, { accessToken: text })).status).toBe(200);
    expect([await use(text), await use(body.accessToken), (await renew(body.accessToken)).status]).toEqual([
      401, 401, 401,
    ]);
  });

  it('needs no header, and a token of the right kind in the body', async () => {
    for (const url of [RENEW, REVOKE]) {
      expect((await anyone('POST', url, {})).status).toBe(422);
      expect((await anyone('POST', url, { accessToken: 5 })).status).toBe(422);
      for (const [text, status] of [
        ['', 401],
        ['x', 401],
        ['cfi_x', 401],
        ['\u0000', 401],
        ['cfu_abc', 400],
        ['st.1.2', 400],
      ] as const) {
        expect([url, text, (await anyone('POST', url, { accessToken: text })).status]).toEqual([url, text, status]);
      }
    }
  });

  it('writes its event as the deed of the identity', async () => {
    const { identityId, text } = await token({ accessTokenTTL: 60 });
    const { body } = await renew(text);
    await anyone('POST', REVOKE, { accessToken: body.accessToken });
    const { rows } = await test.coffer.pool.query(
      'select published from audit_events where actor_id = $1 order by created_at, id',
      [identityId],
    );
    expect(rows.map(({ published }) => published)).toEqual([
      'renew-identity-access-token',
      'revoke-identity-access-token',
    ]);
  });
});
