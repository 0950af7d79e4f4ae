import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parseCidrs } from '../../../../kernel/index.ts';
import { createOutbound } from '../../../../outbound/index.ts';
import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import { serveTls } from '../../../../outbound/testing/servers.ts';
import { ProviderKeySets } from '../../proof/index.ts';
import { attempt } from '../../testing/attempt.ts';
import { signedBy } from '../../testing/rejected-credentials.ts';
import { IdentityProvider } from '../../testing/identity-provider.ts';
import { faults, StandIns } from '../../testing/stand-ins.ts';
import { oidcAuth } from './oidc-auth.ts';

const DISCOVERY = '/.well-known/openid-configuration';
const standIns = new StandIns();
let provider: IdentityProvider;
let keySets: ProviderKeySets;
/** It stands: a slow machine would miss the seconds between two calls. */
let start = Date.now();
let offset = 0;
const now = () => new Date(start + offset);

beforeAll(async () => {
  provider = await IdentityProvider.start(standIns);
});
beforeEach(() => {
  start = Date.now();
  offset = 0;
  keySets = new ProviderKeySets(standIns.fetch, now);
  provider.asked.length = 0;
});
afterAll(() => standIns.close());

const verify = (jwt: string, given: object, sets = keySets) => {
  const config = oidcAuth.config.parse({ oidcDiscoveryUrl: provider.issuer, boundIssuer: provider.issuer, ...given });
  return oidcAuth.verify!(config, { jwt }, attempt({ keySets: sets, now: now() }));
};
const prove = (jwt: string, given: object = {}) => verify(jwt, given);

describe('a provider', () => {
  it('is called once for its documents, for any number of concurrent logins', async () => {
    const tokens = await Promise.all(Array.from({ length: 30 }, () => provider.token()));
    provider.asked.length = 0;
    await Promise.all(tokens.map((token) => prove(token)));
    for (const token of tokens) await prove(token);
    expect(provider.asked).toEqual([DISCOVERY, '/jwks']);
  });

  it('is not called for invalid tokens, or tokens that it cannot have signed', async () => {
    const header = Buffer.from('{"alg":"HS256"}').toString('base64url');
    for (const jwt of ['jwt', 'a.b.c', `${header}.e30.AAAA`, 'x'.repeat(20_001)])
      await expect(prove(jwt)).rejects.toMatchObject({ kind: 'unauthenticated' });
    expect(provider.asked).toEqual([]);
  });

  it('that changes its keys is called again, not more often than every ten seconds, whatever tokens contain', async () => {
    await prove(await provider.token());
    await provider.rotate();
    const [token, old] = [await provider.token(), signedBy(provider, {}, { kid: 'gone' })];
    provider.asked.length = 0;
    await expect(prove(token)).rejects.toMatchObject({ code: 'proof.unknown_key' });
    expect(provider.asked).toEqual([]);
    offset += 10_000;
    await Promise.all([prove(token), prove(token), prove(token)]);
    expect(provider.asked).toEqual(['/jwks']);
    for (let guess = 0; guess < 50; guess++)
      await expect(prove(signedBy(provider, {}, { kid: `guess-${guess}` }))).rejects.toMatchObject({
        code: 'proof.unknown_key',
      });
    await expect(prove(old)).rejects.toMatchObject({ code: 'proof.unknown_key' });
    expect(await prove(token)).toBeDefined();
    expect(provider.asked).toEqual(['/jwks', DISCOVERY]);
  });

  it('identifies the client by the configured bindings, and adds the mapped claims', async () => {
    const token = await provider.token();
    const boundClaims = { 'repository.owner': 'acme', groups: 'deployers, admins', 'repository.isFork': 'false' };
    const claimMetadataMapping = { repo: 'repository.name', id: 'repository.id', teams: 'groups' };
    expect(await prove(token, { boundClaims, claimMetadataMapping })).toEqual({
      oidc: { claims: { repo: 'acme/website', id: '4711', teams: 'deployers,readers' } },
    });
    for (const bound of [{ 'repository.owner': 'acm' }, { ...boundClaims, groups: 'admins' }, { missing: '**' }])
      await expect(prove(token, { boundClaims: bound })).rejects.toMatchObject({ code: 'proof.claim' });
    await expect(prove(token, { claimMetadataMapping: { repo: 'missing' } })).rejects.toMatchObject({
      kind: 'unauthenticated',
      code: 'proof.claim',
    });
  });

  it('is trusted only by its own root if there is one', async () => {
    const root = makeAuthority('Own root');
    const own = await IdentityProvider.start(standIns, 'own.test');
    await standIns.serve('own.test', own.listener, root);
    const given = { oidcDiscoveryUrl: own.issuer, boundIssuer: own.issuer };
    const token = signedBy(own);
    for (const caCert of ['', makeAuthority('Own root').cert])
      await expect(prove(token, { ...given, caCert })).rejects.toMatchObject({ code: 'outbound.unreachable' });
    expect(await prove(token, { ...given, caCert: root.cert })).toBeDefined();
    await expect(prove(token, given)).rejects.toMatchObject({ code: 'outbound.unreachable' });
  });
});

describe.each(['discovery', 'keys'] as const)('a provider whose %s', (which) => {
  // Some are waited for: together.
  it.concurrent.each(Object.keys(faults))(
    '%s is refused with a clear message, and affects no other call',
    async (fault) => {
      const issuer = `https://${which}-${fault.replaceAll(' ', '-')}.test`;
      await standIns.serve(new URL(issuer).hostname, (request, response) => {
        if (which === 'discovery' || request.url !== DISCOVERY) return faults[fault]!(request, response);
        return response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks` }));
      });
      const faultyUrl = `${issuer}${which === 'discovery' ? DISCOVERY : '/jwks'}`;
      const hurried = (url: string, request = {}) =>
        standIns.fetch(url, { ...request, timeoutMs: url === faultyUrl ? 1_500 : 60_000 });
      const sets = new ProviderKeySets(hurried, now);
      const logIn = () => verify(signedBy(provider), { oidcDiscoveryUrl: issuer }, sets);
      const faulty = Promise.allSettled(Array.from({ length: 20 }, logIn));
      expect(await verify(await provider.token(), {}, sets)).toBeDefined();
      for (const result of await faulty)
        expect(result).toMatchObject({
          status: 'rejected',
          reason: { kind: 'bad_request', code: expect.stringMatching(/^(outbound|provider)\./) },
        });
      await expect(logIn()).rejects.toMatchObject({ kind: 'bad_request' });
      const calls = standIns.called.filter((url) => url.startsWith(`${issuer}/`));
      expect(calls).toHaveLength(which === 'discovery' ? 1 : 2);
    },
  );
});

describe('a provider whose address changes', () => {
  const listener = (origin: () => string) =>
    ((request, response) => {
      // Each request must resolve the name again.
      response.setHeader('connection', 'close');
      const keys = [{ ...provider.publicKey.export({ format: 'jwk' }), kid: provider.kid }];
      const document = { issuer: 'x', jwks_uri: `${origin()}/jwks` };
      response.end(JSON.stringify(request.url === '/jwks' ? { keys } : document));
    }) satisfies Parameters<typeof serveTls>[1];

  async function rebinding(answers: string[], jwksHost = 'idp.test') {
    const root = makeAuthority('Root');
    const server = await serveTls(
      root.issue('idp.test'),
      listener(() => `https://${jwksHost}:${server.port}`),
    );
    const outbound = createOutbound({
      allow: parseCidrs('127.0.0.1/32'),
      resolve: async () => [{ address: answers.shift() ?? '169.254.169.254', family: 4 }],
    });
    onTestFinished(() => outbound.close());
    const given = { oidcDiscoveryUrl: `https://idp.test:${server.port}`, caCert: root.cert };
    const sets = new ProviderKeySets(outbound.fetch, now);
    return { server, prove: () => verify(signedBy(provider), given, sets) };
  }

  it('is called at its current address', async () => {
    const { prove: logIn, server } = await rebinding(['127.0.0.1', '127.0.0.1']);
    expect(await logIn()).toBeDefined();
    expect(server.sockets).toHaveLength(2);
  });

  it.each(['10.0.0.1', '169.254.169.254', '192.168.1.1', '127.0.0.2'])(
    'is refused once its name leads to %s',
    async (address) => {
      const { prove: logIn, server } = await rebinding(['127.0.0.1', address]);
      await expect(logIn()).rejects.toMatchObject({ kind: 'bad_request', code: 'outbound.unreachable' });
      expect(server.sockets).toHaveLength(1);
    },
  );

  it.each(['10.0.0.1', '[::1]', '2852039166', '127.1.1.1', 'keys.internal'])(
    'is refused where it says that its keys are at %s',
    async (host) => {
      const { prove: logIn, server } = await rebinding(['127.0.0.1', '10.0.0.1'], host);
      await expect(logIn()).rejects.toMatchObject({
        kind: 'bad_request',
        code: host.endsWith('.internal') ? 'outbound.unreachable' : 'outbound.refused',
      });
      expect(server.sockets).toHaveLength(1);
    },
  );
});
