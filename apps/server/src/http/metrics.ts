import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  bearerToken,
  clientAddress,
  DomainError,
  hashOf,
  noteRefusedRequest,
  restsSoFar,
  sameHash,
  unauthenticated,
  type Coffer,
} from '@coffer/domain';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { WITHOUT_BODY } from './body-gate.ts';
import { hostGuard, type HostRules } from './host.ts';
import type { Metrics, Peers } from './peers.ts';
import type { Limits } from './rate-limit.ts';
import { requestId } from './request-id.ts';
import { BUCKETS, type Answered, type RouteTraffic, type Traffic } from './traffic.ts';

interface Measured {
  readonly coffer: Coffer;
  readonly traffic: Traffic;
  /** Other processes that serve the same port: the text has the sums of all. */
  readonly peers?: Peers | undefined;
}

/**
 * `/metrics` on the public port, in the text format of Prometheus: only with the token. The address of a client proves
 * nothing, because a proxy may be in between.
 */
export function registerMetrics(
  app: FastifyInstance,
  { token, limits, ...measured }: Measured & { token: string; limits: Limits },
): void {
  const read = metricsOf(measured);
  // Guesses of tokens behind the same address do not block this caller.
  limits.verified(bearerToken(token), 'metrics');
  app.get('/metrics', async (req, reply) => {
    requireToken(req.headers.authorization, token);
    const { text, contentType } = await read();
    return reply.header('content-type', contentType).send(text);
  });
}

interface MetricsServer extends Measured {
  readonly host: string;
  readonly port: number;
  /** Required here, too, if it is configured. */
  readonly token: string | undefined;
  readonly hosts: HostRules;
}

/** `/metrics` at a separate address, which serves nothing else; resolves when it listens. */
export async function listenForMetrics({
  host,
  port,
  token,
  hosts,
  ...measured
}: MetricsServer): Promise<{ port: number; close: () => Promise<void> }> {
  const read = metricsOf(measured);
  const { isAllowed } = hostGuard({ ...hosts, takesAddresses: true });
  const server = createServer((req, res) => {
    const answer = (status: number, text: string, contentType = 'text/plain; charset=utf-8') =>
      void res.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
    if (!isAllowed(req)) return answer(421, 'This host is not served; see COFFER_HOSTS\n');
    if (!WITHOUT_BODY.includes(req.method ?? '') || req.url?.split('?')[0] !== '/metrics')
      return answer(404, 'Only /metrics is served here\n');
    const serve = async () => {
      if (token !== undefined) await requireNotedToken(measured.coffer, req, token);
      const { text, contentType } = await read();
      answer(200, text, contentType);
    };
    serve().catch((error: unknown) => {
      if (error instanceof DomainError && error.kind === 'unauthenticated') return answer(401, `${error.message}\n`);
      measured.coffer.log.error({ err: error }, 'The metrics could not be read');
      answer(500, 'The metrics could not be read\n');
    });
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen({ host, port }, done);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** The same at a separate address, where refusals are recorded here. */
async function requireNotedToken(coffer: Coffer, { headers, socket }: IncomingMessage, token: string): Promise<void> {
  try {
    requireToken(headers.authorization, token);
  } catch (error) {
    const ipAddress = clientAddress(socket.remoteAddress ?? '', undefined, () => false);
    const request = { id: requestId(), ipAddress, userAgent: headers['user-agent'] ?? '' };
    await noteRefusedRequest(coffer.contextFor({ type: 'anonymous' }, request), error, 'GET /metrics');
    throw error;
  }
}

const ADVICE = 'Send the token of COFFER_METRICS_TOKEN: Authorization: Bearer <token>';

/** @throws DomainError 401 `auth.no_token` for nothing, `auth.metrics` for a guess, which is an event. */
function requireToken(authorization: string | undefined, token: string): void {
  if (authorization === undefined) throw unauthenticated('auth.no_token', ADVICE);
  if (!hasToken(authorization, token)) throw unauthenticated('auth.metrics', ADVICE);
}

/** Compared by hashes, in constant time. */
function hasToken(authorization: string, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
  return sameHash(hashOf(given), hashOf(token));
}

/** What makes the text is loaded with the first scrape. */
function metricsOf({ coffer, traffic, peers }: Measured): () => Promise<{ text: string; contentType: string }> {
  let registry: Promise<Registry> | undefined;
  const open = () => (registry ??= openRegistry(coffer, traffic));
  const collect = peers?.shareMetrics(async () => (await (await open()).getMetricsAsJSON()) as unknown as Metrics);
  return async () => {
    const opened = collect ? await sumOf(await collect()) : await open();
    return { text: await opened.metrics(), contentType: opened.contentType };
  };
}

async function sumOf(all: readonly Metrics[]): Promise<Registry> {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate([...all]);
}

async function openRegistry(coffer: Coffer, traffic: Traffic): Promise<Registry> {
  const { collectDefaultMetrics, Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  // The counts exist already and are only rendered: a metric for prom-client without its own counting.
  registry.registerMetric({
    name: 'coffer_http_request_duration_seconds',
    help: 'Requests by method, route and status, with the time until the response was sent',
    type: 'histogram',
    get: () => ({
      name: 'coffer_http_request_duration_seconds',
      help: 'Requests by method, route and status, with the time until the response was sent',
      type: 'histogram',
      aggregator: 'sum',
      values: traffic.routes.flatMap(histogramOf),
    }),
  } as never);
  const gauge = (name: string, help: string, read: () => Record<string, number>) =>
    new Gauge({
      name,
      help,
      labelNames: ['of'],
      registers: [registry],
      collect() {
        for (const [of, value] of Object.entries(read())) this.set({ of }, value);
      },
    });
  gauge('coffer_processes', 'Processes that serve this port', () => ({ all: 1 }));
  gauge('coffer_http_requests', 'Requests in progress', () => ({ all: traffic.inFlight }));
  gauge('coffer_database_connections', 'Connections to the database', () => {
    const { totalCount, idleCount } = coffer.pool;
    return { open: totalCount, idle: idleCount, waiting: coffer.database.waiting };
  });
  gauge('coffer_cache_entries', 'What is kept in memory', () => coffer.cacheSizes());
  gauge('coffer_work_rests', 'Times that long work has let other requests through', () => ({ all: restsSoFar() }));
  gauge('coffer_streams', 'Streams of events under way', () => ({ all: coffer.watches.size }));
  gauge('coffer_audit_waiting', 'Events of reads that wait for their commit', () => ({ all: coffer.auditWaiting }));
  const { auditSpace } = coffer;
  if (auditSpace.limit)
    gauge('coffer_audit_bytes', 'The size of the audit log at the last look, and its limit', () => ({
      used: auditSpace.bytes,
      limit: auditSpace.limit!.maxBytes,
    }));
  if (auditSpace.limit?.exports)
    gauge(
      'coffer_audit_exports',
      'Exports of the oldest events since the start: stored, attempts that failed, whether the last one did (1)',
      () => auditSpace.exported,
    );
  return registry;
}

function histogramOf({
  method,
  route,
  byStatus,
}: RouteTraffic): { metricName: string; labels: object; value: number }[] {
  const name = 'coffer_http_request_duration_seconds';
  return [...byStatus].flatMap(([status, { count, seconds, buckets }]: [number, Answered]) => {
    const labels = { method, route, status };
    let sum = 0;
    return [
      ...BUCKETS.map((le, i) => ({
        metricName: `${name}_bucket`,
        labels: { ...labels, le },
        value: (sum += buckets[i] ?? 0),
      })),
      { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
      { metricName: `${name}_sum`, labels, value: seconds },
      { metricName: `${name}_count`, labels, value: count },
    ];
  });
}
