import {
  errorShape,
  proceduresOf,
  publicError,
  rateLimitClassOf,
  rateLimitClassOfRoute,
  type ApiCall,
  type ProcedureLike,
  type RouterLike,
} from '@coffer/api';
import { DomainError, type Log, type RateLimitClass } from '@coffer/domain';
import { TRPCError, type AnyRouter } from '@trpc/server';
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReadJson } from './http/bodies.ts';
import { attendReader, type StreamOptions } from './http/event-stream.ts';
import { fromFastify, reportError } from './http/faults.ts';
import { refusedToken, type Limits } from './http/rate-limit.ts';

const MAX_BATCH = 100;

interface Door {
  readonly router: RouterLike;
  readonly log: Log;
  readonly limits: Limits;
  readonly readJson: ReadJson;
  readonly streams: StreamOptions;
}

/**
 * Serves the same procedures at `/api/trpc`, individually and in batches, with the responses, errors and limits of
 * REST.
 */
export async function registerTrpc(
  app: FastifyInstance,
  { router, log, limits, readJson, streams }: Door,
): Promise<void> {
  const procedures = new Map(proceduresOf(router));
  const served = separately(router);

  await app.register(async (door) => {
    door.setErrorHandler((error, req, reply) => {
      const cause = fromFastify(error);
      const { body, trpcCode, retryAfter } = reportError(log, cause, req.id);
      if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
      const shape = errorShape({ data: {} }, new TRPCError({ code: trpcCode, cause }), req.call);
      return reply
        .code(body.statusCode)
        .header('content-type', 'application/json')
        .send(JSON.stringify({ error: shape }));
    });
    door.route<{ Params: { path: string }; Querystring: Record<string, unknown> }>({
      method: ['GET', 'POST'],
      url: '/api/trpc/:path',
      config: { rateLimitClass: (req) => classOf(namesOf(req)[0], req) },
      handler: async (req, reply) => {
        const names = namesOf(req);
        if (!isBatch(req) && !procedures.has(req.params.path)) throw noProcedure();
        requireReadable(req, names, procedures, readJson);
        countCalls(req, reply, names);
        if (names.some((name) => procedures.get(name)?._def.type === 'subscription'))
          attendReader(reply, streams.patienceMs);
        await fastifyRequestHandler({
          req,
          res: reply,
          path: req.params.path,
          router: served as AnyRouter,
          createContext: () => req.call,
          maxBatchSize: MAX_BATCH,
          onError: ({ error }) => {
            const { body } = reportError(log, error, req.id);
            if (body.statusCode === 401) refusedToken(limits, req);
          },
          responseMeta: ({ errors }) => {
            const waits = errors.flatMap((error) => publicError(error, req.id).retryAfter ?? []);
            return waits.length > 0 ? { headers: { 'retry-after': String(Math.max(...waits)) } } : {};
          },
        });
        return reply;
      },
    });
  });

  function classOf(name: string | undefined, { method }: FastifyRequest): RateLimitClass {
    const procedure = procedures.get(name ?? '');
    return procedure ? rateLimitClassOf(name!, procedure._def) : rateLimitClassOfRoute(method);
  }

  /** The first call is counted with the request; a batch counts each of its calls. */
  function countCalls(req: FastifyRequest, reply: FastifyReply, names: readonly string[]): void {
    const { http, request } = req.call;
    for (const name of names.slice(1))
      limits.count(classOf(name, req), http.credential?.text, request.ipAddress, reply);
    for (const name of names) {
      const { needs, rest } = procedures.get(name)?._def.meta ?? {};
      if (needs === 'public' && rest?.strictlyLimited) limits.countStrictly(name, request.ipAddress, reply);
    }
  }
}

const isBatch = ({ query }: FastifyRequest): boolean => (query as Record<string, unknown>)['batch'] === '1';

/** The procedures that a request calls. */
function namesOf(req: FastifyRequest): string[] {
  const { path } = req.params as { path: string };
  return isBatch(req) ? path.split(',') : [path];
}

/**
 * tRPC has one context for all calls of a batch; here each has its own. The record has no prototype: tRPC looks up
 * names in it, and `toString` is not a procedure.
 */
function separately(router: RouterLike): RouterLike {
  const procedures = Object.create(null) as Record<string, ProcedureLike>;
  for (const [name, procedure] of proceduresOf(router)) procedures[name] = separate(procedure);
  return { ...router, _def: { ...router._def, procedures } };
}

interface CallOptions {
  readonly ctx: ApiCall;
  readonly getRawInput: () => Promise<unknown>;
}

function separate(procedure: ProcedureLike): ProcedureLike {
  const call = async (options: CallOptions): Promise<unknown> => {
    const ctx = options.ctx.fresh();
    try {
      return await procedure({ ...options, ctx, getRawInput: async () => (await options.getRawInput()) ?? {} });
    } finally {
      // The log names the authenticated actor.
      options.ctx.actor = ctx.actor;
      options.ctx.isCredentialVerified ||= ctx.isCredentialVerified;
    }
  };
  return Object.assign(call as (options: object) => Promise<unknown>, { _def: procedure._def });
}

const malformed = (message: string) => new DomainError('bad_request', 'request.malformed', message);
const noProcedure = () => new DomainError('not_found', 'procedure.not_found', 'There is no such procedure');

/** Refuses what tRPC itself would refuse without a context, and so without the request's id. */
function requireReadable(
  req: FastifyRequest,
  names: readonly string[],
  procedures: ReadonlyMap<string, ProcedureLike>,
  readJson: ReadJson,
): void {
  if (names.length > MAX_BATCH) throw malformed(`A batch can have at most ${MAX_BATCH} calls`);
  const types = new Set(names.flatMap((name) => procedures.get(name)?._def.type ?? []));
  if (types.size > 1) throw malformed('A batch can contain either queries or mutations');
  const { batch, input } = req.query as Record<string, unknown>;
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (req.method === 'GET') {
    delete req.raw.headers['content-type'];
    const inputs = input === undefined ? undefined : readJson(typeof input === 'string' ? input : '');
    if (batch === '1' && inputs !== undefined && !isObject(inputs))
      throw malformed('The input of a batch must be an object');
    return;
  }
  if (!req.headers['content-type'])
    throw new DomainError('unsupported_media_type', 'request.media_type', 'Send the body as application/json');
  if (batch === '1' && req.body !== undefined && !isObject(req.body))
    throw malformed('The input of a batch must be an object');
}
