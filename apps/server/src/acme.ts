import {
  acmeBase,
  acmeDirectory,
  acmeOperations,
  acmeProfile,
  AcmeProblem,
  acmeRenewalInfo,
  findAcmeProfile,
  newNonce,
  noSuch,
  noteAcmeRefusal,
  problemOf,
  unsupportedMessage,
  wrongMethod,
  type AcmeAnswer,
  type AcmeProfile,
  type DomainError,
  type Log,
} from '@coffer/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readJson } from './http/bodies.ts';
import { fromFastify, reportError } from './http/faults.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The profile whose ACME server is called; absent before `enter`. */
    acmeProfile: AcmeProfile | undefined;
  }
}

const ROOT = '/api/v1/cert-manager/acme/:profileId';
const MESSAGE_TYPE = 'application/jose+json';
/** Maximum size of a message in bytes, whoever sends it; an order of a hundred long names needs a quarter. */
const BODY_LIMIT = 128 * 1024;

/** Resources that can also be read by GET. */
const READ = ['directory', 'new-nonce'];
const OTHERS = ['PUT', 'PATCH', 'DELETE'];

/**
 * The ACME servers of certificate profiles (RFC 8555), with one directory each. They are not procedures: their messages
 * are self-authenticating, and their responses have another form.
 */
export async function registerAcme(app: FastifyInstance, log: Log): Promise<void> {
  await app.register(async (scope) => {
    scope.decorateRequest('acmeProfile');
    readMessages(scope);
    answerProblems(scope, log);
    serveReads(scope);
    serveNonces(scope);
    for (const [path, operation] of Object.entries(acmeOperations)) {
      serveOperation(scope, path, operation);
      refuseOtherMethods(scope, path);
    }
    refuseOtherPaths(scope);
  });
}

function readMessages(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(MESSAGE_TYPE, { parseAs: 'string' }, (_req, text, done) => {
    try {
      done(null, readJson(text as string));
    } catch (error) {
      done(error as Error);
    }
  });
}

function answerProblems(scope: FastifyInstance, log: Log): void {
  scope.setErrorHandler(async (error, req, reply) => {
    const own = fromFastify(error, req);
    if (!(own instanceof AcmeProblem)) reportError(log, own, req.id);
    else if (req.acmeProfile) await noteAcmeRefusal(req.call, req.acmeProfile, own, operationOf(req));
    const answered = limitOf(req, own) ?? own;
    const problem = problemOf(isMediaType(answered) ? unsupportedMessage() : answered);
    await follow(req, reply);
    if (answered instanceof AcmeProblem && answered.location !== undefined)
      void reply.header('location', answered.location);
    const { retryAfter } = answered as Partial<AcmeProblem>;
    if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
    return send(reply.code(problem.status), 'application/problem+json', JSON.stringify(problem));
  });
}

/** What is answered to a refused external account binding beyond the limit of refused logins. */
const limitOf = ({ acmeProfile: profile, call }: FastifyRequest, error: unknown): DomainError | undefined =>
  profile && error instanceof AcmeProblem && error.refusal?.isBinding
    ? call.http.refusedLogin(`acme:${profile.id}`)
    : undefined;

const operationOf = ({ method, routeOptions }: FastifyRequest) =>
  `${method} ${(routeOptions.url ?? '').slice(ROOT.length + 1)}`;

function serveReads(scope: FastifyInstance): void {
  scope.get(`${ROOT}/directory`, async (req, reply) => sendJson(reply, 200, acmeDirectory(req.call, await enter(req))));
  scope.get(`${ROOT}/renewal-info/:id`, async (req, reply) => {
    const answer = await acmeRenewalInfo(req.call, await enter(req), parametersOf(req).id);
    await follow(req, reply);
    return answerWith(reply, answer);
  });
}

/** HEAD answers 200, GET 204 (RFC 8555, section 7.2). */
function serveNonces(scope: FastifyInstance): void {
  const statuses = { HEAD: 200, GET: 204 } as const;
  for (const method of ['HEAD', 'GET'] as const) {
    scope.route({
      url: `${ROOT}/new-nonce`,
      exposeHeadRoute: false,
      method,
      handler: async (req, reply) => {
        await enter(req);
        await follow(req, reply);
        return reply.code(statuses[method]).send();
      },
    });
  }
}

function serveOperation(scope: FastifyInstance, path: string, operation: (typeof acmeOperations)[string]): void {
  scope.route({
    method: 'POST',
    url: `${ROOT}/${path}`,
    bodyLimit: BODY_LIMIT,
    handler: async (req, reply) => {
      const profile = await enter(req);
      // With a binding, refusals are limited: a client with a wrong one does not keep others behind the same address out.
      if (path === 'new-account' && profile.skipEabBinding) req.call.http.countStrictly('acme.newAccount');
      const { id } = parametersOf(req);
      const { cursor } = req.query as { cursor?: string };
      const request = { profile, url: urlOf(req, profile), body: req.body };
      const answer = await operation(req.call, request, { id, cursor });
      await follow(req, reply);
      return answerWith(reply, answer);
    },
  });
}

function refuseOtherMethods(scope: FastifyInstance, path: string): void {
  const isRead = READ.includes(path);
  scope.route({
    method: isRead ? OTHERS : ['GET', ...OTHERS],
    url: `${ROOT}/${path}`,
    bodyLimit: BODY_LIMIT,
    handler: async (_req, reply) => {
      void reply.header('allow', isRead ? 'GET, HEAD, POST' : 'POST');
      throw wrongMethod();
    },
  });
}

function refuseOtherPaths(scope: FastifyInstance): void {
  for (const url of [ROOT, `${ROOT}/*`]) {
    scope.route({
      method: ['GET', 'POST', ...OTHERS],
      url,
      bodyLimit: BODY_LIMIT,
      handler: async () => {
        throw noSuch('resource');
      },
    });
  }
}

const parametersOf = (req: FastifyRequest) => req.params as { profileId: string; id: string };

/** From here on, the call belongs to the profile's organization; the message authenticates its sender. */
async function enter(req: FastifyRequest): Promise<AcmeProfile> {
  const profile = await acmeProfile(req.call, parametersOf(req).profileId.toLowerCase());
  req.call.actor = { type: 'platform', organizationId: profile.organizationId };
  req.acmeProfile = profile;
  return profile;
}

/** The URL that the client used; the profile's ID is normalized. */
function urlOf(req: FastifyRequest, profile: AcmeProfile): string {
  const rest = req.url.split('/').slice(ROOT.split('/').length).join('/');
  return `${acmeBase(req.call, profile.id)}/${rest}`;
}

/** What every answer has: the next nonce, and where the directory is. */
async function follow(req: FastifyRequest, reply: FastifyReply): Promise<void> {
  const profile = req.acmeProfile ?? (await findAcmeProfile(req.call, parametersOf(req).profileId));
  if (!profile) return;
  link(reply, 'index', `${acmeBase(req.call, profile.id)}/directory`);
  void reply.header('replay-nonce', await newNonce(req.call, profile));
}

const link = (reply: FastifyReply, relation: string, url: string) =>
  void reply.header('link', [reply.getHeader('link') ?? [], `<${url}>;rel="${relation}"`].flat().map(String));

function answerWith(reply: FastifyReply, { status, body, location, links = {}, retryAfter }: AcmeAnswer): FastifyReply {
  if (location !== undefined) void reply.header('location', location);
  for (const [relation, url] of Object.entries(links)) link(reply, relation, url);
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
  if (body === undefined) return reply.code(status).send();
  if (typeof body === 'string') return send(reply.code(status), 'application/pem-certificate-chain', body);
  return sendJson(reply, status, body);
}

const sendJson = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  send(reply.code(status), 'application/json', JSON.stringify(body));

/** These media types have no character sets. */
const send = (reply: FastifyReply, type: string, body: string): FastifyReply =>
  reply.header('content-type', type).send(Buffer.from(body));

const isMediaType = (error: unknown) => (error as { code?: unknown }).code === 'request.media_type';
