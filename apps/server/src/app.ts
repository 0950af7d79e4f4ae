import {
  ApiCall,
  appRouter,
  operationsOf,
  rateLimitClassOfRoute,
  requireCredential,
  type RouterLike,
} from '@coffer/api';
import {
  beyondLimit,
  clientAddress,
  DomainError,
  remembering,
  type Coffer,
  type Log,
  type RateLimitClass,
} from '@coffer/domain';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { registerAcme } from './acme.ts';
import { registerAuditExport } from './audit-export.ts';
import { registerConsole, type ConsoleSource } from './console/routes.ts';
import { registerDocs } from './docs.ts';
import { acceptJson } from './http/bodies.ts';
import { rememberingMarks } from './http/etag.ts';
import type { StreamOptions } from './http/event-stream.ts';
import { FairQueue, type Place } from './http/fair-queue.ts';
import { BodyGate, discardBody, MODEST_BODY, type StrangerOptions } from './http/body-gate.ts';
import { answerBrokenRequest, answerErrors } from './http/faults.ts';
import { hostGuard } from './http/host.ts';
import { KeptAnswers } from './http/kept-answers.ts';
import { registerMetrics } from './http/metrics.ts';
import { Limits } from './http/rate-limit.ts';
import { timesIn } from './http/raw-headers.ts';
import { watchRefusals } from './http/refusals.ts';
import { warnOfForwarding } from './http/remote.ts';
import { HttpRequestInfo, RequestHttp } from './http/request-call.ts';
import { requestId } from './http/request-id.ts';
import { watchRoutes, type RouteLimits } from './http/routes.ts';
import type { Peers } from './http/peers.ts';
import { readinessOf, registerProbes, type Readiness } from './http/probes.ts';
import type { Traffic } from './http/traffic.ts';
import { TransferMemory, transferMemoryOf } from './http/transfer-memory.ts';
import { transfersOf, watchAnswers, type TransferOf, type TransferOptions } from './http/transfers.ts';
import { registerRest } from './rest.ts';
import { registerTrpc } from './trpc.ts';

export interface AppOptions {
  readonly coffer: Coffer;
  readonly logger?: Log;
  /** Whether an address is a proxy whose `X-Forwarded-For` is trusted. */
  readonly isTrustedProxy?: (address: string) => boolean;
  /** The header, in lower case, in which such a proxy names the client's certificate. */
  readonly clientCertificateHeader?: string | undefined;
  /** Bytes; larger bodies are refused before they are parsed. */
  readonly bodyLimit?: number;
  /** Rejected tokens per address and minute; no limit if absent or 0. */
  readonly refusedTokenLimit?: number;
  /** Maximum number of concurrent requests, while others wait; no limit if absent or 0. */
  readonly concurrency?: number;
  /** Pages of these origins may call. */
  readonly corsOrigins?: readonly string[];
  /** The token for `/metrics`; without it there is no such path. */
  readonly metricsToken?: string | undefined;
  /** Names and addresses under which the server is reached, besides the site URL's and those of the machine itself. */
  readonly hosts?: readonly string[];
  /** Whether callers may be anywhere, although they seem to be on this machine. */
  readonly isExposed?: boolean;
  /** The settings of event streams; shorter in tests. */
  readonly streams?: StreamOptions;
  /** The settings of large bodies and answers; smaller in tests. */
  readonly transfers?: TransferOptions;
  /** The settings of bodies without a valid credential; smaller in tests. */
  readonly strangers?: StrangerOptions;
  /** The served router; tests have their own. */
  readonly router?: RouterLike;
  /** Other processes that serve the same port. */
  readonly peers?: Peers | undefined;
  /** Without it there is no web console. */
  readonly console?: ConsoleSource;
  /** What `/readyz` answers; default: whether the database takes writes. */
  readonly readiness?: Readiness;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The counts of requests and responses. */
    readonly traffic: Traffic;
    /** The memory of large bodies and answers. */
    readonly transferMemory: TransferMemory;
  }
  interface FastifyRequest {
    /** The call that this request is. */
    call: ApiCall;
  }
  interface FastifyContextConfig {
    /** The operation with a strict limit; absent if it has none. */
    strictlyLimited?: string | undefined;
    /** The rate limit class; default: by method and path. */
    rateLimitClass?: RateLimitClass | ((req: FastifyRequest) => RateLimitClass);
  }
}

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const MAX_REMEMBERED = 10_000;
const NOBODY = () => false;

/** The HTTP application on an open Coffer: every published path, tRPC beside it. It does not listen yet. */
export async function createApp({
  coffer,
  router = appRouter,
  logger: log = SILENT,
  bodyLimit = 10 * 1024 * 1024,
  ...options
}: AppOptions): Promise<FastifyInstance> {
  const { callLimit: calls, loginLimit: logins, siteUrl } = coffer.settings;
  const now = () => coffer.now().getTime();
  const { peers } = options;
  const limits = new Limits({ calls, logins, refusedTokens: options.refusedTokenLimit ?? 0, now, peers });
  const answers = new KeptAnswers(now, peers?.processes);
  const unfollow = await coffer.rateLimits.follow((stored) => limits.apply(stored));
  const memory = new TransferMemory(options.transfers?.bytes ?? transferMemoryOf(peers?.processes ?? 1));
  const gate = gateOf(coffer, limits, { ...options, log, bodyLimit, memory });
  const answerError = answerErrors(log);
  const app = newServer(bodyLimit, (error, req, reply) => {
    answerError(beginLost(req, reply) ?? error, req, reply);
  });
  registerProbes(app, { readiness: options.readiness ?? readinessOf(coffer), headers: SECURITY });
  const routes = watchRoutes(app, { log, ...gate, patienceMs: options.transfers?.patienceMs });
  /** Begins a request without a route. Returns the error by the rules for all requests, if there is one. */
  const beginLost = (req: FastifyRequest, reply: FastifyReply): Error | undefined => {
    gate.begin(req, reply);
    routes.watchLost(req, reply);
    discardBody(req, reply);
    try {
      gate.require(req, reply, rateLimitClassOfRoute(req.method));
      gate.requireNoGuess(req, reply);
      return undefined;
    } catch (error) {
      return error as Error;
    }
  };
  watchAnswers(app, gate.transferOf, routes.traffic.exchanges);

  app.decorate('traffic', routes.traffic);
  app.decorate('transferMemory', memory);
  app.decorateRequest('call');
  await app.register(cookie, { hook: false });
  if (options.corsOrigins?.length) await allowOrigins(app, options.corsOrigins, router);
  app.removeContentTypeParser('text/plain');
  acceptJson(app);
  watchRefusals(app, limits);
  app.setErrorHandler(answerError);
  const pages = options.console && registerConsole(app, { ...options.console, log });
  // Before a body is read.
  app.addHook('onRequest', (req, reply, done) => {
    if (!req.is404) return done();
    const refusal = beginLost(req, reply);
    if (!refusal && pages?.isForPage(req)) return void pages.sendPage(req, reply).catch(done);
    done(refusal ?? noRoute(req, reply, routes.methodsAt(req.url)));
  });

  // Streams do not end by themselves.
  app.addHook('preClose', async () => coffer.watches.stop());
  app.addHook('onClose', async () => unfollow());
  app.addHook('onClose', async () => answers.close());
  const { streams = {} } = options;
  const smallBodyLimit = Math.min(bodyLimit, MODEST_BODY);
  await registerRest(app, {
    ...{ router, smallBodyLimit, log, streams, answers },
    mark: rememberingMarks((text) => coffer.keys.mark(text)),
  });
  registerAuditExport(app, log);
  await registerAcme(app, log);
  await registerTrpc(app, { router, log, limits, streams, enter: gate.enter, prove: gate.prove });
  registerDocs(app, { router, siteUrl });
  const { metricsToken: token } = options;
  if (token !== undefined) registerMetrics(app, { coffer, traffic: routes.traffic, token, limits, peers });
  return app;
}

/** Milliseconds for a request to arrive, and the slowest rate at which the largest body does. */
const REQUEST_TIMEOUT_MS = 30_000;
const SLOWEST_BYTES_PER_MS = 100;

const newServer = (bodyLimit: number, frameworkErrors: FastifyServerOptions['frameworkErrors'] & object) => {
  const app = fastify({
    logger: false,
    genReqId: requestId,
    bodyLimit,
    // HEAD is answered as GET is, without the body (RFC 9110, section 9.3.2).
    exposeHeadRoutes: true,
    // zod reads and JSON writes: Fastify's own compilers of schemas, megabytes of them, are not even loaded.
    schemaController: { compilersFactory: NO_COMPILERS },
    routerOptions: { maxParamLength: 2048, ignoreTrailingSlash: true, caseSensitive: true },
    requestTimeout: REQUEST_TIMEOUT_MS + Math.ceil(bodyLimit / SLOWEST_BYTES_PER_MS),
    http: { connectionsCheckingInterval: 5_000 },
    // What arrives on open connections while the server stops is still served; its connection is closed afterwards.
    return503OnClosing: false,
    frameworkErrors,
    clientErrorHandler: answerBrokenRequest,
  });
  // Node would answer 417 without a body. Other expectations than 100-continue may be ignored (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (req, res) => void app.server.emit('request', req, res));
  return app;
};

/** Pages of these origins may call every operation, by its method. */
const allowOrigins = async (app: FastifyInstance, origins: readonly string[], router: RouterLike): Promise<void> => {
  const methods = [...new Set(operationsOf(router).map(({ method }) => method))];
  await app.register(cors, { origin: [...origins], methods, credentials: true, maxAge: 600, exposedHeaders: EXPOSED });
};

interface GateOptions
  extends Omit<CallOptions, 'warn' | 'transferOf'>, Pick<AppOptions, 'hosts' | 'concurrency' | 'strangers' | 'peers'> {
  readonly log: Log;
  readonly bodyLimit: number;
  readonly memory: TransferMemory;
}

/** Who is let in, how often, and when it is their turn: what comes before anything of a request is read. */
function gateOf(
  coffer: Coffer,
  limits: Limits,
  { log, hosts = [], concurrency = 0, bodyLimit, memory, strangers, peers, ...options }: GateOptions,
) {
  const { siteUrl } = coffer.settings;
  const queue = new FairQueue(concurrency);
  const callerOf = ({ call }: FastifyRequest) => limits.callerOf(call.http.credential, call.request.ipAddress);
  const isStranger = ({ call: { isCredentialVerified, http } }: FastifyRequest) =>
    !isCredentialVerified && !(http.credential && limits.isVerified(http.credential));
  const transferOf = transfersOf(memory, callerOf);
  const bodies = new BodyGate({ limits, transferOf, bodyLimit, ...(strangers && { strangers }), ...peers });
  const callOf = callsOf(coffer, limits, { ...options, transferOf, warn: warnOfForwarding(log) });
  const host = hostGuard({ siteUrl, hosts, isTrustedProxy: options.isTrustedProxy });
  const headers = isSecure(coffer) ? { ...SECURITY, 'strict-transport-security': 'max-age=31536000' } : SECURITY;

  const begin = (req: FastifyRequest, reply: FastifyReply): void => {
    req.call = callOf(req, reply);
    void reply.headers(headers).header('x-request-id', req.id);
  };
  /** @throws DomainError if the request must be rejected, for any operation. */
  const require = (req: FastifyRequest, reply: FastifyReply, rateLimitClass: RateLimitClass): void => {
    host.require(req);
    requireOneCredential(req);
    const { http, request } = req.call;
    limits.count(rateLimitClass, http.credential, request.ipAddress, reply);
  };
  const refusalOf = ({ call: { http, request } }: FastifyRequest, name: RateLimitClass) =>
    limits.refusalOfUnknown(name, http.credential, request.ipAddress);
  const requireValid = async (req: FastifyRequest, refusal: () => DomainError): Promise<void> => {
    try {
      limits.verified(req.call.http.credential!, await requireCredential(req.call));
    } catch (error) {
      throw error instanceof DomainError && error.kind === 'unauthenticated' ? beyondLimit(error, refusal()) : error;
    }
  };
  const prove = (req: FastifyRequest, reply: FastifyReply, name: RateLimitClass): Promise<void> | undefined => {
    const refusal = refusalOf(req, name);
    return refusal && requireValid(req, () => refusal(reply));
  };
  return {
    begin,
    require,
    /** Where nothing is looked up. @throws DomainError 429 for an unknown token after too many invalid ones. */
    requireNoGuess(req: FastifyRequest, reply: FastifyReply): void {
      const refusal = refusalOf(req, rateLimitClassOfRoute(req.method));
      if (refusal) throw refusal(reply);
    },
    /** Verifies an unknown token after too many invalid ones; rejects with 429 if it is not valid. */
    prove,
    admit(req: FastifyRequest, reply: FastifyReply, { classOf, strictly }: RouteLimits): void {
      begin(req, reply);
      require(req, reply, classOf(req));
      if (strictly !== undefined) limits.countStrictly(strictly, req.call.request.ipAddress, reply);
    },
    bodies,
    transferOf,
    enter: (req: FastifyRequest, start: (place: Place) => void) =>
      queue.enter(
        () => callerOf(req),
        start,
        () => isStranger(req),
      ),
    ended({ call: { isCredentialVerified, http, caller } }: FastifyRequest): void {
      if (http.credential && isCredentialVerified) limits.verified(http.credential, caller);
    },
  };
}

const NO_COMPILERS = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
} as object;

/** Responses contain secrets: no caching, no framing, no content sniffing. */
const SECURITY: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const EXPOSED = [
  'etag',
  'retry-after',
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

const isSecure = (coffer: Coffer) => coffer.settings.siteUrl.startsWith('https:');

interface CallOptions extends Pick<AppOptions, 'isTrustedProxy' | 'clientCertificateHeader' | 'isExposed'> {
  /** Called for an address that is no trusted proxy and sends `X-Forwarded-For`. */
  readonly warn: (peer: string) => void;
  readonly transferOf: TransferOf;
}

/** Makes the call that a request is. */
function callsOf(
  coffer: Coffer,
  limits: Limits,
  { isTrustedProxy, clientCertificateHeader, isExposed = false, warn, transferOf }: CallOptions,
): (req: FastifyRequest, reply: FastifyReply) => ApiCall {
  // Parsing an address costs more than the rest of this; without proxies there are few distinct ones.
  const directAddress = remembering((peer) => clientAddress(peer, undefined, NOBODY), MAX_REMEMBERED);
  const addressOf = ({ socket, headers }: FastifyRequest): string => {
    const { remoteAddress = '' } = socket;
    const isForwarded = headers['x-forwarded-for'] !== undefined;
    if (isForwarded && !isTrustedProxy?.(clientAddress(remoteAddress, undefined, NOBODY))) warn(remoteAddress);
    if (isTrustedProxy) return clientAddress(remoteAddress, headers['x-forwarded-for'], isTrustedProxy);
    return directAddress(remoteAddress);
  };
  // Only a direct peer can be the proxy of the handshake.
  const certificateOf = ({ socket, headers }: FastifyRequest): string | undefined => {
    const given = clientCertificateHeader && headers[clientCertificateHeader];
    if (!given || !isTrustedProxy?.(clientAddress(socket.remoteAddress ?? '', undefined, NOBODY))) return undefined;
    return [given].flat().join();
  };
  const door = { limits, transferOf, isExposed, isSecure: isSecure(coffer) };
  return (req, reply) => {
    const ipAddress = addressOf(req);
    const request = new HttpRequestInfo(req, ipAddress, certificateOf(req), door);
    return new ApiCall(coffer, request, new RequestHttp(req, reply, ipAddress, door));
  };
}

/**
 * @throws DomainError 400 for a request with several credentials: it would be open whose rights count, and a proxy may decide
 * in another way than this server.
 */
function requireOneCredential({ headers, raw }: FastifyRequest): void {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (authorization === undefined) return;
  if (apiKey === undefined && timesIn(raw.rawHeaders, 'authorization') <= 1) return;
  throw new DomainError(
    'bad_request',
    'auth.two_credentials',
    'Send one header Authorization or X-API-Key, not several: a request has one caller',
  );
}

function noRoute(req: FastifyRequest, reply: FastifyReply, methods: readonly string[]): DomainError {
  const what = `${req.method} ${req.url.split('?')[0]} does not exist`;
  if (methods.length === 0) return new DomainError('not_found', 'route.not_found', what);
  void reply.header('allow', methods.join(', '));
  return new DomainError('not_found', 'route.wrong_method', `${what}, but this path takes ${methods.join(' and ')}`);
}
