import { createHash } from 'node:crypto';
import type { AppRouter } from '@coffer/api';
import { publicError, type ApiCall, type Meta } from '@coffer/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** What a tRPC procedure is made of, as far as the adapter needs it. */
export interface ProcedureLike {
  (options: object): Promise<unknown>;
  readonly _def: { readonly type: string; readonly meta?: Meta };
}

export interface Operation {
  readonly path: string;
  readonly method: Method;
  readonly url: string;
  readonly procedure: ProcedureLike;
  readonly meta: Meta;
}

/** Every REST operation of a router: one for each procedure with metadata, and one for each alias of it. */
export function operationsOf(router: AppRouter): Operation[] {
  return Object.entries(router._def.procedures as unknown as Record<string, ProcedureLike>).flatMap(([path, procedure]) => {
    const { meta } = procedure._def;
    if (!meta?.openapi || meta.openapi.enabled === false) return [];
    const { method } = meta.openapi;
    return [meta.openapi.path, ...(meta.rest?.aliases ?? [])].map((url) => ({ path, method, url, procedure, meta }));
  });
}

/** Registers each operation as one native route; see `docs/decisions/` for why not trpc-to-openapi's handler. */
export function registerRest(app: FastifyInstance, router: AppRouter, callFor: (req: FastifyRequest, reply: FastifyReply) => ApiCall): void {
  for (const { path, method, url, procedure, meta } of operationsOf(router)) {
    const hasEtag = meta.rest?.etag === true;
    app.route({
      method,
      url: url.replace(/\{(.+?)\}/g, ':$1'),
      exposeHeadRoute: false,
      config: { form: meta.rest?.form === true, strictlyLimited: meta.rest?.strictlyLimited === true },
      handler: async (req, reply) => {
        const result = await procedure({
          ctx: callFor(req, reply),
          getRawInput: () => Promise.resolve(inputOf(req)),
          path,
          type: procedure._def.type,
          signal: undefined,
          batchIndex: 0,
        });
        const body = JSON.stringify(result ?? {});
        if (hasEtag) {
          const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
          void reply.header('etag', etag).header('cache-control', 'private, no-cache');
          if (req.headers['if-none-match'] === etag) return reply.code(304).send();
        }
        return reply.header('content-type', 'application/json; charset=utf-8').send(body);
      },
    });
  }
}

/** Path over query over body where names meet on a GET; path over body over query elsewhere. A GET's body does not count. */
function inputOf(req: FastifyRequest): object {
  const query = req.query as object;
  const body = req.method === 'GET' || typeof req.body !== 'object' || req.body === null ? undefined : req.body;
  return { ...query, ...body, ...(req.params as object) };
}

/** Answers any error in the published shape, and logs those that are Coffer's own fault. */
export function sendError(error: unknown, req: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { body, retryAfter, isBug } = publicError(error, req.id);
  if (isBug) req.log.error({ err: error }, 'A request failed on our side');
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
  return reply.code(body.statusCode).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body));
}
