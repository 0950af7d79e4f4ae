import type { RateLimitClass } from '@coffer/domain';
import type { ProcedureLike } from './operations.ts';

/** Paths of secrets in every version of the API, of their containers and changes, and of dynamic secrets. */
const SECRETS = /^\/api\/v\d+\/(?:secret|dynamic-secret)/;

/** Routes beside the router that take no credential: the documentation, and ACME. */
const PUBLIC_ROUTES = /^\/api\/(?:docs|v1\/cert-manager\/acme)(?:\/|$)/;

/** The class of a request to a route beside the router, or to none. */
export const rateLimitClassOfRoute = (method: string, url = ''): RateLimitClass =>
  PUBLIC_ROUTES.test(url) ? 'publicEndpointLimit' : classOfMethod(method);

const classOfMethod = (method: string): RateLimitClass =>
  method === 'GET' || method === 'HEAD' ? 'readRateLimit' : 'writeRateLimit';

/**
 * The rate limit class of an operation; the first that fits. All aliases of an operation, and tRPC, share it. No operation
 * is in the class `mfaRateLimit`.
 */
export function rateLimitClassOf(path: string, { meta, type }: ProcedureLike['_def']): RateLimitClass {
  const { method = type === 'mutation' ? 'POST' : 'GET', path: url = '' } = meta?.openapi ?? {};
  const { limitsRefusals, strictlyLimited, takesCredential } = meta?.rest ?? {};
  const isPublic = meta?.needs === 'public';
  if (limitsRefusals || (isPublic && strictlyLimited)) return 'authRateLimit';
  if (path.startsWith('invitations.')) return 'inviteUserRateLimit';
  if (SECRETS.test(url)) return 'secretsRateLimit';
  if (isPublic && !takesCredential) return 'publicEndpointLimit';
  return classOfMethod(method);
}
