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
  test = await testServer({ fetch: standIns.fetch, clock: 'standing' });
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

describe('attack: a credential of one’s own at the identity of somebody else', () => {
  /** Two identities with one kind of login, bound to different credentials; the attacker has those of the first. */
  async function rivals(kind: string) {
    const sub = (name: string) => signedBy(provider, { sub: name });
    const account = 'deploy@acme.iam.gserviceaccount.com';
    const arn = 'arn:aws:iam::111111111111:role/other';
    const oidc = { oidcDiscoveryUrl: provider.issuer, boundIssuer: provider.issuer };
    const jwks = { configurationType: 'jwks', jwksUrl: `${provider.issuer}/jwks` };
    const signer = kind === 'gcp-auth' ? await google.account(account) : undefined;
    const [mine, theirs, prove] = {
      'aws-auth': [
        { allowedAccountIds: '111111111111' },
        { allowedPrincipalArns: arn },
        () => signedRequest(sts.keysOf(OWNER)),
      ],
      'gcp-auth': [
        { type: 'iam', allowedServiceAccounts: account },
        { type: 'iam', allowedServiceAccounts: 'other@acme.iam.gserviceaccount.com' },
        (aud: string) => ({ jwt: signedBy(signer!, { aud }) }),
      ],
      'oidc-auth': [
        { ...oidc, boundSubject: 'mine' },
        { ...oidc, boundSubject: 'other' },
        () => ({ jwt: sub('mine') }),
      ],
      'jwt-auth': [{ ...jwks, boundSubject: 'mine' }, { ...jwks, boundSubject: 'other' }, () => ({ jwt: sub('mine') })],
    }[kind] as [object, object, (identityId: string) => object];
    const [own, other] = [(await victim(kind, mine)).identityId, (await victim(kind, theirs)).identityId];
    return { own, other, prove: () => prove(own) };
  }

  const form = (pairs: [string, string][]) => ({
    type: 'application/x-www-form-urlencoded',
    payload: new URLSearchParams(pairs).toString(),
  });
  const json = (payload: string) => ({ type: 'application/json', payload });

  it.each(['aws-auth', 'gcp-auth', 'oidc-auth', 'jwt-auth'])(
    'is a login of nobody else, however %s is told of two',
    async (kind) => {
      const { own, other, prove } = await rivals(kind);
      const send = async (query: string, { type, payload }: { type: string; payload: string }) => {
        const url = `/api/v1/auth/${kind}/login${query}`;
        const { statusCode, body } = await test.app.inject({
          method: 'POST',
          url,
          payload,
          headers: { 'content-type': type },
        });
        const { accessToken } = JSON.parse(body) as { accessToken?: string };
        if (accessToken === undefined) return statusCode;
        const { body: details } = await test.as(accessToken)('GET', '/api/v1/identities/details');
        return JSON.stringify(details).includes(own) ? 'own' : 'other';
      };
      const members = () => JSON.stringify(prove()).slice(1);
      const fields = (): [string, string][] => Object.entries(prove());
      const ways = (one: string, two: string): [string, string, ReturnType<typeof json>][] => [
        ['twice in JSON', '', json(`{"identityId":"${one}","identityId":"${two}",${members()}`)],
        ['twice in a form', '', form([['identityId', one], ['identityId', two], ...fields()])],
        ['as a list in JSON', '', json(`{"identityId":["${one}","${two}"],${members()}`)],
        ['as a list in a form', '', form([['identityId[]', one], ['identityId[]', two], ...fields()])],
        ['as members of an object', '', form([['identityId[0]', one], ['identityId', two], ...fields()])],
        ['in the query and JSON', `?identityId=${one}`, json(`{"identityId":"${two}",${members()}`)],
        ['in the query and a form', `?identityId=${one}`, form([['identityId', two], ...fields()])],
        ['in the prototype', '', json(`{"__proto__":{"identityId":"${one}"},"identityId":"${two}",${members()}`)],
        ['with blanks', '', json(`{"identityId":" ${one}\\t${two} ",${members()}`)],
        ['with a NUL', '', json(`{"identityId":"${one}\\u0000${two}",${members()}`)],
      ];
      const told = [...ways(own, other), ...ways(other, own)];
      const outcomes: [string, unknown][] = [];
      for (const [way, query, body] of told) outcomes.push([way, await send(query, body)]);
      expect(outcomes.filter(([, outcome]) => outcome === 'other' || Number(outcome) >= 500)).toEqual([]);
      expect(outcomes.map(([, outcome]) => outcome)).toContain('own');
    },
  );

  it('is a signed token alone, in one form', async () => {
    const { own } = await rivals('oidc-auth');
    const jwt = signedBy(provider, { sub: 'mine' });
    const [header, payload, signature] = jwt.split('.') as [string, string, string];
    const nested = Buffer.from(jwt).toString('base64url');
    const others: unknown[] = [
      { payload, protected: header, signature },
      { payload, signatures: [{ protected: header, signature }] },
      JSON.stringify({ payload, protected: header, signature }),
      [jwt],
      `${header}.${nested}.${signature}`,
      `${jwt}.${signature}`,
      `${header}..${payload}.${signature}.`,
      `${jwt}~`,
      `${jwt}=`,
      `Bearer ${jwt}`,
      `${jwt},${jwt}`,
      ...[{ crit: ['exp'] }, { crit: ['b64'], b64: false }, { crit: [] }].map((more) =>
        signedBy(provider, { sub: 'mine' }, more),
      ),
    ];
    const statuses: number[] = [];
    for (const one of [jwt, ...others])
      statuses.push((await test.as()('POST', '/api/v1/auth/oidc-auth/login', { identityId: own, jwt: one })).status);
    expect(statuses.filter((status) => ![401, 422].includes(status))).toEqual([200]);
    expect(statuses[0]).toBe(200);
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
