import {
  AUDIENCE,
  rejectedCredentials,
  IdentityProvider,
  sampleOf,
  signedBy,
  StandIns,
  type LoginMethodCase,
} from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeLoginMethod, loginMethodWorld } from '../harness/login-method.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const standIns = new StandIns();
let test: TestServer;
let provider: IdentityProvider;
beforeAll(async () => {
  provider = await IdentityProvider.start(standIns);
  test = await testServer({ fetch: standIns.fetch });
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

const oidc: LoginMethodCase = {
  kind: 'oidc-auth',
  key: 'identityOidcAuth',
  least: () => ({ oidcDiscoveryUrl: provider.issuer, boundIssuer: provider.issuer }),
  binding: () => ({ boundClaims: { groups: 'deployers' } }),
  answered: () => ({
    oidcDiscoveryUrl: provider.issuer,
    boundIssuer: provider.issuer,
    boundAudiences: '',
    boundClaims: { groups: 'deployers' },
    claimMetadataMapping: null,
    boundSubject: '',
    caCert: '',
  }),
  changes: () => ({
    oidcDiscoveryUrl: 'https://other.example.com/realm',
    boundIssuer: 'https://other.example.com/realm/',
    boundAudiences: 'coffer, vault',
    boundClaims: { 'repository.owner': 'acme' },
    claimMetadataMapping: { repo: 'repository.name' },
    boundSubject: 'repo:acme/*',
    caCert: standIns.authority.cert.trim(),
  }),
  sealed: ['caCert'],
  refused: () => [
    [{ oidcDiscoveryUrl: '' }, 422],
    [{ oidcDiscoveryUrl: 'idp.example.com' }, 422],
    [{ oidcDiscoveryUrl: 'http://idp.example.com' }, 422],
    [{ oidcDiscoveryUrl: 'https://me:secret@idp.example.com' }, 422],
    [{ oidcDiscoveryUrl: `https://idp.example.com/${'x'.repeat(2048)}` }, 422],
    [{ boundIssuer: ' ' }, 422],
    [{ boundIssuer: 'a\0b' }, 422],
    [{ boundAudiences: ['coffer'] }, 422],
    [{ boundAudiences: 'fine, [' }, 400],
    [{ boundAudiences: 'a,'.repeat(101) }, 422],
    [{ boundClaims: { ref: '*,'.repeat(101) } }, 422],
    [{ boundSubject: '!main' }, 400],
    [{ boundSubject: 'x'.repeat(2049) }, 422],
    [{ boundClaims: { ref: '(main)' } }, 400],
    [{ boundClaims: { ref: ['main'] } }, 422],
    [{ boundClaims: { ref: '' } }, 422],
    [{ boundClaims: { 'a\0b': 'x' } }, 422],
    [{ boundClaims: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`claim-${at}`, 'x'])) }, 422],
    [{ claimMetadataMapping: { name: '' } }, 422],
    [{ caCert: 'no certificate' }, 422],
  ],
  notAttached: { GET: 400, PATCH: 400, DELETE: 400 },
  proof: async () => ({ jwt: await provider.token() }),
};

describe('OIDC auth', () => {
  describeLoginMethod(() => test, oidc);
});

describe('logging in by a token of an OpenID provider', () => {
  const { attached } = loginMethodWorld(() => test, oidc);
  const bound = {
    boundAudiences: AUDIENCE,
    boundSubject: 'deploy-*',
    boundClaims: { groups: 'deployers', 'repository.owner': 'acme' },
    claimMetadataMapping: { repo: 'repository.name' },
  };

  it('binds mapped claims to the issued token, and never returns them', async () => {
    const { identityId, logIn } = await attached(bound);
    const { status, body } = await logIn();
    expect({ status, keys: Object.keys(body).toSorted() }).toEqual({
      status: 200,
      keys: ['accessToken', 'accessTokenMaxTTL', 'expiresIn', 'tokenType'],
    });
    const { rows } = await test.coffer.pool.query('select claims from identity_access_tokens where identity_id = $1', [
      identityId,
    ]);
    expect(rows).toEqual([{ claims: { oidc: { claims: { repo: 'acme/website' } } } }]);
  });

  it('refuses all rejected credentials, and continues to accept valid ones', async () => {
    const { identityId, logIn } = await attached({ ...bound, boundSubject: 'deploy-job' });
    let noted = 0;
    for (const { name, about, forge } of sampleOf(rejectedCredentials, 2)) {
      const { status, body } = await logIn({ jwt: forge(provider) });
      const statuses = about === 'subject' ? [403] : about === 'form' ? [401, 422] : [401];
      expect([name, statuses, body.accessToken]).toEqual([name, expect.arrayContaining([status]), undefined]);
      if (status !== 422) noted++;
    }
    expect((await logIn()).status).toBe(200);
    expect((await logIn({ jwt: signedBy(provider) })).status).toBe(200);
    // One event for each reason, address and minute.
    const { rows } = await test.coffer.pool.query<{ noted: number; reasons: number }>(
      `select count(*)::int as noted, count(distinct data ->> 'reason')::int as reasons
       from audit_events where type = 'oidc_auth.login_failed' and data ->> 'identityId' = $1`,
      [identityId],
    );
    const [found] = rows as [{ noted: number; reasons: number }];
    expect(found.reasons).toBeGreaterThan(3);
    expect(found.noted).toBeGreaterThanOrEqual(found.reasons);
    expect(found.noted).toBeLessThanOrEqual(noted);
    const tokens = await test.coffer.pool.query('select 1 from identity_access_tokens where identity_id = $1', [
      identityId,
    ]);
    expect(tokens.rows).toHaveLength(2);
  });

  it('needs a token as text', async () => {
    const { logIn } = await attached();
    for (const jwt of [undefined, null, '', ' ', 1, ['a.b.c'], 'x'.repeat(20_001)])
      expect((await logIn({ jwt })).status).toBe(422);
    expect((await logIn({ jwt: 'a\0b' })).status).toBe(401);
  });

  it('returns 400 for an unreachable provider, while others log in', async () => {
    standIns.patience = { 'silent.test': 500 };
    await standIns.serve('silent.test', () => undefined);
    const silent = await attached({ oidcDiscoveryUrl: 'https://silent.test' });
    const gone = await attached({ oidcDiscoveryUrl: 'https://nobody.test' });
    const good = await attached();
    const failing = Promise.all([silent.logIn(), silent.logIn(), gone.logIn()]);
    expect((await good.logIn()).status).toBe(200);
    for (const { status, body } of await failing)
      expect([status, body.message]).toEqual([400, expect.stringContaining('did not answer as expected')]);
    standIns.patience = {};
  });

  it('applies changed bindings from the next login on', async () => {
    const { url, logIn } = await attached();
    expect((await logIn()).status).toBe(200);
    for (const [change, status] of [
      [{ boundAudiences: 'vault' }, 401],
      [{ boundAudiences: '' }, 200],
      [{ boundSubject: 'other' }, 403],
      [{ boundSubject: '' }, 200],
      [{ boundClaims: { groups: 'admins' } }, 401],
      [{ boundClaims: {} }, 401],
      [{ boundClaims: { groups: 'deployers' } }, 200],
      [{ claimMetadataMapping: { x: 'missing' } }, 401],
      [{ claimMetadataMapping: null }, 200],
      [{ boundIssuer: `${provider.issuer}/` }, 401],
    ] as const) {
      expect((await test.admin('PATCH', url, change)).status).toBe(200);
      expect([change, (await logIn()).status]).toEqual([change, status]);
    }
  });
});
