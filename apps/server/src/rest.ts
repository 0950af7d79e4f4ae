import { hash } from 'node:crypto';
import {
  answerDryRun,
  callProcedure,
  DRY_RUN,
  inputFields,
  operationsOf,
  requirePlain,
  type Operation,
  type RouterLike,
} from '@coffer/api';
import { DomainError } from '@coffer/domain';
import formbody from '@fastify/formbody';
import { TRPCError } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { z } from 'zod';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Registers each operation as one native route; see `docs/decisions/` for why not trpc-to-openapi's handler. */
export async function registerRest(app: FastifyInstance, router: RouterLike): Promise<void> {
  const operations = operationsOf(router);
  const isForm = ({ meta }: Operation) => meta.rest?.form === true;
  for (const operation of operations) if (!isForm(operation)) registerRoute(app, operation);
  // A scope of its own, so that nothing else reads forms.
  await app.register(async (forms) => {
    await forms.register(formbody);
    for (const operation of operations) if (isForm(operation)) registerRoute(forms, operation);
  });
}

function registerRoute(app: FastifyInstance, operation: Operation): void {
  const { method, url, meta } = operation;
  app.route({
    method,
    url: url.replace(/\{(.+?)\}/g, ':$1'),
    config: { strictlyLimited: meta.rest?.strictlyLimited === true },
    handler: handlerOf(operation),
  });
}

function handlerOf({ path, method, procedure, meta }: Operation): RouteHandlerMethod {
  requirePlain(procedure, path);
  const lists = method === 'GET' ? listFields(inputFields(procedure)) : [];
  const answer = meta.rest?.etag === true ? answerWithEtag : answerJson;
  return async (req, reply) => {
    const input = inputOf(req, lists);
    const dryRun = dryRunOf(req);
    const result = await (dryRun
      ? answerDryRun(procedure, req.call, path, input, dryRun)
      : callProcedure(procedure, req.call, path, input));
    return answer(req, reply, JSON.stringify(result ?? {}));
  };
}

const answerJson = (_req: FastifyRequest, reply: FastifyReply, body: string): FastifyReply =>
  reply.header('content-type', JSON_TYPE).send(body);

function answerWithEtag(req: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  const etag = `"${hash('sha1', body, 'base64url')}"`;
  void reply.header('etag', etag).header('cache-control', 'private, no-cache');
  return matchesEtag(req.headers['if-none-match'], etag) ? reply.code(304).send() : answerJson(req, reply, body);
}

/** `If-None-Match` is a list and compares weakly (RFC 9110, section 13.1.2): proxies that compress weaken tags. */
const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));

/** What the query and the body say of `dryRun`, where they say something. */
function dryRunOf({ query, body, method }: FastifyRequest): unknown[] | undefined {
  const given = (query as Record<string, unknown>)[DRY_RUN];
  const sent = method === 'GET' || body === undefined || body === null ? undefined : (body as Record<string, unknown>);
  const isSent = sent !== undefined && Object.hasOwn(sent, DRY_RUN);
  if (given === undefined && !isSent) return undefined;
  return [...(given === undefined ? [] : [given]), ...(isSent ? [sent[DRY_RUN]] : [])];
}

/** Path over query over body where names meet on a GET; path over body over query elsewhere. A GET's body does not count. */
function inputOf(req: FastifyRequest, lists: readonly string[]): object {
  const { body, method } = req;
  const query = queryOf(req);
  for (const name of lists) if (typeof query[name] === 'string') query[name] = [query[name]];
  if (method === 'GET' || body === undefined || body === null) return { ...query, ...(req.params as object) };
  if (typeof body !== 'object' || Array.isArray(body)) throw new TRPCError({ code: 'BAD_REQUEST', cause: NO_OBJECT });
  return { ...query, ...body, ...(req.params as object) };
}

const NO_OBJECT = z.object({}).safeParse([]).error;

/** Fastify takes a query that is wrongly encoded as it stands; here, text is what it says or refused. */
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
        'The query is not encoded as a URL: a % must be followed by two hexadecimal digits, and make UTF-8',
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
