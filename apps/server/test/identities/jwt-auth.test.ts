import { generateKeyPairSync } from 'node:crypto';
import {
  rejectedCredentials,
  sampleOf,
  signedBy,
  StandIns,
  type TestIssuer,
  type LoginMethodCase,
} from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeLoginMethod, loginMethodWorld } from '../harness/login-method.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const JWKS = 'https://ci.test/jwks?tenant=acme';

function makeIssuer(kid?: string): TestIssuer & { readonly pem: string } {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const claims = () => {
    const now = Math.floor(Date.now() / 1000);
    return {
      iss: 'https://ci.example.com',
      sub: 'job-1',
      aud: 'coffer',
      iat: now,
      exp: now + 600,
      team: { name: 'a' },
    };
  };
  return { kid, ...keys, claims, pem: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString().trim() };
}

const published = makeIssuer('first');
const held = makeIssuer();
const another = makeIssuer();
const standIns = new StandIns();
let test: TestServer;
beforeAll(async () => {
  await standIns.serve('ci.test', (request, response) => {
    const keys = [{ kid: published.kid, ...published.publicKey.export({ format: 'jwk' }) }];
    response.writeHead(request.url === '/jwks?tenant=acme' ? 200 : 404).end(JSON.stringify({ keys }));
  });
  test = await testServer({ fetch: standIns.fetch });
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

const changes = () => ({
  boundIssuer: 'https://other.example.com',
  boundAudiences: 'coffer, vault',
  boundClaims: { 'team.name': 'a, b' },
  boundSubject: 'job-*',
  jwksCaCert: standIns.authority.cert.trim(),
});
const answered = {
  boundIssuer: '',
  boundAudiences: '',
  boundClaims: {},
  boundSubject: '',
  jwksUrl: '',
  jwksCaCert: '',
  publicKeys: [] as string[],
};
const common = {
  kind: 'jwt-auth',
  key: 'identityJwtAuth',
  sealed: ['jwksCaCert', 'publicKeys'],
  notAttached: { GET: 400, PATCH: 400, DELETE: 400 },
};
const refused: [object, number][] = [
  [{ configurationType: 'both' }, 422],
  [{ jwksUrl: 'ci.test' }, 422],
  [{ jwksUrl: 'http://ci.test/jwks' }, 422],
  [{ jwksUrl: 'https://me:secret@ci.test/jwks' }, 422],
  [{ publicKeys: 'key' }, 422],
  [{ publicKeys: ['key'] }, 422],
  [{ publicKeys: [''] }, 422],
  [{ publicKeys: Array.from({ length: 11 }, () => held.pem) }, 422],
  [{ jwksCaCert: 'x' }, 422],
  [{ boundSubject: '[' }, 400],
  [{ boundAudiences: '(' }, 400],
  [{ boundClaims: { a: '{x}' } }, 400],
];

const byJwks: LoginMethodCase = {
  ...common,
  least: () => ({ configurationType: 'jwks', jwksUrl: JWKS }),
  binding: () => ({ boundSubject: 'job-1' }),
  answered: () => ({ ...answered, boundSubject: 'job-1', configurationType: 'jwks', jwksUrl: JWKS }),
  changes: () => ({
    ...changes(),
    publicKeys: [held.pem],
    jwksUrl: 'https://other.test/',
    configurationType: 'static',
  }),
  refused: () => [...refused, [{ jwksUrl: '' }, 400], [{ configurationType: 'static' }, 400]],
  proof: async () => ({ jwt: signedBy(published) }),
};
const byKey: LoginMethodCase = {
  ...common,
  least: () => ({ configurationType: 'static', publicKeys: [another.pem, held.pem] }),
  answered: () => ({ ...answered, configurationType: 'static', publicKeys: [expect.any(String), held.pem] }),
  changes: () => ({ ...changes(), publicKeys: [published.pem], jwksUrl: JWKS, configurationType: 'jwks' }),
  refused: () => [...refused, [{ publicKeys: [] }, 400], [{ configurationType: 'jwks' }, 400]],
  proof: async () => ({ jwt: signedBy(held) }),
};

describe.each([
  ['whose keys are published', byJwks, published],
  ['whose keys are given', byKey, held],
] as const)('JWT auth %s', (_, given, issuer) => {
  describeLoginMethod(() => test, given);
  const { attached } = loginMethodWorld(() => test, given);

  it('refuses all rejected credentials, and continues to accept valid ones', async () => {
    const bound = { boundIssuer: 'https://ci.example.com', boundSubject: 'job-1', boundAudiences: 'vault, coffer' };
    const { logIn } = await attached({ ...bound, boundClaims: { 'team.name': '?' } });
    for (const { name, about, forge } of sampleOf(rejectedCredentials, 2)) {
      const { status, body } = await logIn({ jwt: forge(issuer) });
      const isForbidden = about === 'subject' || about === 'issuer';
      const statuses = isForbidden ? [403] : about === 'form' ? [401, 422] : [401];
      expect([name, statuses, body.accessToken]).toEqual([name, expect.arrayContaining([status]), undefined]);
    }
    expect((await logIn({ jwt: signedBy(issuer, { team: { name: 'ab' } }) })).status).toBe(401);
    expect((await logIn()).status).toBe(200);
  });

  it('does not check empty fields', async () => {
    const { logIn } = await attached(given.binding && { boundSubject: '', boundClaims: { note: 'x' } });
    const jwt = signedBy(issuer, { iss: undefined, sub: undefined, aud: undefined, team: undefined, note: 'x' });
    expect((await logIn({ jwt })).status).toBe(200);
  });
});

describe('a change of the source of keys', () => {
  const { attached } = loginMethodWorld(() => test, byKey);

  it('stores those of the other kind, which are used again after the way back, and not before', async () => {
    const { url, logIn } = await attached({ boundSubject: 'job-1' });
    const log = async () => [
      (await logIn({ jwt: signedBy(held) })).status,
      (await logIn({ jwt: signedBy(published) })).status,
    ];
    const change = async (body: object) => (await test.admin('PATCH', url, body)).status;
    expect(await log()).toEqual([200, 401]);
    expect(await change({ configurationType: 'jwks' })).toBe(400);
    expect(await log()).toEqual([200, 401]);
    expect(await change({ configurationType: 'jwks', jwksUrl: JWKS })).toBe(200);
    expect(await log()).toEqual([401, 200]);
    expect(await change({ boundSubject: 'job-*' })).toBe(200);
    expect(await log()).toEqual([401, 200]);
    expect(await change({ configurationType: 'static' })).toBe(200);
    expect(await log()).toEqual([200, 401]);
    const { body } = await test.admin('GET', url);
    expect(body.identityJwtAuth).toMatchObject({
      configurationType: 'static',
      jwksUrl: JWKS,
      publicKeys: [expect.any(String), held.pem],
      boundSubject: 'job-*',
    });
  });

  it('keeps public keys and the certificate sealed', async () => {
    const { identityId } = await attached({ jwksCaCert: standIns.authority.cert });
    const { rows } = await test.coffer.pool.query(
      'select config::text, sealed from identity_auth_methods where identity_id = $1',
      [identityId],
    );
    for (const secret of ['BEGIN', held.pem.split('\n')[1]!]) {
      expect(rows[0].config).not.toContain(secret);
      expect(rows[0].sealed.toString('latin1')).not.toContain(secret);
    }
  });
});
