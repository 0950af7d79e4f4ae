import { authMethods, createOutbound, newId, parseCidrs } from '@coffer/domain';
import {
  IdentityProvider,
  LDAP_ACCOUNT,
  LDAP_BASE,
  makeAuthority,
  signedBy,
  slapdServer,
  StandIns,
  startSlapd,
  type Slapd,
  type TestIssuer,
} from '@coffer/domain/testing';
import { AwsAccount, AzureTenant, Cluster, Google, signedRequest } from '@coffer/domain/testing/clouds';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const HEADER = 'x-client-cert';
const EMAIL = 'deploy@acme.iam.gserviceaccount.com';
const SUBJECT = 'repo:acme/web:ref:main';
const ROLE = 'arn:aws:iam::111111111111:role/deploy';
const PEOPLE = `ou=people,${LDAP_BASE}`;
/** Longer than published keys are cached, in milliseconds. */
const FORGOTTEN = 601_000;
const DAY = 86_400;

const standIns = new StandIns();
const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
const sts = new AwsAccount({ region: 'us-east-1' });
const root = makeAuthority('Clients');
const certificate = encodeURIComponent(root.issue('web').cert);
let account: TestIssuer;
let provider: IdentityProvider;
let [tenant, otherTenant]: AzureTenant[] = [];
let cluster: Cluster;
let slapd: Slapd | undefined;
let test: TestServer;
/** Done once while a login waits for another system. */
let meanwhile: (() => Promise<unknown>) | undefined;
const interrupted = async () => {
  const work = meanwhile;
  meanwhile = undefined;
  await work?.();
};

beforeAll(async () => {
  await standIns.serve('sts.us-east-1.amazonaws.com', sts.listener('sts'));
  account = await (await Google.start(standIns, '')).account(EMAIL);
  provider = await IdentityProvider.start(standIns);
  [tenant, otherTenant] = await AzureTenant.start(standIns, 2);
  cluster = await Cluster.start();
  cluster.reviewers.add('system:serviceaccount:apps:web');
  await standIns.serve('cluster.test', cluster.listener);
  if (!slapdServer.isMissing) slapd = await startSlapd();
  const fetch: typeof standIns.fetch = async (...call) => {
    await interrupted();
    return standIns.fetch(...call);
  };
  const connect: typeof outbound.connect = async (...call) => {
    await interrupted();
    return outbound.connect(...call);
  };
  test = await testServer(
    { fetch, connect, clock: 'standing' },
    { isTrustedProxy: () => true, clientCertificateHeader: HEADER },
  );
  const { call, organizationId } = await test.foreign();
  const url = '/api/v1/identities';
  places = [
    { call: test.admin, url, organizationId: test.organizationId },
    { call, url, organizationId },
    { call: test.admin, url: `/api/v1/projects/${(await test.project()).id}/identities` },
  ];
});
// Providers issue their tokens by the clock of this machine. Within one test, no window of seconds ends.
beforeEach(() => test.advance(Math.max(0, Date.now() - test.coffer.now().getTime())));
afterAll(async () => {
  await test.close();
  await slapd?.stop();
  await standIns.close();
  await outbound.close();
});

/** A binding that a credential logs in with, and others that it must not. */
interface Rivals {
  readonly own: object;
  readonly others: readonly object[];
  readonly prove: (identityId: string) => Promise<object> | object;
}

/** Other names that look, begin or end like this one. */
const nearly = (name: string): string[] =>
  [
    name.toLowerCase() === name ? name.toUpperCase() : name.toLowerCase(),
    ...[`${name}.`, `${name}x`, `x${name}`, name.slice(0, -1), name.slice(1)],
    name.replace(/[aeo]/, (vowel) => ({ a: '\u0430', e: '\u0435', o: '\u043e' })[vowel]!),
  ].filter((one) => one !== name);
const inASCII = (name: string) => /^[!-~]*$/.test(name);
const exp = () => Math.floor(Date.now() / 1000) + DAY;

const tokens = (at: object): Rivals => ({
  own: { ...at, boundSubject: SUBJECT },
  others: [
    ...[...nearly(SUBJECT), 'repo:acme/web', 'repo:acme/web:*:', '?:acme/web:ref:main'].map((boundSubject) => ({
      ...at,
      boundSubject,
    })),
    ...nearly('acme').map((owner) => ({ ...at, boundClaims: { 'repository.owner': owner } })),
    { ...at, boundClaims: { 'groups.1': 'deployers' } },
    { ...at, boundClaims: { groups: 'deployers', 'groups.length': '2' } },
    { ...at, boundClaims: { groups: 'deployers', team: '**' } },
    ...['https://coffer.example.com/', 'HTTPS://coffer.example.com'].map((boundAudiences) => ({
      ...at,
      boundAudiences,
    })),
  ],
  prove: () => ({ jwt: signedBy(provider, { sub: SUBJECT, exp: exp() }) }),
});

const RIVALS: Record<string, () => Rivals> = {
  'kubernetes-auth': () => {
    const host = { kubernetesHost: 'https://cluster.test', allowedAudience: '' };
    const at = { ...host, allowedNamespaces: 'apps', allowedNames: 'web' };
    return {
      own: at,
      others: [
        ...[...nearly('web'), 'apps:web', '*', 'system:serviceaccount:apps:web'].map((allowedNames) => ({
          ...at,
          allowedNames,
        })),
        ...nearly('apps').map((allowedNamespaces) => ({ ...at, allowedNamespaces })),
        { ...at, allowedNamespaces: 'web', allowedNames: 'apps' },
        { ...at, allowedAudience: 'coffer' },
      ],
      prove: async () => ({ jwt: await cluster.token('apps', 'web') }),
    };
  },
  'azure-auth': () => {
    const { tenantId, servicePrincipalId, applicationId } = tenant!;
    const at = { tenantId, resource: 'https://management.azure.com/', allowedServicePrincipalIds: servicePrincipalId };
    const other = otherTenant!.tenantId;
    return {
      own: at,
      others: [
        ...[applicationId, otherTenant!.servicePrincipalId, ...nearly(servicePrincipalId).slice(1)].map((id) => ({
          ...at,
          allowedServicePrincipalIds: id,
        })),
        ...[{ tenantId: other }, { tenantId: other, allowedServicePrincipalIds: '' }].map((one) => ({ ...at, ...one })),
        ...['https://management.azure.com.', 'https://MANAGEMENT.azure.com', 'https://management.azure.com//'].map(
          (resource) => ({ ...at, resource }),
        ),
      ],
      prove: () => ({ jwt: signedBy(tenant!, { exp: exp() }) }),
    };
  },
  'gcp-auth': () => ({
    own: { type: 'iam', allowedServiceAccounts: EMAIL },
    others: [
      ...[...nearly(EMAIL), EMAIL].map((allowedServiceAccounts) => ({ type: 'iam', allowedServiceAccounts })),
      { type: 'gce', allowedServiceAccounts: EMAIL },
    ],
    prove: (identityId) => ({ jwt: signedBy(account, { aud: identityId, exp: exp() }) }),
  }),
  'aws-auth': () => ({
    own: { allowedPrincipalArns: ROLE },
    others: [
      ...nearly('deploy')
        .filter(inASCII)
        .map((name) => `arn:aws:iam::111111111111:role/${name}`),
      ...['user/deploy', 'role/*/deploy', 'role/i-1'].map((name) => `arn:aws:iam::111111111111:${name}`),
      'arn:aws-us-gov:iam::111111111111:role/deploy',
      'arn:aws:iam::111111111112:role/deploy',
    ]
      .map((allowedPrincipalArns): object => ({ allowedPrincipalArns }))
      .concat([{ allowedAccountIds: '111111111112' }, { allowedPrincipalArns: ROLE, serverId: 'another' }]),
    prove: () => signedRequest(sts.keysOf('arn:aws:sts::111111111111:assumed-role/deploy/i-1')),
  }),
  'tls-cert-auth': () => {
    const at = { caCertificate: root.cert };
    const namesake = makeAuthority('Clients').cert;
    const below = root.issue('Between', { authority: true }).cert;
    return {
      own: { ...at, allowedCommonNames: 'web' },
      others: [
        ...[...nearly('web'), '*'].map((allowedCommonNames) => ({ ...at, allowedCommonNames })),
        ...[...nearly('web'), '*', 'DNS:web'].map((name) => ({ ...at, allowedSubjectAltNames: [name] })),
        ...[namesake, below].map((caCertificate) => ({ caCertificate, allowedCommonNames: 'web' })),
      ],
      // The proxy has seen the certificate.
      prove: () => ({}),
    };
  },
  'oidc-auth': () => tokens({ oidcDiscoveryUrl: provider.issuer, boundIssuer: provider.issuer }),
  'jwt-auth': () => tokens({ configurationType: 'jwks', jwksUrl: `${provider.issuer}/jwks` }),
  'ldap-auth': () => {
    const at = { url: slapd!.url, ...LDAP_ACCOUNT, searchBase: PEOPLE };
    return {
      own: at,
      others: [
        { ...at, searchBase: `ou=guests,${LDAP_BASE}` },
        ...nearly('Engineer').map((value) => ({ ...at, allowedFields: [{ key: 'title', value }] })),
        { ...at, allowedFields: [{ key: 'dn', value: 'uid=alice' }] },
        ...[
          '(&(uid={{username}})(title=Architect))',
          '(&(uid={{username}})(!(uid=alice)))',
          '(&(uid=bob)(|(uid={{username}})(uid=*)))',
          '(mail={{username}})',
        ].map((searchFilter) => ({ ...at, searchFilter })),
      ],
      prove: () => ({ username: 'alice', password: 'password of alice' }),
    };
  },
};

const bodyOf = ({ status, body: { reqId: _, ...body } }: Answer) => ({ status, ...body });

/** Where identities are, and who administers them. */
interface Place {
  readonly call: Caller;
  readonly url: string;
  readonly organizationId?: string;
}
let places: Place[] = [];

/** An identity with this method. */
async function attached(kind: string, config: object, { call, url, ...of } = places[0]!) {
  const made = await call('POST', url, { name: 'deploy', ...of });
  const identityId: string = made.body.identity.id;
  const method = `/api/v1/auth/${kind}/identities/${identityId}`;
  const { status, body } = await call('POST', method, config);
  expect(status, JSON.stringify([config, body])).toBe(200);
  return { identityId, url: method };
}

const logIn = (kind: string, body: object) =>
  test.as()('POST', `/api/v1/auth/${kind}/login`, body, { [HEADER]: certificate });

/** Those that are presented with the ID of an identity. */
const KINDS = authMethods.members.flatMap(({ kind, Login }) => (Login && kind !== 'universal-auth' ? kind : []));
const here = slapdServer.isMissing ? KINDS.filter((kind) => kind !== 'ldap-auth') : KINDS;

describe('attack: the right credential of one identity', () => {
  it('is known of each login method', () => {
    expect(Object.keys(RIVALS).toSorted()).toEqual(KINDS.toSorted());
  });

  it.each(here)(
    'logs in by %s at no similar one, of the organization, a project or another organization',
    async (kind) => {
      const { own, others, prove } = RIVALS[kind]!();
      const mine = await attached(kind, own);
      const answers = await Promise.all(
        others.map(async (config, n) => {
          const { identityId } = await attached(kind, config, places[n % 3]);
          return [config, await logIn(kind, { ...(await prove(mine.identityId)), identityId })] as const;
        }),
      );
      expect(answers.filter(([, { status, body }]) => ![401, 403].includes(status) || 'accessToken' in body)).toEqual(
        [],
      );
      expect((await logIn(kind, { ...(await prove(mine.identityId)), identityId: mine.identityId })).status).toBe(200);
      const unknown = [
        newId(),
        mine.identityId.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        `${mine.identityId}.`,
      ];
      const refused = await Promise.all(
        unknown.map(async (identityId) => bodyOf(await logIn(kind, { ...(await prove(mine.identityId)), identityId }))),
      );
      expect(refused).toEqual(refused.map(() => ({ ...refused[0], status: 404 })));
    },
  );

  it('logs in by a client secret at no other client, with the answer for an unknown one', async () => {
    const kind = 'universal-auth';
    const clients = await Promise.all(
      places.map(async (place) => {
        const { url } = await attached(kind, {}, place);
        const { clientId } = (await place.call('GET', url)).body.identityUniversalAuth;
        const { clientSecret } = (await place.call('POST', `${url}/client-secrets`, {})).body;
        return { clientId, clientSecret };
      }),
    );
    const unknown = bodyOf(await logIn(kind, { clientId: newId(), clientSecret: 'x' }));
    expect(unknown.status).toBe(401);
    for (const { clientId } of clients)
      for (const { clientId: other, clientSecret } of clients) {
        const answer = bodyOf(await logIn(kind, { clientId, clientSecret }));
        expect(clientId === other ? answer.status : answer).toEqual(clientId === other ? 200 : unknown);
      }
  });

  const changes: Record<string, (url: string, identityId: string, other: object) => Promise<Answer>> = {
    'the method gets another binding': (url, _, other) => test.admin('PATCH', url, other),
    'the method is removed': (url) => test.admin('DELETE', url),
    'the identity is deleted': (_, identityId) => test.admin('DELETE', `/api/v1/identities/${identityId}`),
  };
  it.each(here.filter((kind) => kind !== 'tls-cert-auth'))(
    'does not log in by %s while another system is asked, if meanwhile its identity is it no more',
    async (kind) => {
      const { own, others, prove } = RIVALS[kind]!();
      for (const [name, change] of Object.entries(changes)) {
        const { identityId, url } = await attached(kind, own);
        test.advance(FORGOTTEN);
        let changed = 0;
        meanwhile = async () => (changed = (await change(url, identityId, others.at(-1)!)).status);
        const { status, body } = await logIn(kind, { ...(await prove(identityId)), identityId });
        expect([name, changed, status, body.message]).toEqual([
          name,
          200,
          401,
          'The login method was changed during this login: log in again',
        ]);
      }
    },
  );
});
