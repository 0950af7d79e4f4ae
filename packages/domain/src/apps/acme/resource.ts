import { z } from 'zod';

// The resources of RFC 8555, as far as they are used.

const url = z.string().regex(/^https:\/\/[^\s]+$/);

export const Directory = z.object({
  newNonce: url,
  newAccount: url,
  newOrder: url,
  revokeCert: url,
  meta: z.object({ externalAccountRequired: z.boolean().optional() }).optional(),
});
export type Directory = z.output<typeof Directory>;

/** RFC 7807. */
export const Problem = z.object({
  type: z.string().catch(''),
  detail: z.string().catch(''),
  subproblems: z
    .array(z.object({ detail: z.string().catch(''), identifier: z.object({ value: z.string() }).optional() }))
    .optional()
    .catch(undefined),
});
export type Problem = z.output<typeof Problem>;

export const AcmeOrder = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  authorizations: z.array(url),
  finalize: url,
  certificate: url.optional(),
  error: Problem.optional(),
});
export type AcmeOrder = z.output<typeof AcmeOrder>;

const Challenge = z.object({
  type: z.string(),
  url: url,
  status: z.string(),
  token: z
    .string()
    .regex(/^[\w-]+$/)
    .optional(),
  error: Problem.optional(),
});

export const Authorization = z.object({
  identifier: z.object({ type: z.string(), value: z.string() }),
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  challenges: z.array(Challenge),
  wildcard: z.boolean().optional(),
});
export type Authorization = z.output<typeof Authorization>;

/** What a problem says, with the names that it is about. */
export function wordsOfProblem({ type, detail, subproblems = [] }: Problem): string {
  const kind = type.replace('urn:ietf:params:acme:error:', '');
  const parts = subproblems.map(({ detail: why, identifier }) => [identifier?.value, why].filter(Boolean).join(': '));
  return [[kind, detail].filter(Boolean).join(': '), ...parts].filter(Boolean).join('; ');
}
