import { RATE_LIMIT_CLASSES } from '@coffer/domain';
import { describe, expect, it } from 'vitest';
import { appRouter } from '../router.ts';
import { operationsOf } from './operations.ts';
import { rateLimitClassOf, rateLimitClassOfRoute } from './rate-limit-class.ts';

const operations = operationsOf(appRouter).map(({ path, method, url, meta, procedure }) => ({
  name: `${method} ${url}`,
  url,
  meta,
  limit: rateLimitClassOf(path, procedure._def),
}));
const of = (limit: string) => operations.filter((operation) => operation.limit === limit);

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

  it('has operations for every limit but mfaRateLimit', () => {
    expect(RATE_LIMIT_CLASSES.filter((limit) => of(limit).length === 0)).toEqual(['mfaRateLimit']);
  });
});
