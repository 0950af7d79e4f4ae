import { RATE_LIMIT_CLASSES } from '@coffer/domain';
import { describe, expect, it } from 'vitest';
import { appRouter } from '../router.ts';
import { inputFields, operationsOf } from './operations.ts';
import { rateLimitClassOf, rateLimitClassOfRoute } from './rate-limit-class.ts';

const operations = operationsOf(appRouter).map(({ path, method, url, meta, procedure }) => ({
  name: `${method} ${url}`,
  url,
  meta,
  fields: Object.keys(inputFields(procedure)),
  limit: rateLimitClassOf(path, procedure._def),
}));
const of = (limit: string) => operations.filter((operation) => operation.limit === limit);

/** What certificates, directories of protocols and configurations of servers contain: nobody has to keep it secret. */
const PUBLIC_NAMES = [
  ...['caId', 'caCertId', 'certificateTemplateId', 'crlId', 'ocspRequest'],
  ...['sshCaId', 'sshHostId', 'projectId'],
];

const SECRETS = /(?:password|passphrase|secret|token|jwt|code|key|pin|otp)$/i;
/** Secrets that are given to be stored, used elsewhere or put into a file, and names: nothing tells whether they are right. */
const STORED = [
  'encryptedKey',
  'secretKey',
  'tokenReviewerJwt',
  'accessToken',
  'refreshToken',
  'webhookSecretKey',
  'oauth-token code',
  'passphrase',
  'rotatePassphrase',
  'pkcs12 password',
  'publicKey',
  'ca privateKey',
  'entra-id/users clientSecret',
];

describe('the rate limit class', () => {
  it.each([
    ['GET /api/v1/projects/{projectId}', 'readRateLimit'],
    ['PATCH /api/v1/projects/{projectId}', 'writeRateLimit'],
    ['POST /api/v1/auth/token/renew', 'writeRateLimit'],
    ['GET /api/v4/secrets/{secretName}', 'secretsRateLimit'],
    ['GET /api/v3/secrets/raw/{secretName}', 'secretsRateLimit'],
    ['POST /api/v1/dynamic-secrets/leases', 'secretsRateLimit'],
    ['POST /api/v3/auth/login', 'authRateLimit'],
    ['POST /api/v1/auth/universal-auth/login', 'authRateLimit'],
    ['POST /api/v1/password/email/password-reset', 'authRateLimit'],
    ['POST /api/v1/invite-org/signup', 'inviteUserRateLimit'],
    ['GET /api/v1/pki/crl/{crlId}', 'publicEndpointLimit'],
    ['GET /api/status', 'publicEndpointLimit'],
  ])('of %s is %s', (name, limit) => {
    expect(operations.filter((operation) => operation.name === name)).toMatchObject([{ limit }]);
  });

  it('of routes outside the router is public for ACME and the documentation, otherwise by the method', () => {
    const acme = '/api/v1/cert-manager/acme/:profileId/new-order';
    expect([rateLimitClassOfRoute('POST', acme), rateLimitClassOfRoute('GET', '/api/docs')]).toEqual(
      Array(2).fill('publicEndpointLimit'),
    );
    expect(['GET', 'HEAD', 'POST'].map((method) => rateLimitClassOfRoute(method, '/api/docsome'))).toEqual([
      'readRateLimit',
      'readRateLimit',
      'writeRateLimit',
    ]);
  });

  it('is auth for exactly the operations with limits of refusals or calls for each address', () => {
    const limited = operations.filter(
      ({ meta: { needs, rest } }) => rest?.limitsRefusals || (needs === 'public' && rest?.strictlyLimited),
    );
    expect(of('authRateLimit')).toEqual(limited);
  });

  it('is public for no operation with a token or another credential', () => {
    for (const { meta } of of('publicEndpointLimit'))
      expect([meta.needs, meta.rest?.takesCredential]).toEqual(['public', undefined]);
  });

  it('of a public operation whose input is more than public names counts its refusals, or all of its calls', () => {
    const asks = operations.filter(({ meta, fields }) => {
      const { limitsRefusals, takesCredential, strictlyLimited } = meta.rest ?? {};
      const isCounted = limitsRefusals || takesCredential || strictlyLimited;
      return meta.needs === 'public' && !isCounted && fields.some((field) => !PUBLIC_NAMES.includes(field));
    });
    expect(asks.map(({ name }) => name)).toEqual([]);
  });

  it('of an operation with a token counts all calls, where it compares something secret in its input', () => {
    const asks = operations.flatMap(({ name, meta, fields }) =>
      meta.needs === 'public' || meta.rest?.strictlyLimited
        ? []
        : fields.filter((field) => SECRETS.test(field)).map((field) => `${name} ${field}`),
    );
    expect(asks.filter((one) => !STORED.some((stored) => new RegExp(`[ /]${stored}$`).test(one)))).toEqual([]);
  });

  it('has operations for every limit but mfaRateLimit', () => {
    expect(RATE_LIMIT_CLASSES.filter((limit) => of(limit).length === 0)).toEqual(['mfaRateLimit']);
  });
});
