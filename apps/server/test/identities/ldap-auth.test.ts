import { createOutbound, parseCidrs } from '@coffer/domain';
import {
  slapdServer,
  LDAP_ACCOUNT,
  LDAP_BASE,
  makeAuthority,
  startSlapd,
  type Slapd,
  type LoginMethodCase,
} from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeLoginMethod, loginMethodWorld } from '../harness/login-method.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
let test: TestServer;
beforeAll(async () => {
  test = await testServer({ connect: outbound.connect });
});
afterAll(async () => {
  await test.close();
  await outbound.close();
});

const LOGIN = '/api/v1/auth/ldap-auth/login';
const ca = makeAuthority('Directory').cert.trim();

describe.skipIf(slapdServer.isMissing)(`LDAP auth with a real directory${slapdServer.orSkipped}`, () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd();
  });
  afterAll(() => slapd.stop());

  const least = () => ({ url: slapd.url, ...LDAP_ACCOUNT, searchBase: `ou=people,${LDAP_BASE}` });
  const ldap: LoginMethodCase = {
    kind: 'ldap-auth',
    key: 'identityLdapAuth',
    least,
    answered: () => ({
      ...least(),
      searchFilter: '(uid={{username}})',
      allowedFields: [],
      ldapCaCertificate: '',
      lockoutEnabled: true,
      lockoutThreshold: 3,
      lockoutDurationSeconds: 300,
      lockoutCounterResetSeconds: 30,
    }),
    // The fields of the target are updated below.
    changes: () => ({
      bindDN: 'cn=other,dc=example,dc=com',
      bindPass: 'another password',
      searchBase: 'dc=example,dc=org',
      searchFilter: '(&(objectClass=person)(mail={{username}}))',
      allowedFields: [{ key: 'departmentNumber', value: 'ops, dev' }],
      lockoutEnabled: false,
      lockoutThreshold: 30,
      lockoutDurationSeconds: 86_400,
      lockoutCounterResetSeconds: 3600,
    }),
    sealed: ['bindDN', 'bindPass', 'ldapCaCertificate'],
    refused: () => [
      [{ url: '', bindPass: 'x' }, 422],
      [{ url: 'ldap.example.com', bindPass: 'x' }, 422],
      [{ url: 'https://ldap.example.com', bindPass: 'x' }, 422],
      [{ url: 'ldap://user:word@ldap.example.com', bindPass: 'x' }, 422],
      [{ url: 'ldap://ldap.example.com/dc=example', bindPass: 'x' }, 422],
      [{ bindDN: '' }, 422],
      [{ bindPass: '' }, 422],
      [{ bindPass: null }, 422],
      [{ searchBase: 'a\u0000b' }, 422],
      [{ searchFilter: '' }, 400],
      [{ searchFilter: '(uid=alice)' }, 400],
      [{ searchFilter: '({{username}}=*)' }, 400],
      [{ searchFilter: '(uid={{username}}' }, 400],
      [{ searchFilter: 'x'.repeat(2049) }, 422],
      [{ allowedFields: 'departmentNumber=ops' }, 422],
      [{ allowedFields: [{ key: 'departmentNumber' }] }, 422],
      [{ allowedFields: [{ key: 'departmentNumber', value: ' , ' }] }, 422],
      [{ ldapCaCertificate: 'no certificate', bindPass: 'x' }, 422],
      [{ lockoutThreshold: 0 }, 422],
      [{ lockoutThreshold: 31 }, 422],
      [{ lockoutDurationSeconds: 29 }, 422],
      [{ lockoutCounterResetSeconds: 4 }, 422],
      [{ lockoutEnabled: 'yes' }, 422],
      [{ templateId: '018f0000-0000-7000-8000-000000000000' }, 422],
    ],
    notAttached: { GET: 400, PATCH: 400, DELETE: 400 },
    proof: async () => ({ username: 'alice', password: 'password of alice' }),
  };
  const { attached, urlOf, identity } = loginMethodWorld(() => test, ldap);
  const wrong = { username: 'alice', password: 'x' };
  const right = { username: 'alice', password: 'password of alice' };

  describeLoginMethod(() => test, ldap);

  it('wants a max TTL when it is attached, and only then', async () => {
    const bare = urlOf(await identity());
    const endless = { accessTokenTTL: 0, accessTokenMaxTTL: 0 };
    expect((await test.admin('POST', bare, { ...least(), ...endless })).status).toBe(422);
    const { url } = await attached();
    expect((await test.admin('PATCH', url, endless)).status).toBe(200);
  });

  it('names the alternative to a template', async () => {
    const templateId = '018f0000-0000-7000-8000-000000000000';
    const { status, body } = await test.admin('POST', urlOf(await identity()), { templateId });
    expect(status).toBe(422);
    expect(body.message).toContainEqual(
      expect.objectContaining({
        path: ['templateId'],
        message: expect.stringContaining('Templates are not supported'),
      }),
    );
  });

  it('requires the password of the account if its target changes', async () => {
    const { url, first, logIn } = await attached();
    for (const change of [{ url: 'ldap://evil.example.com' }, { ldapCaCertificate: ca }]) {
      const { status, body } = await test.admin('PATCH', url, change);
      expect([status, body.message]).toEqual([400, expect.stringContaining('bindPass')]);
    }
    expect((await test.admin('GET', url)).body.identityLdapAuth).toEqual(first);
    const secure = { url: slapd.secureUrl, ldapCaCertificate: slapd.ca.trim(), bindPass: LDAP_ACCOUNT.bindPass };
    expect((await test.admin('PATCH', url, secure)).body.identityLdapAuth).toMatchObject(secure);
    expect((await logIn()).status).toBe(200);
    const startTls = { ...secure, url: slapd.url };
    expect((await test.admin('PATCH', url, startTls)).status).toBe(200);
    expect((await logIn()).status).toBe(200);
  });

  it('refuses an unknown user and a wrong password with the same answer, and stores the user with the token', async () => {
    const { identityId, logIn } = await attached();
    const answers = [
      await logIn(wrong),
      await logIn({ username: 'nobody', password: 'x' }),
      await logIn({ username: '*', password: 'password of alice' }),
      await logIn({ username: 'alice)(uid=*', password: 'password of alice' }),
      await logIn({ username: 'bob', password: '' }),
    ];
    const bodies = answers.map(({ body: { reqId: _, ...body } }) => body);
    expect(bodies).toEqual(
      bodies.map(() => ({ statusCode: 401, error: 'UnauthorizedError', message: bodies[0].message })),
    );
    expect((await logIn()).status).toBe(200);
    const { rows } = await test.coffer.pool.query('select claims from identity_access_tokens where identity_id = $1', [
      identityId,
    ]);
    expect(rows).toEqual([{ claims: { ldap: { dn: `uid=alice,ou=people,${LDAP_BASE}` } } }]);
  });

  it('requires the configured fields of a user', async () => {
    const { logIn, url } = await attached({ allowedFields: [{ key: 'title', value: 'Architect' }] });
    expect((await logIn()).status).toBe(403);
    expect((await logIn(wrong)).status).toBe(401);
    await test.admin('PATCH', url, { allowedFields: [{ key: 'title', value: 'Architect, Engineer' }] });
    expect((await logIn()).status).toBe(200);
  });

  it('delays guesses at a user in every spelling and by every name, at this identity alone', async () => {
    const searchFilter = '(|(uid={{username}})(mail={{username}}))';
    const [here, there] = [await attached({ searchFilter }), await attached({ searchFilter })];
    for (const username of ['alice', 'ALICE@example.com', '  alice@EXAMPLE.com '])
      expect((await here.logIn({ ...wrong, username })).status).toBe(401);
    for (const username of ['alice', ' Alice', 'alice@example.com']) {
      const { status, body, headers } = await here.logIn({ ...right, username });
      expect([username, status, body.message]).toEqual([username, 429, expect.stringContaining('Too many failed')]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(290);
    }
    expect((await here.logIn({ username: 'bob', password: 'password of bob' })).status).toBe(200);
    expect((await there.logIn()).status).toBe(200);
    test.advance(300_000);
    expect((await here.logIn()).status).toBe(200);
  });

  it('counts many parallel guesses, all of them', async () => {
    const { logIn } = await attached();
    const answers = await Promise.all(Array.from({ length: 12 }, () => logIn(wrong)));
    const heard = answers.filter(({ status }) => status === 401);
    // Attempts that are running when the threshold is reached.
    expect(heard.length).toBeLessThanOrEqual(6);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(12 - heard.length);
    expect((await logIn()).status).toBe(429);
  });

  it('locks no one if guesses are not counted, and does not count guesses that did not reach the directory', async () => {
    const { logIn, url } = await attached({ lockoutEnabled: false });
    for (let i = 0; i < 5; i++) expect((await logIn(wrong)).status).toBe(401);
    expect((await logIn()).status).toBe(200);
    await test.admin('PATCH', url, { lockoutEnabled: true, bindPass: 'false' });
    for (let i = 0; i < 5; i++) {
      const { status, body } = await logIn();
      expect([status, body.message]).toEqual([400, expect.stringContaining('did not answer as expected')]);
    }
    await test.admin('PATCH', url, { bindPass: LDAP_ACCOUNT.bindPass });
    expect((await logIn()).status).toBe(200);
  });

  it.each([
    ['where guesses at a user delay', true],
    ['where they delay nobody', false],
  ])('delays an address that guesses at many users, before the directory is asked: %s', async (_, lockoutEnabled) => {
    const other = await testServer({ connect: outbound.connect, clock: 'standing' }, { isTrustedProxy: () => true });
    try {
      const { identity: made, attached: attach } = loginMethodWorld(() => other, ldap);
      const [here, there, at] = [await attach({ lockoutEnabled }), await attach({ lockoutEnabled }), '192.0.2.1'];
      const logIn = async (identityId: string, proof: object, from = at) => {
        const headers = { 'x-forwarded-for': from };
        return (await other.as()('POST', LOGIN, { identityId, ...proof }, headers)).status;
      };
      const bob = { username: 'bob', password: 'password of bob' };
      expect(await logIn(here.identityId, bob)).toBe(200);
      const spray = (i: number) => logIn((i % 2 ? here : there).identityId, { username: `user${i}`, password: 'x' });
      const statuses: number[] = [];
      for (let i = 0; i < 300; i += 4)
        statuses.push(...(await Promise.all([0, 1, 2, 3].map((more) => spray(i + more)))));
      expect(new Set(statuses)).toEqual(new Set([401]));
      const before = slapd.binds().length;
      for (const { identityId } of [here, there])
        for (const proof of [right, { username: 'nobody', password: 'x' }])
          expect(await logIn(identityId, proof)).toBe(429);
      expect(slapd.binds().length).toBe(before);
      // Who has logged in from there, other addresses, and machines with another method do not wait.
      expect(await logIn(here.identityId, bob)).toBe(200);
      expect(await logIn(here.identityId, right, '192.0.2.2')).toBe(200);
      const universal = `/api/v1/auth/universal-auth/identities/${await made()}`;
      const { clientId } = (await other.admin('POST', universal, {})).body.identityUniversalAuth;
      const { clientSecret } = (await other.admin('POST', `${universal}/client-secrets`, {})).body;
      const machine = await other.as()(
        'POST',
        '/api/v1/auth/universal-auth/login',
        { clientId, clientSecret },
        { 'x-forwarded-for': at },
      );
      expect(machine.status).toBe(200);
      other.advance(2_000);
      expect(await logIn(here.identityId, right)).toBe(200);
    } finally {
      await other.close();
    }
  });

  it('records refusals', async () => {
    const { identityId, logIn } = await attached();
    await logIn(wrong);
    const noted = async () => {
      const { rows } = await test.coffer.pool.query<{ published: string }>(
        `select published from audit_events where data ->> 'identityId' = $1 and published like '%login%'`,
        [identityId],
      );
      return rows.map(({ published }) => published);
    };
    expect(await noted()).toEqual(['fail-login-identity-ldap-auth']);
  });

  it('answers 400 for an unreachable or private directory without delaying other logins, and names no inner address', async () => {
    const { logIn, url } = await attached();
    for (const other of [
      'ldap://127.0.0.1:1',
      'ldap://10.0.0.1',
      'ldap://169.254.169.254',
      `ldaps://127.0.0.1:${new URL(slapd.url).port}`,
    ]) {
      await test.admin('PATCH', url, { url: other, bindPass: 'x' });
      const { status, body } = await logIn();
      expect([other, status, body.error]).toEqual([other, 400, 'BadRequest']);
      expect(JSON.stringify(body)).not.toContain('password');
    }
  });

  it('asks for name and password, as text', async () => {
    const { identityId } = await attached();
    for (const body of [
      { password: 'x' },
      { username: 'alice' },
      { username: '', password: 'x' },
      { username: ['alice'], password: 'x' },
      { username: 'alice', password: null },
      { username: 'x'.repeat(1025), password: 'x' },
    ])
      expect([body, (await test.as()('POST', LOGIN, { identityId, ...body })).status]).toEqual([body, 422]);
  });
});
