import { Readable } from 'node:stream';
import { rateLimitClassOfRoute } from '@coffer/api';
import type { Log, RateLimitClass } from '@coffer/domain';
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RequestPayload,
  RouteOptions,
} from 'fastify';
import { WITHOUT_BODY, type BodyGate } from './body-gate.ts';
import type { Exchange } from './exchanges.ts';
import type { Place } from './fair-queue.ts';
import { Traffic, type RouteTraffic } from './traffic.ts';

export interface Routes {
  readonly traffic: Traffic;
  /** Logs and counts a request without a route. */
  watchLost(req: FastifyRequest, reply: FastifyReply): void;
  /** The methods of a path. */
  methodsAt(url: string): string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it waits for its turn, and where it is worked on; absent where no route was found. */
    place: Place | undefined;
    /** Absent for probes. */
    exchange: Exchange | undefined;
  }
}

/** How a route is limited. */
export interface RouteLimits {
  /** The operation of which every call counts against the strict limit of its address; absent if it has none. */
  readonly strictly: string | undefined;
  readonly classOf: (req: FastifyRequest) => RateLimitClass;
  /** Whether it limits the size of bodies itself, for everybody. */
  readonly isOpen: boolean;
}

interface Watch {
  readonly log: Log;
  /** Called before anything of a request is read; throws to refuse it. */
  readonly admit: (req: FastifyRequest, reply: FastifyReply, limits: RouteLimits) => void;
  /** See `gateOf`; absent where nothing is to be verified. */
  readonly prove: (req: FastifyRequest, reply: FastifyReply, name: RateLimitClass) => Promise<void> | undefined;
  /** Starts an admitted request when it is its turn. */
  readonly enter: (req: FastifyRequest, start: (place: Place) => void) => Place;
  /** Lets the bodies of started requests be read. */
  readonly bodies: BodyGate;
  /** Called when a request is over. */
  readonly ended: (req: FastifyRequest) => void;
  /** Maximum time in milliseconds that a client may leave a response unread. */
  readonly patienceMs?: number | undefined;
}

/**
 * Adds hooks to each route that is registered from now on: admission, one log line for each request, and its counts.
 * Lines contain the route's pattern, never the path, which contains names of secrets.
 */
export function watchRoutes(
  app: FastifyInstance,
  { log, admit, bodies, enter, ended, patienceMs, ...watch }: Watch,
): Routes {
  const begin = beginning({ ...watch, bodies });
  const traffic = new Traffic(patienceMs);
  const registered: { method: string; segments: string[] }[] = [];

  const count = counting(traffic, { log, ended });

  app.addHook('onRoute', (options: RouteOptions) => {
    // Preflights, which the CORS plugin answers before routing.
    if (options.method === 'OPTIONS') return;
    const method = [options.method].flat().join(',');
    const route = traffic.route(method, options.url);
    const { strictlyLimited: strictly, rateLimitClass } = options.config ?? {};
    const isOpen = options.bodyLimit !== undefined;
    const limits = { strictly, classOf: classOf(rateLimitClass, options.url), isOpen };
    registered.push(...[options.method].flat().map((one) => ({ method: one, segments: segmentsOf(options.url) })));
    options.onRequest = (req, reply, done) => {
      count(route, req, reply);
      try {
        admit(req, reply, limits);
        const isRead = bodies.begin(req, reply);
        req.place = enter(req, (own) => {
          req.place = own;
          begin(req, reply, { isRead, isOpen, name: limits.classOf(req) }, done);
        });
      } catch (error) {
        done(error as Error);
      }
    };
    if (!WITHOUT_BODY.includes(method)) options.preParsing = measuring(bodies, isOpen);
  });

  watchPlaces(app);

  // While the server stops, responses ask the client to use another connection for the next request.
  let isStopping = false;
  app.addHook('preClose', (done) => {
    isStopping = true;
    done();
  });
  app.addHook('onSend', (_req, reply, payload, done) => {
    if (isStopping) void reply.header('connection', 'close');
    done(null, payload);
  });

  // Nobody reads the stream of an answer to HEAD, which may be as long as the log. What it holds is freed with the response.
  app.addHook('onSend', (req, _reply, payload, done) => {
    if (req.method === 'HEAD' && payload instanceof Readable) payload.destroy();
    done(null, payload);
  });

  const lost = traffic.route('*', '(none)');
  return {
    traffic,
    watchLost: (req, reply) => count(lost, req, reply),
    methodsAt(url) {
      const segments = segmentsOf(url.split('?')[0] ?? '');
      const isAt = (pattern: readonly string[]) =>
        pattern.length === segments.length &&
        pattern.every((segment, i) => segment.startsWith(':') || segment === segments[i]);
      return [...new Set(registered.filter((one) => isAt(one.segments)).map(({ method }) => method))].toSorted();
    },
  };
}

/** Counts and logs a request, which is over when its response is closed, also by a client that disconnects. */
const counting =
  ({ exchanges }: Traffic, { log, ended }: Pick<Watch, 'log' | 'ended'>) =>
  (route: RouteTraffic, req: FastifyRequest, reply: FastifyReply): void => {
    const exchange = exchanges.begin(reply.raw);
    req.exchange = exchange;
    // Not `once`, whose wrapper costs more: it is emitted once.
    reply.raw.on('close', () => {
      exchanges.end(exchange);
      req.place?.leave();
      const ms = performance.now() - exchange.since;
      route.add(reply.statusCode, ms / 1000);
      ended(req);
      const { actor } = req.call;
      const line = {
        reqId: req.id,
        method: req.method,
        route: route.route,
        status: reply.statusCode,
        ms: Math.round(ms * 100) / 100,
      };
      log.info('id' in actor ? { ...line, actor: actor.id } : line, 'request');
    });
  };

interface Begun {
  /** Whether it has a body that is read. */
  readonly isRead: boolean;
  readonly isOpen: boolean;
  readonly name: RateLimitClass;
}

/** Begins a request whose turn it is: an unknown token may have to be verified, then its body is read. */
const beginning =
  ({ prove, bodies }: Pick<Watch, 'prove' | 'bodies'>) =>
  (req: FastifyRequest, reply: FastifyReply, { isRead, isOpen, name }: Begun, done: (error?: Error) => void): void => {
    const begin = () => {
      if (!isRead) return done();
      req.place?.beginWait();
      bodies.admit(req, reply, isOpen, done);
    };
    const proved = prove(req, reply, name);
    if (proved) proved.then(begin, done);
    else begin();
  };

const measuring =
  (bodies: BodyGate, isOpen: boolean): RouteOptions['preParsing'] & object =>
  (req: FastifyRequest, reply: FastifyReply, payload: RequestPayload, done: (error: null, body: Readable) => void) =>
    done(null, bodies.measured(req, reply, isOpen, payload));

/** A request has a place while it is processed, not while it waits for its body or while the response is sent. */
function watchPlaces(app: FastifyInstance): void {
  app.decorateRequest('place');
  app.decorateRequest('exchange');
  app.addHook('preValidation', ({ place }, _reply, done) => {
    if (place === undefined || place.waits === 0) done();
    else place.resume(done);
  });
  // What remains is sending, at the speed of the client.
  app.addHook('onSend', ({ place }, _reply, payload, done) => {
    place?.leave();
    done(null, payload);
  });
}

/** The class of each request to a route; that of operations is in their route's configuration. */
function classOf(named: FastifyContextConfig['rateLimitClass'], url: string): RouteLimits['classOf'] {
  if (typeof named === 'function') return named;
  return named === undefined ? ({ method }) => rateLimitClassOfRoute(method, url) : () => named;
}

const segmentsOf = (url: string): string[] => url.split('/').filter(Boolean);
