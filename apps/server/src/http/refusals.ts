import { AcmeProblem, DomainError, noteRefusedRequest } from '@coffer/domain';
import { TRPCError } from '@trpc/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { discardBody } from './body-gate.ts';
import { refusedToken, type Limits } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operations that a request calls, for the audit log; default: the route. */
    operationsOf?: (req: FastifyRequest) => readonly string[] | undefined;
  }
}

/**
 * Records refused requests and counts refused tokens, before any error handler answers them: those of the body gate and
 * of handlers, at every route. Calls of tRPC that are answered individually do so themselves.
 */
export function watchRefusals(app: FastifyInstance, limits: Limits): void {
  app.addHook('onError', async (req, reply, error) => {
    discardBody(req, reply);
    const refusal = error instanceof TRPCError ? error.cause : error;
    // Messages of ACME have no tokens, and their refusals are recorded by the handler of its errors.
    if (!(refusal instanceof DomainError) || refusal instanceof AcmeProblem) return;
    for (const operation of operationsOf(req)) await noteRefusedRequest(req.call, refusal, operation);
    if (refusal.kind === 'unauthenticated') refusedToken(limits, req);
  });
}

const operationsOf = (req: FastifyRequest): readonly string[] => {
  const { url = '', config } = req.routeOptions;
  return config.operationsOf?.(req) ?? [`${req.method} ${url}`];
};
