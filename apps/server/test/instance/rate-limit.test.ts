import { INSTANCE_LOG, RATE_LIMIT_CLASSES, type Statement } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { anotherProcess } from '../harness/another-process.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const PATH = '/api/v1/rate-limit';
const CALLS = 1000;
const LOGINS = 50;
const UNSET = Object.fromEntries(RATE_LIMIT_CLASSES.map((name) => [name, null]));

let test: TestServer;
let root: Caller;
let projectId: string;
beforeAll(async () => {
  const settings = { callLimit: CALLS, loginLimit: LOGINS };
  test = await testServer({ settings, clock: 'standing' }, { isTrustedProxy: () => true });
  root = await superAdmin();
  ({ id: projectId } = await test.project());
});
afterAll(() => test.close());
afterEach(() => put({}));

let addresses = 0;
const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });

/** Calls from a separate address. */
const superAdmin = async (): Promise<Caller> => {
  const make = { isSuperAdmin: true, organizationId: test.organizationId, role: 'member' } as const;
  const [call, from] = [test.as((await makeUser(test.coffer, make)).token), elsewhere()];
  return (method, url, body) => call(method, url, body, from);
};

const put = async (limits: object) => {
  // The limits also apply to the caller who changes them.
  const call = await superAdmin();
  const answer = await call('PUT', PATH, { ...UNSET, ...limits });
  expect([answer.status, answer.body.rateLimit ? undefined : answer.body]).toEqual([200, undefined]);
  // The process reads what was stored after it answered.
  await expect.poll(() => applied.at(-1)).toMatchObject(limits);
  return answer.body.rateLimit;
};
const applied: object[] = [];
beforeAll(async () => void (await test.coffer.rateLimits.follow((stored) => applied.push(stored))));

/** The statuses of calls, one after the other. */
const statuses = async (times: number, ask: () => Promise<{ status: number }>): Promise<number[]> => {
  const found: number[] = [];
  for (let i = 0; i < times; i++) found.push((await ask()).status);
  return found;
};

/** A separate caller, whose token this process has verified. */
const verified = async (): Promise<Caller> => {
  const { call } = await test.identity({ organizationRole: 'admin', projectId, projectRole: 'admin' });
  expect((await call('GET', '/api/v1/identities/details', undefined, elsewhere())).status).toBe(200);
  return call;
};

describe('the rate limits of the instance', () => {
  it('are those of the operator where none is stored', async () => {
    const { status, body } = await root('GET', PATH);
    expect(status).toBe(200);
    expect(body.rateLimit).toEqual({
      id: expect.any(String),
      readRateLimit: CALLS,
      writeRateLimit: CALLS,
      secretsRateLimit: CALLS,
      authRateLimit: LOGINS,
      inviteUserRateLimit: CALLS,
      mfaRateLimit: CALLS,
      publicEndpointLimit: CALLS,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  it('are replaced, answered, and recorded with the values before and after', async () => {
    const limits = Object.fromEntries(RATE_LIMIT_CLASSES.map((name, i) => [name, 100 + i]));
    const { id } = (await root('GET', PATH)).body.rateLimit;
    expect(await put(limits)).toMatchObject({ id, ...limits });
    expect((await root('GET', PATH)).body.rateLimit).toMatchObject({ id, ...limits });
    const { rows } = await test.coffer.pool.query(
      `select data, published from audit_events where type = 'instance.rate_limits_updated' and organization_id = $1
       order by created_at desc, id desc limit 1`,
      [INSTANCE_LOG],
    );
    expect(rows).toEqual([{ data: { before: UNSET, after: limits }, published: 'update-rate-limits' }]);
    expect(await put({})).toMatchObject({ id, readRateLimit: CALLS, authRateLimit: LOGINS });
  });

  it('are recorded in the log of the instance, and in no organization, whichever the administrator belongs to', async () => {
    const { token } = await makeUser(test.coffer, { isSuperAdmin: true, organizationId: test.organizationId });
    expect((await test.as(token)('PUT', PATH, { ...UNSET, mfaRateLimit: 7 }, elsewhere())).status).toBe(200);
    const url = 'audit-logs?eventType=update-rate-limits';
    const { body } = await root('GET', `/api/v1/admin/${url}&limit=1`);
    expect(body.auditLogs).toMatchObject([{ event: { metadata: { after: { ...UNSET, mfaRateLimit: 7 } } } }]);
    expect((await test.admin('GET', `/api/v1/organization/${url}`)).body.auditLogs).toEqual([]);
  });

  it.each([
    ['a field is missing', { readRateLimit: undefined }],
    ['a number is negative', { writeRateLimit: -1 }],
    ['a number is no whole one', { secretsRateLimit: 1.5 }],
    ['a number is text', { mfaRateLimit: '5' }],
    ['a number is above a million', { publicEndpointLimit: 1_000_001 }],
    ['the limit of refused logins would allow guessing', { authRateLimit: 10_001 }],
  ])('stay where %s', async (_why, wrong) => {
    expect((await root('PUT', PATH, { ...UNSET, ...wrong })).status).toBe(422);
    expect((await root('GET', PATH)).body.rateLimit).toMatchObject({ readRateLimit: CALLS, authRateLimit: LOGINS });
  });

  it('are shown to and changed by super admins only', async () => {
    const { token } = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
    for (const call of [test.as(token), test.admin]) {
      expect((await call('GET', PATH)).status).toBe(403);
      expect((await call('PUT', PATH, UNSET)).status).toBe(403);
    }
    expect((await test.as()('GET', PATH)).status).toBe(401);
    expect((await test.as()('PUT', PATH, UNSET)).status).toBe(401);
  });
});

describe('a stored limit', () => {
  const project = (): string => `/api/v1/projects/${projectId}`;

  it.each([
    ['readRateLimit', 'projects', 'GET', '/api/v1/projects/PROJECT', undefined],
    ['writeRateLimit', 'projects', 'PATCH', '/api/v1/projects/PROJECT', { name: 'renamed' }],
    ['secretsRateLimit', 'secrets', 'GET', '/api/v4/secrets?projectId=PROJECT&environment=dev', undefined],
    [
      'secretsRateLimit',
      'secrets on an older path',
      'GET',
      '/api/v3/secrets/raw?workspaceId=PROJECT&environment=dev',
      undefined,
    ],
    [
      'inviteUserRateLimit',
      'invitations',
      'POST',
      '/api/v1/invite-org/signup',
      { inviteeEmails: ['ann@example.com'], organizationId: '' },
    ],
  ] as const)('%s of %s answers 429 with Retry-After beyond it', async (name, _what, method, path, body) => {
    const url = path.replace('PROJECT', projectId);
    const call = await verified();
    await put({ [name]: 2 });
    const sent = body && 'organizationId' in body ? { ...body, organizationId: test.organizationId } : body;
    // What was counted by the operator's limit does not count here.
    expect(await statuses(3, () => call(method, url, sent))).toEqual([200, 200, 429]);
    const refused = await call(method, url, sent);
    expect(refused.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/), 'x-ratelimit-limit': '2' });
    expect(refused.body).toMatchObject({ statusCode: 429, error: 'RateLimitExceeded' });
    const other = name === 'writeRateLimit' ? 'GET' : 'PATCH';
    expect((await call(other, project(), other === 'PATCH' ? { name: 'other' } : undefined)).status).toBe(200);
    expect((await (await verified())(method, url, sent)).status).toBe(200);
  });

  it('publicEndpointLimit counts the status, the documentation and ACME for the address', async () => {
    await put({ publicEndpointLimit: 3 });
    const here = elsewhere();
    const ask = async (url: string, at = here) => (await test.as()('GET', url, undefined, at)).status;
    expect([await ask('/api/status'), await ask('/api/docs/json')]).toEqual([200, 200]);
    const acme = `/api/v1/cert-manager/acme/${projectId}/directory`;
    expect([await ask(acme), await ask(acme)]).toEqual([404, 429]);
    expect([await ask('/api/status'), await ask('/api/status', elsewhere())]).toEqual([429, 200]);
  });

  it('authRateLimit counts refused logins and sign-ups, and no successful login', async () => {
    await put({ authRateLimit: 2 });
    const { id } = await test.identity();
    const method = `/api/v1/auth/universal-auth/identities/${id}`;
    const { clientId } = (await test.admin('POST', method, {})).body.identityUniversalAuth;
    const { clientSecret } = (await test.admin('POST', `${method}/client-secrets`, {})).body;
    const here = elsewhere();
    const logIn = (secret: string) => () =>
      test.as()('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret: secret }, here);
    expect(await statuses(3, logIn('guess'))).toEqual([401, 401, 429]);
    expect(await statuses(5, logIn(clientSecret))).toEqual([200, 200, 200, 200, 200]);
    const there = elsewhere();
    const signUp = () => test.as()('POST', '/api/v3/signup/email/signup', { email: 'a@example.com' }, there);
    expect((await statuses(3, signUp)).at(-1)).toBe(429);
  });

  it('mfaRateLimit limits nothing', async () => {
    const call = await verified();
    await put({ mfaRateLimit: 1 });
    expect(new Set(await statuses(5, () => call('GET', project())))).toEqual(new Set([200]));
  });

  it('of 0 is off', async () => {
    const call = await verified();
    await put({ readRateLimit: 1 });
    expect(await statuses(2, () => call('GET', project()))).toEqual([200, 429]);
    await put({ readRateLimit: 0 });
    expect(new Set(await statuses(5, () => call('GET', project())))).toEqual(new Set([200]));
  });

  it('counts each call of a tRPC batch in the class of its procedure', async () => {
    const call = await verified();
    await put({ secretsRateLimit: 3, readRateLimit: 100 });
    const input = encodeURIComponent(JSON.stringify({ projectId, environment: 'dev' }));
    expect((await call('GET', `/api/trpc/secrets.list?input=${input}`)).status).toBe(200);
    const inputs = encodeURIComponent(
      JSON.stringify({ 0: { projectId, environment: 'dev' }, 1: { projectId, environment: 'dev' } }),
    );
    const batch = `/api/trpc/secrets.list,secrets.list?batch=1&input=${inputs}`;
    expect(await statuses(2, () => call('GET', batch))).toEqual([200, 429]);
    expect((await call('GET', project())).status).toBe(200);
  });

  it('is applied in other processes within a second, and where one starts later', async () => {
    const running = await anotherProcess(test);
    const { token } = await test.identity({ organizationRole: 'admin', projectId, projectRole: 'admin' });
    const ask = async (server: typeof running) =>
      (await server.app.inject({ url: project(), headers: { authorization: `Bearer ${token}` } })).statusCode;
    expect(await ask(running)).toBe(200);
    await put({ readRateLimit: 1 });
    await expect.poll(() => ask(running)).toBe(429);
    const later = await anotherProcess(test);
    // The first request counts for the address, because this process has not verified the token yet.
    expect([await ask(later), await ask(later), await ask(later)]).toEqual([200, 200, 429]);
    await put({});
    await expect.poll(() => ask(running)).toBe(200);
    await Promise.all([running.close(), later.close()]);
  });

  it('costs no statement of the database per request', async () => {
    const call = await verified();
    await put({ readRateLimit: 1000, publicEndpointLimit: 1000 });
    const query = vi.spyOn(test.coffer.pool, 'query');
    onTestFinished(() => query.mockRestore());
    // The notification of the change can still arrive, and its limits are read once more then.
    const texts = async () => {
      query.mockClear();
      expect((await test.as()('GET', '/api/docs/json', undefined, elsewhere())).status).toBe(200);
      const ofPage = [...query.mock.calls];
      expect(await statuses(3, () => call('GET', project()))).toEqual([200, 200, 200]);
      const all = (query.mock.calls as unknown as [Statement][]).map(([{ text }]) => text);
      return [ofPage, all.filter((text) => text.includes('rate_limits'))];
    };
    await expect.poll(texts).toEqual([[], []]);
  });

  it('stays in force where a read of the stored limits fails, and follows when it succeeds again', async () => {
    const call = await verified();
    await put({ readRateLimit: 1 });
    await test.owner.query('alter table rate_limits rename to away');
    const before = applied.length;
    test.coffer.invalidate(['rate-limits']);
    expect((await statuses(3, () => call('GET', project()))).at(-1)).toBe(429);
    await test.owner.query('update away set read_limit = null');
    await test.owner.query('alter table away rename to rate_limits');
    await expect.poll(() => applied.length).toBeGreaterThan(before);
    expect((await call('GET', project())).status).toBe(200);
  });
});
