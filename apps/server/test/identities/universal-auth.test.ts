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

const LOGIN = '/api/v1/auth/universal-auth/login';
const methodOf = (identityId: string) => `/api/v1/auth/universal-auth/identities/${identityId}`;
const secretsOf = (identityId: string) => `${methodOf(identityId)}/client-secrets`;

async function identity(): Promise<string> {
  const { body } = await test.admin('POST', '/api/v1/identities', {
    name: 'ci',
    organizationId: test.organizationId,
    role: 'member',
  });
  return body.identity.id;
}

/** An identity with universal auth and one client secret. */
async function client(settings: object = {}, secret: object = {}) {
  const identityId = await identity();
  const attached = await test.admin('POST', methodOf(identityId), settings);
  expect(attached.status, JSON.stringify(attached.body)).toBe(200);
  const { clientId } = attached.body.identityUniversalAuth;
  const created = await test.admin('POST', secretsOf(identityId), secret);
  const { clientSecret, clientSecretData } = created.body;
  const logIn = (given: object = {}, headers?: Record<string, string>) =>
    anyone('POST', LOGIN, { clientId, clientSecret, ...given }, headers);
  return { identityId, clientId, clientSecret, secretId: clientSecretData.id as string, logIn };
}

const repeat = (times: number, call: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: times }, (_, index) => call(index)));
const withStatus = (answers: readonly Answer[], status: number) => answers.filter((answer) => answer.status === status);
const details = '/api/v1/identities/details';
const works = async (token: string) => (await test.as(token)('GET', details)).status;
/** An answer's body without what differs by request. */
const bodyOf = ({ body: { reqId: _, ...body } }: Answer) => body;
const never = (id: string) => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;

describe('attaching universal auth', () => {
  it('answers the published shape, with the published defaults', async () => {
    const identityId = await identity();
    const { status, body } = await test.admin('POST', methodOf(identityId), {});
    expect(status).toBe(200);
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const anywhere = [
      { ipAddress: '0.0.0.0', type: 'ipv4', prefix: 0 },
      { ipAddress: '::', type: 'ipv6', prefix: 0 },
    ];
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(body).toEqual({
      identityUniversalAuth: {
        id: uuid,
        identityId,
        clientId: uuid,
        accessTokenTTL: 2592000,
        accessTokenMaxTTL: 2592000,
        accessTokenNumUsesLimit: 0,
        accessTokenPeriod: 0,
        accessTokenTrustedIps: anywhere,
        clientSecretTrustedIps: anywhere,
        lockoutEnabled: true,
        lockoutThreshold: 3,
        lockoutDurationSeconds: 300,
        lockoutCounterResetSeconds: 30,
        createdAt: time,
        updatedAt: time,
      },
      warnings: [],
    });
    expect((await test.admin('GET', methodOf(identityId))).body).toEqual(body);
    const got = await test.admin('GET', `/api/v1/identities/${identityId}`);
    expect(got.body.identity.identity.authMethods).toEqual(['universal-auth']);
  });
});

describe('client secrets', () => {
  it('are created and returned once, in the published shape', async () => {
    const identityId = await identity();
    const { body: attached } = await test.admin('POST', methodOf(identityId), {});
    const { status, body } = await test.admin('POST', secretsOf(identityId), {
      description: ' ci ',
      numUsesLimit: 5,
      ttl: 60,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      clientSecret: expect.stringMatching(/^[0-9a-f]{64}$/),
      clientSecretData: {
        id: expect.any(String),
        description: 'ci',
        clientSecretPrefix: body.clientSecret.slice(0, 4),
        clientSecretNumUses: 0,
        clientSecretNumUsesLimit: 5,
        clientSecretTTL: 60,
        identityUAId: attached.identityUniversalAuth.id,
        isClientSecretRevoked: false,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
    expect((await test.admin('GET', secretsOf(identityId))).body).toEqual({
      clientSecretData: [body.clientSecretData],
    });
    const one = await test.admin('GET', `${secretsOf(identityId)}/${body.clientSecretData.id}`);
    expect(one.body).toEqual({ clientSecretData: body.clientSecretData });
  });

  it('take whole numbers within their bounds only', async () => {
    const { identityId } = await client();
    for (const wrong of [
      { ttl: 0.5 },
      { ttl: -1 },
      { ttl: 315360001 },
      { numUsesLimit: 1.5 },
      { numUsesLimit: -1 },
      { numUsesLimit: 2 ** 31 },
      { ttl: '60' },
    ]) {
      expect([wrong, (await test.admin('POST', secretsOf(identityId), wrong)).status]).toEqual([wrong, 422]);
    }
    expect(
      (await test.admin('POST', secretsOf(identityId), { ttl: 315360000, numUsesLimit: 2 ** 31 - 1 })).status,
    ).toBe(200);
  });

  it('are refused for an identity without universal auth', async () => {
    const identityId = await identity();
    for (const [method, url] of [
      ['POST', secretsOf(identityId)],
      ['GET', secretsOf(identityId)],
      ['GET', `${secretsOf(identityId)}/${newId()}`],
    ] as const) {
      expect((await test.admin(method, url, method === 'POST' ? {} : undefined)).status).toBe(400);
    }
  });

  it('are never returned again: neither in lists nor in the database', async () => {
    const { identityId, clientSecret, logIn } = await client();
    const { accessToken } = (await logIn()).body;
    const list = await test.admin('GET', secretsOf(identityId));
    expect(JSON.stringify(list.body)).not.toContain(clientSecret);
    const { rows } = await test.coffer.pool.query(
      `select (select string_agg(t::text, '') from client_secrets t) || (select string_agg(t::text, '') from identity_access_tokens t)
         || (select string_agg(t::text, '') from audit_events t) as everything`,
    );
    expect(rows[0].everything).not.toContain(clientSecret);
    expect(rows[0].everything).not.toContain(accessToken);
  });
});

describe('logging in by universal auth', () => {
  it('returns a token that works, for its identity', async () => {
    const { identityId, logIn } = await client({ accessTokenTTL: 600, accessTokenMaxTTL: 3600 });
    const { status, body } = await logIn();
    expect(status).toBe(200);
    expect(body).toEqual({
      accessToken: expect.any(String),
      expiresIn: 600,
      accessTokenMaxTTL: 3600,
      tokenType: 'Bearer',
    });
    const own = await test.as(body.accessToken)('GET', details);
    expect(own.body.identity.id).toBe(identityId);
  });

  it('accepts forms, a slash at the end of the path and unknown fields', async () => {
    const { clientId, clientSecret } = await client();
    const form = new URLSearchParams({ clientId, clientSecret, organizationSlug: 'acme' }).toString();
    const answer = await test.app.inject({
      method: 'POST',
      url: `${LOGIN}/`,
      payload: form,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().tokenType).toBe('Bearer');
  });

  it('records one event, with the identity as actor', async () => {
    const { identityId, logIn } = await client();
    await logIn();
    const { rows } = await test.coffer.pool.query(
      `select published, actor_type, organization_id, data from audit_events where actor_id = $1`,
      [identityId],
    );
    expect(rows).toEqual([
      {
        published: 'login-identity-universal-auth',
        actor_type: 'identity',
        organization_id: test.organizationId,
        data: { identityId, authMethodId: expect.any(String), clientSecretId: expect.any(String) },
      },
    ]);
  });

  it('gives each of many concurrent logins its own token and event, and refuses those with a wrong secret', async () => {
    const clients = [await client(), await client()];
    const logins = clients.flatMap(({ identityId, clientSecret, logIn }) =>
      Array.from({ length: 9 }, async (_, index) => {
        const isWrong = index % 3 === 1;
        const { status, body } = await logIn(isWrong ? { clientSecret: never(clientSecret) } : {});
        expect(status).toBe(isWrong ? 401 : 200);
        if (isWrong) return [];
        expect((await test.as(body.accessToken)('GET', details)).body.identity.id).toBe(identityId);
        return [body.accessToken];
      }),
    );
    expect(new Set((await Promise.all(logins)).flat()).size).toBe(12);
    const { rows } = await test.coffer.pool.query(
      `select actor_id, count(*)::integer as logins from audit_events
       where actor_id = any($1) and published = 'login-identity-universal-auth' group by 1`,
      [clients.map(({ identityId }) => identityId)],
    );
    expect(rows.map(({ logins: count }) => count)).toEqual([6, 6]);
  });

  it('does not wait while the method of another identity is locked', async () => {
    const [locked, free] = [await client(), await client()];
    const holder = await test.coffer.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from identity_auth_methods where identity_id = $1 for update', [locked.identityId]);
    const waiting = locked.logIn();
    expect((await free.logIn()).status).toBe(200);
    await holder.query('rollback');
    holder.release();
    expect((await waiting).status).toBe(200);
  });

  it('refuses an unknown client and a wrong secret with the same status and body', async () => {
    const { clientId, clientSecret, logIn } = await client();
    const wrongSecret = await logIn({ clientSecret: never(clientSecret) });
    const answers = [
      wrongSecret,
      await logIn({ clientId: newId() }),
      await logIn({ clientId: 'nonsense' }),
      await logIn({ clientId: '\u0000' }),
      await logIn({ clientId: newId(), clientSecret: 'x' }),
      await logIn({ clientSecret: '' }),
      await logIn({ clientId: `${clientId}x` }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(bodyOf(answer)).toEqual(bodyOf(wrongSecret));
    }
  });

  it('asks for both fields, as text', async () => {
    const { clientId, clientSecret } = await client();
    for (const body of [
      {},
      { clientId },
      { clientSecret },
      { clientId, clientSecret: 5 },
      { clientId: [clientId], clientSecret },
    ]) {
      expect((await anyone('POST', LOGIN, body)).status).toBe(422);
    }
  });

  it('accepts the client ID in upper case, too', async () => {
    const { clientId, logIn } = await client();
    expect((await logIn({ clientId: clientId.toUpperCase() })).status).toBe(200);
  });

  it('counts logins', async () => {
    const { identityId, secretId, logIn } = await client();
    await repeat(5, () => logIn());
    const { body } = await test.admin('GET', `${secretsOf(identityId)}/${secretId}`);
    expect(body.clientSecretData.clientSecretNumUses).toBe(5);
  });

  it('is refused from an untrusted address, and wrong secrets from there lock nobody out', async () => {
    const { logIn, clientSecret } = await client({ clientSecretTrustedIps: [{ ipAddress: '10.1.2.3' }] });
    expect((await logIn()).status).toBe(403);
    const away = await client();
    await test.admin('PATCH', methodOf(away.identityId), { clientSecretTrustedIps: [{ ipAddress: '10.1.2.3' }] });
    for (let i = 0; i < 5; i++) expect((await away.logIn({ clientSecret: never(clientSecret) })).status).toBe(401);
    await test.admin('PATCH', methodOf(away.identityId), { clientSecretTrustedIps: [{ ipAddress: '127.0.0.0/8' }] });
    expect((await away.logIn()).status).toBe(200);
  });
});

describe('a client secret with a use limit', () => {
  it('admits exactly the maximum of four times as many parallel logins, round after round', async () => {
    const { identityId } = await client();
    const { body: attached } = await test.admin('GET', methodOf(identityId));
    const { clientId } = attached.identityUniversalAuth;
    for (let round = 0; round < 25; round++) {
      const limit = 1 + (round % 4);
      const { body } = await test.admin('POST', secretsOf(identityId), { numUsesLimit: limit });
      const answers = await repeat(4 * limit, () =>
        anyone('POST', LOGIN, { clientId, clientSecret: body.clientSecret }),
      );
      expect([withStatus(answers, 200).length, withStatus(answers, 401).length]).toEqual([limit, 3 * limit]);
      const { body: after } = await test.admin('GET', `${secretsOf(identityId)}/${body.clientSecretData.id}`);
      expect(after.clientSecretData).toMatchObject({ clientSecretNumUses: limit, isClientSecretRevoked: true });
    }
  });

  it('keeps its issued tokens valid', async () => {
    const { identityId, logIn } = await client({}, { numUsesLimit: 1 });
    const { accessToken } = (await logIn()).body;
    expect((await logIn()).status).toBe(401);
    expect((await test.admin('GET', secretsOf(identityId))).body.clientSecretData).toEqual([]);
    expect(await works(accessToken)).toBe(200);
  });

  it('does not lock the client when it is used up', async () => {
    const { identityId, clientId, logIn } = await client({}, { numUsesLimit: 1 });
    await repeat(10, () => logIn());
    const { body } = await test.admin('POST', secretsOf(identityId), {});
    expect((await anyone('POST', LOGIN, { clientId, clientSecret: body.clientSecret })).status).toBe(200);
  });
});

describe('a client secret with a TTL', () => {
  it('expires exactly on time, without cleanup, and is marked as revoked by the next attempt', async () => {
    const { identityId, secretId, logIn } = await client({}, { ttl: 3600 });
    const secret = `${secretsOf(identityId)}/${secretId}`;
    const created = new Date((await test.admin('GET', secret)).body.clientSecretData.createdAt).getTime();
    setTime(created + 3_600_000 - 1);
    expect((await logIn()).status).toBe(200);
    setTime(created + 3_600_000);
    expect((await test.admin('GET', secret)).body.clientSecretData.isClientSecretRevoked).toBe(false);
    expect((await logIn()).status).toBe(401);
    expect((await test.admin('GET', secret)).body.clientSecretData.isClientSecretRevoked).toBe(true);
  });
});

describe('revoking a client secret', () => {
  it('ends its logins and issued tokens, immediately, and no others', async () => {
    const { identityId, clientId, secretId, logIn } = await client();
    const other = await test.admin('POST', secretsOf(identityId), {});
    const otherLogin = () => anyone('POST', LOGIN, { clientId, clientSecret: other.body.clientSecret });
    const [mine, others] = [(await logIn()).body.accessToken, (await otherLogin()).body.accessToken];
    expect([await works(mine), await works(others)]).toEqual([200, 200]);
    const revoked = await test.admin('POST', `${secretsOf(identityId)}/${secretId}/revoke`);
    expect(revoked.status).toBe(200);
    expect(revoked.body.clientSecretData).toMatchObject({ id: secretId, isClientSecretRevoked: true });
    expect([await works(mine), await works(others)]).toEqual([401, 200]);
    expect((await logIn()).status).toBe(401);
    expect((await otherLogin()).status).toBe(200);
    expect(
      (await test.admin('GET', secretsOf(identityId))).body.clientSecretData.map(({ id }: { id: string }) => id),
    ).toEqual([other.body.clientSecretData.id]);
    expect((await test.admin('POST', `${secretsOf(identityId)}/${secretId}/revoke`)).status).toBe(400);
  });

  it('leaves no valid token that was issued during the revocation', async () => {
    for (let round = 0; round < 10; round++) {
      const { identityId, secretId, logIn } = await client();
      const [revoked, ...answers] = await Promise.all([
        test.admin('POST', `${secretsOf(identityId)}/${secretId}/revoke`),
        ...Array.from({ length: 6 }, () => logIn()),
      ]);
      expect(revoked.status).toBe(200);
      for (const { body } of withStatus(answers, 200)) expect(await works(body.accessToken)).toBe(401);
    }
  });

  it('also ends the tokens of a secret that was used up before', async () => {
    const { identityId, secretId, logIn } = await client({}, { numUsesLimit: 1 });
    const { accessToken } = (await logIn()).body;
    await logIn();
    expect(await works(accessToken)).toBe(200);
    expect((await test.admin('POST', `${secretsOf(identityId)}/${secretId}/revoke`)).status).toBe(200);
    expect(await works(accessToken)).toBe(401);
  });
});

describe('wrong client secrets', () => {
  const wrong = { clientSecret: '0'.repeat(64) };

  it('never lock out the right one, which keeps its uses', async () => {
    const { identityId, secretId, logIn } = await client({ lockoutThreshold: 1 }, { numUsesLimit: 2 });
    await repeat(40, () => logIn(wrong));
    expect((await logIn()).status).toBe(200);
    const mixed = await repeat(20, (index) => logIn(index === 7 ? {} : wrong));
    expect(withStatus(mixed, 200)).toHaveLength(1);
    const { body } = await test.admin('GET', `${secretsOf(identityId)}/${secretId}`);
    expect(body.clientSecretData).toMatchObject({ clientSecretNumUses: 2 });
  });

  it('get the same response before and after the threshold', async () => {
    const { logIn } = await client();
    const refusals = await repeat(8, () => logIn(wrong));
    expect(new Set(refusals.map((answer) => JSON.stringify([answer.status, bodyOf(answer)]))).size).toBe(1);
  });

  it('are counted, each of many parallel ones', async () => {
    const { clientId, logIn } = await client({ lockoutThreshold: 30 });
    await repeat(29, () => logIn(wrong));
    const counted = async () => {
      const { rows } = await test.coffer.pool.query(
        'select failures, locked_until is not null as is_locked from lockouts where subject = $1',
        [`universal-auth:${clientId}`],
      );
      return rows[0];
    };
    expect(await counted()).toEqual({ failures: 29, is_locked: false });
    await repeat(40, () => logIn(wrong));
    expect(await counted()).toEqual({ failures: 30, is_locked: true });
  });

  it('takes only what the published bounds allow', async () => {
    const { identityId } = await client();
    for (const [field, low, high] of [
      ['lockoutThreshold', 1, 30],
      ['lockoutDurationSeconds', 30, 86400],
      ['lockoutCounterResetSeconds', 5, 3600],
    ] as const) {
      for (const [value, status] of [
        [low, 200],
        [high, 200],
        [low - 1, 422],
        [high + 1, 422],
      ] as const) {
        expect([field, value, (await test.admin('PATCH', methodOf(identityId), { [field]: value })).status]).toEqual([
          field,
          value,
          status,
        ]);
      }
    }
  });
});

describe('client secrets of others', () => {
  it('are unknown to another organization', async () => {
    const { identityId, secretId } = await client();
    const foreign = await test.foreign();
    const unknown = newId();
    for (const [method, url] of [
      ['POST', (id: string) => secretsOf(id)],
      ['GET', (id: string) => secretsOf(id)],
      ['GET', (id: string) => `${secretsOf(id)}/${secretId}`],
      ['POST', (id: string) => `${secretsOf(id)}/${secretId}/revoke`],
    ] as const) {
      const body = method === 'POST' ? {} : undefined;
      const [theirs, none, noId] = [
        await foreign.call(method, url(identityId), body),
        await foreign.call(method, url(unknown), body),
        await foreign.call(method, url('no-id'), body),
      ];
      expect([theirs.status, none.status, noId.status]).toEqual([404, 404, 404]);
      expect(bodyOf(theirs)).toEqual(bodyOf(none));
      expect(bodyOf(noId)).toEqual(bodyOf(none));
    }
  });

  it('are not found through another identity of the same organization', async () => {
    const { secretId } = await client();
    const other = await client();
    expect((await test.admin('GET', `${secretsOf(other.identityId)}/${secretId}`)).status).toBe(404);
    expect((await test.admin('POST', `${secretsOf(other.identityId)}/${secretId}/revoke`)).status).toBe(404);
    for (const id of ['x', newId()]) {
      expect((await test.admin('GET', `${secretsOf(other.identityId)}/${id}`)).status).toBe(404);
      expect((await test.admin('POST', `${secretsOf(other.identityId)}/${id}/revoke`)).status).toBe(404);
    }
  });

  it('need a token, and the right to them', async () => {
    const { identityId, secretId } = await client();
    const { call: powerless } = await test.identity({ organizationRole: 'no-access' });
    for (const [method, url] of [
      ['POST', secretsOf(identityId)],
      ['GET', secretsOf(identityId)],
      ['GET', `${secretsOf(identityId)}/${secretId}`],
      ['POST', `${secretsOf(identityId)}/${secretId}/revoke`],
    ] as const) {
      const body = method === 'POST' ? {} : undefined;
      expect((await anyone(method, url, body)).status).toBe(401);
      expect((await powerless(method, url, body)).body).toMatchObject({ statusCode: 403, error: 'PermissionDenied' });
    }
  });

  it('are not issued or revoked by callers with fewer rights than the identity', async () => {
    const { identityId, secretId, logIn } = await client();
    await test.admin('PATCH', `/api/v1/identities/${identityId}`, { role: 'admin' });
    const { call: member } = await test.identity({ organizationRole: 'member' });
    expect((await member('GET', `${secretsOf(identityId)}/${secretId}`)).status).toBe(200);
    for (const url of [secretsOf(identityId), `${secretsOf(identityId)}/${secretId}/revoke`]) {
      expect((await member('POST', url, {})).body).toMatchObject({ statusCode: 403, error: 'PermissionBoundaryError' });
    }
    expect((await logIn()).status).toBe(200);
  });
});
