import { rootCertificates } from 'node:tls';
import { IdentityProvider, signedBy, StandIns } from '@coffer/domain/testing';
import { AwsAccount, Google, handOver, headersOf, signedRequest } from '@coffer/domain/testing/clouds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

const OWNER = 'arn:aws:sts::111111111111:assumed-role/deploy/i-1';
const STRANGER = 'arn:aws:sts::999999999999:assumed-role/deploy/i-1';
const SERVER_ID = { 'X-Coffer-Server-ID': 'coffer.example.com' };

const standIns = new StandIns();
const sts = new AwsAccount({ region: 'us-east-1' });
let google: Google;
let provider: IdentityProvider;
let test: TestServer;
beforeAll(async () => {
  await standIns.serve('sts.us-east-1.amazonaws.com', sts.listener('sts'));
  google = await Google.start(standIns, '');
  provider = await IdentityProvider.start(standIns);
  test = await testServer({ fetch: standIns.fetch });
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

/** An identity with a login method, as its owner sets it up. */
async function victim(kind: string, config: object) {
  const made = { name: 'deploy', organizationId: test.organizationId, role: 'admin' };
  const identityId: string = (await test.admin('POST', '/api/v1/identities', made)).body.identity.id;
  const url = `/api/v1/auth/${kind}/identities/${identityId}`;
  const { status, body } = await test.admin('POST', url, config);
  expect(status, JSON.stringify(body)).toBe(200);
  const logIn = (proof: object) => test.as()('POST', `/api/v1/auth/${kind}/login`, { identityId, ...proof });
  return { identityId, logIn, warnings: body.warnings as string[] };
}

describe('attack: genuine credentials of another customer of the same cloud or provider', () => {
  it('cannot log in by AWS with an account of its own, bound or not', async () => {
    const stranger = sts.keysOf(STRANGER);
    for (const config of [{}, { serverId: 'coffer.example.com' }, { allowedAccountIds: '111111111111' }]) {
      const { logIn } = await victim('aws-auth', config);
      for (const headers of [{}, SERVER_ID])
        expect((await logIn(signedRequest(stranger, { headers }))).status).toBe(401);
    }
  });

  it('cannot log in by GCP with a service account of its own, nor by choosing the zone', async () => {
    const account = await google.account('me@evil.iam.gserviceaccount.com');
    const iam = await victim('gcp-auth', { type: 'iam', allowedProjects: 'acme-prod' });
    expect((await iam.logIn({ jwt: signedBy(account, { aud: iam.identityId }) })).status).toBe(401);
    const gce = await victim('gcp-auth', { type: 'gce', allowedZones: 'europe-west1-b' });
    expect(gce.warnings).toHaveLength(1);
    expect((await gce.logIn({ jwt: signedBy(google.itself, { aud: gce.identityId }) })).status).toBe(401);
  });

  it('is reported to callers who read the method, also if they may not see the public authority itself', async () => {
    const config = { caCertificate: rootCertificates[0], accessTokenTTL: 100, accessTokenMaxTTL: 100 };
    const { identityId, warnings } = await victim('tls-cert-auth', config);
    const { call } = await test.identity({ organizationRules: [{ subject: 'identity', action: ['read'] }] });
    const { body } = await call('GET', `/api/v1/auth/tls-cert-auth/identities/${identityId}`);
    expect(body.identityTlsCertAuth.caCertificate).toBe('');
    expect([warnings.length, body.warnings]).toEqual([1, warnings]);
  });

  it('does not log in by a token that the same OpenID provider or key set issued for itself', async () => {
    const jwt = signedBy(provider, { sub: 'repo:evil/evil' });
    const oidcDiscoveryUrl = provider.issuer;
    const unbound = [{}, { boundSubject: '*' }, { boundClaims: { iss: oidcDiscoveryUrl } }, { boundAudiences: '**' }];
    for (const bound of unbound) {
      const { logIn } = await victim('oidc-auth', { oidcDiscoveryUrl, boundIssuer: oidcDiscoveryUrl, ...bound });
      expect((await logIn({ jwt })).status).toBe(401);
    }
    const jwksUrl = `${oidcDiscoveryUrl}/jwks`;
    const byKeys = await victim('jwt-auth', { configurationType: 'jwks', jwksUrl, boundIssuer: oidcDiscoveryUrl });
    expect((await byKeys.logIn({ jwt })).status).toBe(401);
  });
});

describe('attack: a captured signed request of AWS', () => {
  const bound = { allowedAccountIds: '111111111111' };

  it('is rejected after its login, for the same and for another identity, immediately and later', async () => {
    const [one, other] = [await victim('aws-auth', bound), await victim('aws-auth', bound)];
    const captured = signedRequest(sts.keysOf(OWNER));
    expect((await one.logIn(captured)).status).toBe(200);
    const spaced = handOver('', { ...headersOf(captured) });
    const respelled = { ...captured, iamRequestHeaders: spaced.iamRequestHeaders };
    for (const replay of [captured, respelled])
      for (const { logIn } of [one, other]) expect((await logIn(replay)).status).toBe(401);
    test.advance(14 * 60_000);
    expect((await one.logIn(captured)).status).toBe(401);
  });

  it('is rejected if it was signed for another server', async () => {
    const { logIn } = await victim('aws-auth', { ...bound, serverId: 'coffer.example.com' });
    const phished = signedRequest(sts.keysOf(OWNER), { headers: { 'X-Coffer-Server-ID': 'phishing.example.com' } });
    expect((await logIn(phished)).status).toBe(401);
    expect((await logIn(signedRequest(sts.keysOf(OWNER), { headers: SERVER_ID }))).status).toBe(200);
  });
});
