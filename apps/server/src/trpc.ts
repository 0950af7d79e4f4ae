import {
  errorShape,
  proceduresOf,
  rateLimitClassOf,
  rateLimitClassOfRoute,
  requirePlain,
  type ApiCall,
  type ProcedureLike,
  type RouterLike,
} from '@coffer/api';
import { DomainError, withinRequest, type Log, type RateLimitClass } from '@coffer/domain';
import { TRPCError, type AnyRouter } from '@trpc/server';
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAbandoned } from './http/abandoned.ts';
import { readJson } from './http/bodies.ts';
import { attendReader, type StreamOptions } from './http/event-stream.ts';
import type { Place } from './http/fair-queue.ts';
import { fromFastify, reportError } from './http/faults.ts';
import { answerPieces } from './http/pieces.ts';
import { refusedToken, type Limits } from './http/rate-limit.ts';
import {
  answerTyped,
  failed,
  fewAtATime,
  announcerOf,
  joined,
  roomOfRequest,
  type TypedAnswer,
  type TypedCall,
} from './trpc-calls.ts';

const MAX_BATCH = 100;

interface Door {
  readonly router: RouterLike;
  readonly log: Log;
  readonly limits: Limits;
  readonly streams: StreamOptions;
  /** See `FairQueue.enter`. */
  readonly enter: (req: FastifyRequest, start: (place: Place) => void) => Place;
  /** See `gateOf`. */
  readonly prove: (req: FastifyRequest, reply: FastifyReply, name: RateLimitClass) => Promise<void> | undefined;
}

/**
 * Serves the same procedures at `/api/trpc`, individually and in batches, with the responses, errors and limits of
 * REST. Only streams use tRPC's own handler: it runs all calls of a batch concurrently, and serializes all responses in
 * one turn of the event loop.
 */
export async function registerTrpc(app: FastifyInstance, door: Door): Promise<void> {
  const { router, log, limits, prove } = door;
  const procedures = new Map(proceduresOf(router));
  for (const [path, procedure] of procedures) requirePlain(procedure, path);
  const { answerCalls, stream } = answersOf(door);

  await app.register(async (scope) => {
    scope.setErrorHandler((error, req, reply) => {
      const cause = fromFastify(error, req);
      const { body, trpcCode, retryAfter } = reportError(log, cause, req.id);
      if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
      const shape = errorShape({ data: {} }, new TRPCError({ code: trpcCode, cause }), req.call);
      return reply
        .code(body.statusCode)
        .header('content-type', 'application/json')
        .send(JSON.stringify({ error: shape }));
    });
    scope.route<{ Params: { path: string }; Querystring: Record<string, unknown> }>({
      method: ['GET', 'POST'],
      url: '/api/trpc/:path',
      exposeHeadRoute: false,
      config: { rateLimitClass: (req) => classOf(namesOf(req)[0], req), operationsOf },
      handler: async (req, reply) => {
        const names = namesOf(req);
        if (!isBatch(req) && !procedures.has(req.params.path)) throw noProcedure();
        const inputs = readInputs(req, names, procedures);
        await countCalls(req, reply, names);
        if (!isBatch(req) && procedures.get(names[0]!)?._def.type === 'subscription') return stream(req, reply);
        const calls = names.map((name, index) => ({ name, procedure: procedures.get(name), input: inputs[index] }));
        return withinRequest(
          () => isAbandoned(reply),
          () => answerCalls(req, reply, calls),
        );
      },
    });
  });

  function classOf(name: string | undefined, { method }: FastifyRequest): RateLimitClass {
    const procedure = procedures.get(name ?? '');
    return procedure ? rateLimitClassOf(name!, procedure._def) : rateLimitClassOfRoute(method);
  }

  /** Other names are input of the caller. */
  function operationsOf(req: FastifyRequest): string[] | undefined {
    const known = new Set(namesOf(req).filter((name) => procedures.has(name)));
    return known.size === 0 ? undefined : Array.from(known, (name) => `tRPC ${name}`);
  }

  /** The first call is counted with the request; a batch counts each of its calls. */
  async function countCalls(req: FastifyRequest, reply: FastifyReply, names: readonly string[]): Promise<void> {
    const { http, request } = req.call;
    for (const name of names.slice(1)) {
      limits.count(classOf(name, req), http.credential, request.ipAddress, reply);
      await prove(req, reply, classOf(name, req));
    }
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

/** Runs the calls of admitted requests. */
function answersOf({ router, log, limits, streams, enter }: Door) {
  const served = streamsOf(router);

  /** Logs and counts an error, and sets `retry-after`. */
  function report(req: FastifyRequest, reply: FastifyReply, error: TRPCError): number {
    const { body, retryAfter } = reportError(log, error, req.id);
    if (body.statusCode === 401) refusedToken(limits, req);
    if (error.code === 'METHOD_NOT_SUPPORTED') void reply.header('allow', req.method === 'GET' ? 'POST' : 'GET');
    if (retryAfter !== undefined && !reply.sent) {
      const known = Number(reply.getHeader('retry-after') ?? 0);
      void reply.header('retry-after', String(Math.max(known, retryAfter)));
    }
    return body.statusCode;
  }

  /** Each call of a batch waits for its turn, like a request. */
  async function answerCalls(
    req: FastifyRequest,
    reply: FastifyReply,
    calls: readonly TypedCall[],
  ): Promise<FastifyReply> {
    const common = {
      method: req.method,
      room: roomOfRequest(),
      report: (error: TRPCError) => report(req, reply, error),
    };
    const answer = (call: TypedCall, ctx: ApiCall) =>
      leavingNothing(req.call, ctx, () => answerTyped(call, { ...common, call: ctx }));
    if (!isBatch(req)) return send(reply, await answer(calls[0]!, req.call.fresh()));
    if (calls.length === 1) return send(reply, joined([await answer(calls[0]!, req.call.fresh())]));
    const turns = turnsOf(req, reply, enter);
    const announceAnswer = announcerOf(req.call.http);
    const answers = await fewAtATime(calls, (call) =>
      turns((place) => answer(call, req.call.fresh({ ...waitsOf(place), announceAnswer }))).catch((error: unknown) =>
        failed(error, { ...common, call: req.call }),
      ),
    );
    return send(reply, joined(answers));
  }

  async function stream(req: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    attendReader(reply, streams.patienceMs);
    await fastifyRequestHandler({
      req,
      res: reply,
      path: namesOf(req)[0]!,
      router: served as AnyRouter,
      createContext: () => req.call,
      onError: ({ error }) => void report(req, reply, error),
    });
    return reply;
  }

  return { answerCalls, stream };
}

const send = (reply: FastifyReply, { status, pieces }: TypedAnswer): FastifyReply =>
  answerPieces(reply.code(status).header('content-type', 'application/json'), pieces);

/** Each call has its own context. The log names the authenticated actor. */
async function leavingNothing<T>(request: ApiCall, call: ApiCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    request.actor = call.actor;
    request.isCredentialVerified ||= call.isCredentialVerified;
  }
}

const waitsOf = (place: Place) => ({
  beginWait: (isLong?: boolean) => place.beginWait(isLong),
  endWait: () => place.endWait(),
});

/** Runs work in turn with other requests. The request itself only waits, and frees its place. */
function turnsOf(req: FastifyRequest, reply: FastifyReply, enter: Door['enter']) {
  const places = new Set<Place>();
  req.place?.leave();
  reply.raw.once('close', () => {
    for (const place of places) place.leave();
  });
  return async <T>(work: (place: Place) => Promise<T>): Promise<T> => {
    const place = await new Promise<Place>((resolve) => places.add(enter(req, resolve)));
    try {
      return await work(place);
    } finally {
      places.delete(place);
      place.leave();
    }
  };
}

/**
 * The streams, for tRPC. The record has no prototype: tRPC looks up names in it, and `toString` is not a procedure.
 */
function streamsOf(router: RouterLike): RouterLike {
  const procedures = Object.create(null) as Record<string, ProcedureLike>;
  for (const [name, procedure] of proceduresOf(router))
    if (procedure._def.type === 'subscription') procedures[name] = separate(procedure);
  return { ...router, _def: { ...router._def, procedures } };
}

interface CallOptions {
  readonly ctx: ApiCall;
  readonly getRawInput: () => Promise<unknown>;
}

function separate(procedure: ProcedureLike): ProcedureLike {
  const call = (options: CallOptions): Promise<unknown> => {
    const ctx = options.ctx.fresh();
    const getRawInput = async () => (await options.getRawInput()) ?? {};
    return leavingNothing(options.ctx, ctx, () => procedure({ ...options, ctx, getRawInput }));
  };
  return Object.assign(call as (options: object) => Promise<unknown>, { _def: procedure._def });
}

const malformed = (message: string) => new DomainError('bad_request', 'request.malformed', message);
const noProcedure = () => new DomainError('not_found', 'procedure.not_found', 'There is no such procedure');

/** The inputs of the calls, by their index. Refuses what tRPC refuses without a context, and so without the request's id. */
function readInputs(
  req: FastifyRequest,
  names: readonly string[],
  procedures: ReadonlyMap<string, ProcedureLike>,
): Readonly<Record<number, unknown>> {
  if (names.length > MAX_BATCH) throw malformed(`A batch can have at most ${MAX_BATCH} calls`);
  const types = new Set(names.flatMap((name) => procedures.get(name)?._def.type ?? []));
  if (types.size > 1) throw malformed('A batch can contain either queries or mutations');
  const inputs = inputsOf(req);
  if (!isBatch(req)) return [inputs];
  if (inputs === undefined) return [];
  if (typeof inputs !== 'object' || inputs === null || Array.isArray(inputs))
    throw malformed('The input of a batch must be an object');
  return inputs as Record<number, unknown>;
}

function inputsOf(req: FastifyRequest): unknown {
  if (req.method === 'GET') {
    delete req.raw.headers['content-type'];
    const { input } = req.query as Record<string, unknown>;
    return input === undefined ? undefined : readJson(typeof input === 'string' ? input : '');
  }
  if (!req.headers['content-type'])
    throw new DomainError('unsupported_media_type', 'request.media_type', 'Send the body as application/json');
  return req.body;
}
