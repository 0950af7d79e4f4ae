import {
  admit,
  answerDryRun,
  answerProcedure,
  callProcedure,
  DRY_RUN,
  inputFields,
  isDryRun,
  isKnown,
  jsonInTurns,
  operationsOf,
  pathParameters,
  rateLimitClassOf,
  RawAnswer,
  readInput,
  requireGranted,
  requirePlain,
  type ApiCall,
  type Operation,
  type RouterLike,
  type StateOf,
} from '@coffer/api';
import { DomainError, isPresentState, withinRequest, type Log } from '@coffer/domain';
import formbody from '@fastify/formbody';
import { TRPCError } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { z } from 'zod';
import { isAbandoned, whenGone } from './http/abandoned.ts';
import type { KeptAnswer, KeptAnswers } from './http/kept-answers.ts';
import { answerPieces } from './http/pieces.ts';
import { etagsOf, type EtagOf } from './http/etag.ts';
import { answerEvents, type StreamOptions } from './http/event-stream.ts';
import { fromFastify, reportError } from './http/faults.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

interface RestDoor {
  readonly router: RouterLike;
  /** Maximum size in bytes of bodies of operations that are public or take nothing from their bodies. */
  readonly smallBodyLimit: number;
  readonly log: Log;
  readonly streams: StreamOptions;
  /** See `StoredKeyring.mark`. */
  readonly mark: (text: string) => string;
  readonly answers: KeptAnswers;
}

/** Registers each operation as one native route; see `docs/decisions/` for why not trpc-to-openapi's handler. */
export async function registerRest(
  app: FastifyInstance,
  { router, log, streams, mark, answers, smallBodyLimit }: RestDoor,
): Promise<void> {
  const operations = operationsOf(router);
  const isForm = ({ meta }: Operation) => meta.rest?.form === true;
  const takes = ({ meta }: Operation) => meta.rest?.takes;
  const registerRoute = (on: FastifyInstance, operation: Operation) =>
    addRoute(
      on,
      operation,
      operation.meta.needs === 'public' || !takesBody(operation) ? smallBodyLimit : undefined,
      operation.meta.rest?.events
        ? eventsHandler(operation, log, streams)
        : whileWaitedFor(handlerOf(operation, { mark, answers })),
    );
  for (const operation of operations) if (!isForm(operation) && !takes(operation)) registerRoute(app, operation);
  // A separate scope, so that nothing else parses forms.
  await app.register(async (forms) => {
    await forms.register(formbody);
    for (const operation of operations) if (isForm(operation)) registerRoute(forms, operation);
  });
  for (const operation of operations) {
    const taken = takes(operation);
    if (!taken) continue;
    await app.register(async (scope) => {
      const parse = (_req: FastifyRequest, body: unknown) =>
        Promise.resolve({ [taken.field]: (body as Buffer).toString('base64') });
      scope.addContentTypeParser(taken.type, { parseAs: 'buffer' }, parse);
      scope.addContentTypeParser('*', () => {
        throw new DomainError('unsupported_media_type', 'request.media_type', `Send the body as ${taken.type}`);
      });
      registerRoute(scope, operation);
    });
  }
}

/** Whether fields of its input may come from a body. */
function takesBody({ url, procedure }: Operation): boolean {
  const inPath = pathParameters(url);
  if (procedure._def.inputs?.some(({ def }) => def.type !== 'object')) return true;
  return Object.keys(inputFields(procedure)).some((name) => !inPath.includes(name));
}

/** The path of an operation as Fastify writes it: `/api/v1/tags/:tagId`. */
export function routeOf({ url, meta }: Operation): string {
  const path = url.replace(/\{(.+?)\}/g, ':$1');
  return meta.rest?.takesRest ? path.replace(/:[^/]+$/, '*') : path;
}

function addRoute(
  app: FastifyInstance,
  operation: Operation,
  bodyLimit: number | undefined,
  handler: RouteHandlerMethod,
): void {
  const { path, method, meta, procedure } = operation;
  app.route({
    method,
    url: routeOf(operation),
    ...(bodyLimit !== undefined && { bodyLimit }),
    config: {
      strictlyLimited: meta.needs === 'public' && meta.rest?.strictlyLimited ? path : undefined,
      rateLimitClass: rateLimitClassOf(path, procedure._def),
    },
    handler,
  });
}

type Handler = (req: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Long work stops when the client has disconnected. */
const whileWaitedFor =
  (handler: Handler): Handler =>
  (req, reply) =>
    withinRequest(
      () => isAbandoned(reply),
      () => handler(req, reply),
    );

function handlerOf(operation: Operation, { mark, answers }: Pick<RestDoor, 'mark' | 'answers'>): Handler {
  const { path, method, procedure, meta } = operation;
  requirePlain(procedure, path);
  const lists = method === 'GET' ? listFields(inputFields(procedure)) : [];
  const last = meta.rest?.takesRest ? pathParameters(operation.url).at(-1) : undefined;
  const stateOf = meta.rest?.etag;
  if (stateOf) return conditionalHandler(operation, { stateOf, etagOf: etagsOf(operation, mark), answers, lists });
  return async (req, reply) => {
    const input = inputOf(req, lists, last);
    const dryRun = dryRunOf(req);
    const result = await (dryRun
      ? answerDryRun(procedure, req.call, path, input, dryRun)
      : callProcedure(procedure, req.call, path, input));
    return result instanceof RawAnswer ? answerRaw(req, reply, result) : answerJson(req, reply, result);
  };
}

/** A response whose tag the client has is not sent. */
function answerRaw(req: FastifyRequest, reply: FastifyReply, { type, body, headers, status }: RawAnswer): FastifyReply {
  const { etag } = headers;
  void reply.headers(headers);
  if (etag !== undefined && isKnown(req.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.code(status).header('content-type', type).send(body);
}

type Keep = (body: Buffer) => void;

/** The body, for Fastify to send: a reply would be waited for, as it is a thenable. `keep` gets the bytes. */
function answerJson(
  { call }: FastifyRequest,
  reply: FastifyReply,
  result: unknown,
  keep?: Keep,
): Promise<FastifyReply> | string {
  void reply.header('content-type', JSON_TYPE);
  if (call.hasLongAnswer) return answerInTurns(reply, result, keep);
  const json = JSON.stringify(result ?? {});
  if (keep) keep(Buffer.from(json));
  return json;
}

async function answerInTurns(reply: FastifyReply, result: unknown, keep: Keep | undefined): Promise<FastifyReply> {
  const pieces = await jsonInTurns(result);
  if (keep) keep(Buffer.concat(pieces));
  return answerPieces(reply, pieces);
}

interface Conditions {
  readonly stateOf: StateOf;
  readonly etagOf: EtagOf;
  readonly answers: KeptAnswers;
  readonly lists: readonly string[];
}

/**
 * Reads whose responses depend on a state that is known without the work. The `ETag` is sent only if that state was the
 * same before and after the work: a change in between could be in the response and be rolled back later. A response
 * that was made before is sent again, with the same events, while the database has its state.
 */
function conditionalHandler({ path, procedure }: Operation, { stateOf, etagOf, answers, lists }: Conditions): Handler {
  const { meta, inputs = [] } = procedure._def;
  return async (req, reply) => {
    const { call } = req;
    const rawInput = inputOf(req, lists);
    const dryRun = dryRunOf(req);
    if (dryRun) return answerJson(req, reply, await answerDryRun(procedure, call, path, rawInput, dryRun));
    await admit(call, meta, path);
    const input = readInput(inputs, rawInput) as never;
    const state = await stateOf(call, input);
    if (state === undefined) return answerJson(req, reply, await answerProcedure(procedure, call, path, input));
    const etag = etagOf(input, state);
    const known = req.headers['if-none-match'];
    if (isKnown(known, etag) && (!call.mayHaveWaited || (await call.hasPresentRights())))
      return reply.headers(taggedWith(etag)).code(304).send();
    if (mayBeKept(req) && answers.has(etag) && (await isPresentState(call, state))) {
      const kept = answers.find(etag);
      if (kept && (await mayAnswer(call, kept))) return answerKept(reply.headers(taggedWith(etag)), kept);
    }
    call.reads = [];
    const result = await answerProcedure(procedure, call, path, input);
    if ((await stateOf(call, input)) !== state) return answerJson(req, reply, result);
    void reply.headers(taggedWith(etag));
    if (known?.trim() === '*') return reply.code(304).send();
    if (!answers.wants(etag)) return answerJson(req, reply, result);
    return answerJson(req, reply, result, (body) => answers.keep(etag, { body, events: call.reads! }));
  };
}

/** With `Cache-Control: no-cache`, a client gets a response that is made for it (RFC 9111, section 5.2.1.4). */
const mayBeKept = ({ headers }: FastifyRequest): boolean =>
  !headers['cache-control']?.includes('no-cache') && headers['if-none-match']?.trim() !== '*';

/** Commits the events of a kept response. Returns whether the caller still has the rights by which it was made. */
async function mayAnswer(call: ApiCall, { events }: KeptAnswer): Promise<boolean> {
  await Promise.all(events.map((event) => call.commitRead(event, call)));
  return !call.mayHaveWaited || call.hasPresentRights();
}

const answerKept = (reply: FastifyReply, { body }: KeptAnswer): FastifyReply =>
  answerPieces(reply.header('content-type', JSON_TYPE), [body]);

/** Subscriptions, which are answered with a stream. */
function eventsHandler({ path, procedure }: Operation, log: Log, streams: StreamOptions): RouteHandlerMethod {
  requirePlain(procedure, path);
  const { meta, inputs = [], resolver, type } = procedure._def;
  return async (req, reply) => {
    const { call } = req;
    const dryRun = dryRunOf(req);
    if (dryRun?.some(isDryRun)) return answerDryRun(procedure, call, path, {}, dryRun);
    await admit(call, meta, path);
    const lastEventId = req.headers['last-event-id'];
    const input = readInput(inputs, { ...(lastEventId !== undefined && { lastEventId }), ...inputOf(req, []) });
    const gone = new AbortController();
    const end = () => gone.abort();
    whenGone(reply, end);
    let items: AsyncIterable<unknown>;
    try {
      items = (await resolver({ ctx: call, input, path, type, signal: gone.signal })) as AsyncIterable<unknown>;
      await requireGranted(call, meta, path);
    } catch (error) {
      end();
      throw error;
    }
    const report = (error: unknown) => reportError(log, fromFastify(error, req), req.id).body;
    return answerEvents(reply, { ...streams, items, end, report });
  };
}

const taggedWith = (etag: string) => ({ etag, 'cache-control': 'private, no-cache' });

/** The values of `dryRun` in the query and the body, if any. */
function dryRunOf({ query, body, method }: FastifyRequest): unknown[] | undefined {
  const given = (query as Record<string, unknown>)[DRY_RUN];
  const sent = method === 'GET' || body === undefined || body === null ? undefined : (body as Record<string, unknown>);
  const isSent = sent !== undefined && Object.hasOwn(sent, DRY_RUN);
  if (given === undefined && !isSent) return undefined;
  return [...(given === undefined ? [] : [given]), ...(isSent ? [sent[DRY_RUN]] : [])];
}

/**
 * Precedence of equal names: path, query, body for a GET; path, body, query otherwise. The body of a GET is ignored.
 */
function inputOf(req: FastifyRequest, lists: readonly string[], last?: string): object {
  const { body, method } = req;
  const params = last === undefined ? (req.params as object) : withRest(req, last);
  const query = queryOf(req);
  for (const name of lists) if (typeof query[name] === 'string') query[name] = [query[name]];
  if (method === 'GET' || body === undefined || body === null) return { ...query, ...params };
  if (typeof body !== 'object' || Array.isArray(body)) throw new TRPCError({ code: 'BAD_REQUEST', cause: NO_OBJECT });
  return { ...query, ...body, ...params };
}

/** The rest of the path; the router removes one slash at its end, which may be the last character of base64. */
function withRest(req: FastifyRequest, last: string): object {
  const { '*': rest = '', ...params } = req.params as Record<string, string>;
  const isCut = req.raw.url?.split('?')[0]?.endsWith('/');
  return { ...params, [last]: isCut ? `${rest}/` : rest };
}

const NO_OBJECT = z.object({}).safeParse([]).error;

/** Fastify accepts invalid percent-encoding literally; here it is rejected. */
function queryOf(req: FastifyRequest): Record<string, unknown> {
  const { url = '' } = req.raw;
  const at = url.indexOf('?');
  if (at !== -1 && url.includes('%', at)) {
    try {
      decodeURIComponent(url.slice(at));
    } catch {
      throw new DomainError(
        'bad_request',
        'request.malformed',
        'The query is not URL-encoded: a % must be followed by two hexadecimal digits and encode UTF-8',
      );
    }
  }
  return req.query as Record<string, unknown>;
}

/** The fields of a query that are lists: given once, they arrive as text. */
function listFields(fields: Readonly<Record<string, z.ZodType>>): string[] {
  return Object.entries(fields).flatMap(([name, field]) => (isList(field) ? [name] : []));
}

function isList(schema: z.ZodType): boolean {
  const { type, innerType, in: input } = schema.def as { type: string; innerType?: z.ZodType; in?: z.ZodType };
  const inner = innerType ?? (type === 'pipe' ? input : undefined);
  return type === 'array' || (inner !== undefined && isList(inner));
}
