import { z } from 'zod';
import { badRequest, unauthenticated, type OutboundFetch } from '../../../../kernel/index.ts';

/** Milliseconds. */
const TIMEOUT = 10_000;
const MAX_BYTES = 256 * 1024;
const PATH = '/apis/authentication.k8s.io/v1/tokenreviews';

/** The response of a cluster; absent fields are false or empty. */
const TokenReview = z.object({
  kind: z.literal('TokenReview'),
  status: z.object({
    authenticated: z.boolean().default(false),
    error: z.string().default(''),
    audiences: z.array(z.string()).default([]),
    user: z.object({ username: z.string().default('') }).default({ username: '' }),
  }),
});

/** A namespace has at most 63 characters, an account 253, however it is divided by dots. */
const SERVICE_ACCOUNT =
  /^system:serviceaccount:([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?):(?=.{1,253}$)([a-z0-9]+(?:(?:-+|\.)[a-z0-9]+)*)$/;
/** What can be sent in a header and is no other kind of token. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export const refusedBy = (reason: string, message: string) => unauthenticated(`kubernetes_auth.${reason}`, message);

interface Cluster {
  readonly kubernetesHost: string;
  readonly caCert: string;
  readonly tokenReviewerJwt: string | null;
  readonly allowedAudience: string;
}

/**
 * Has a cluster verify a token (authentication.k8s.io/v1, TokenReview). The cluster checks signature, expiry, audience
 * and that the account still exists.
 *
 * @throws DomainError 401 if the cluster rejects the token or it does not belong to a service account; 400 if the
 * cluster is unreachable, rejects the reviewer, or responds with something else.
 */
export async function reviewToken(
  fetch: OutboundFetch,
  { kubernetesHost, caCert, tokenReviewerJwt, allowedAudience }: Cluster,
  token: string,
): Promise<{ namespace: string; name: string }> {
  if (!JWT.test(token)) throw refusedBy('malformed', 'This is not the token of a service account');
  const audiences = allowedAudience ? [allowedAudience] : undefined;
  const answer = await fetch(kubernetesHost.replace(/\/+$/, '') + PATH, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tokenReviewerJwt || token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token, audiences } }),
    timeoutMs: TIMEOUT,
    maxBytes: MAX_BYTES,
    maxRedirects: 0,
    ...(caCert && { ca: caCert }),
  });
  if (answer.status === 401 || answer.status === 403) throw refusedReviewer(Boolean(tokenReviewerJwt));
  if (answer.status !== 200 && answer.status !== 201) throw unusable(`status ${answer.status}`);
  const review = TokenReview.safeParse(answer.json());
  if (!review.success) throw unusable('something other than a TokenReview');
  const { authenticated, error, audiences: compatible, user } = review.data.status;
  if (!authenticated || error) throw refusedBy('rejected', 'The cluster rejected this token');
  // A cluster without support for audiences returns none.
  if (allowedAudience && !compatible.includes(allowedAudience))
    throw refusedBy('audience', 'This token has another audience');
  const [, namespace, name] = SERVICE_ACCOUNT.exec(user.username) ?? [];
  if (!namespace || !name) throw refusedBy('subject', 'This is not the token of a service account');
  return { namespace, name };
}

const unusable = (what: string) =>
  badRequest('kubernetes_auth.bad_answer', `The API server of the cluster answered ${what}`);

const refusedReviewer = (hasReviewer: boolean) =>
  hasReviewer
    ? badRequest('kubernetes_auth.reviewer', 'The cluster does not permit tokenReviewerJwt to review tokens')
    : refusedBy('rejected', 'The cluster rejected this token, or does not permit it to review tokens');
