import { hashOf, notFound, sameHash, unauthenticated, type Coffer } from '@coffer/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { BUCKETS, type Answered, type RouteTraffic, type Traffic } from './traffic.ts';

interface Metrics {
  readonly coffer: Coffer;
  readonly traffic: Traffic;
  readonly token: string | undefined;
}

/**
 * `/metrics` in the text format of Prometheus: to those who send the token, or, where none is set, to the machine itself
 * alone. What makes the text is loaded with the first scrape.
 */
export function registerMetrics(app: FastifyInstance, { coffer, traffic, token }: Metrics): void {
  let registry: Promise<Registry> | undefined;
  app.get('/metrics', async (req, reply) => {
    admit(req, token);
    registry ??= openRegistry(coffer, traffic);
    const text = await (await registry).metrics();
    return reply.header('content-type', (await registry).contentType).send(text);
  });
}

function admit(req: FastifyRequest, token: string | undefined): void {
  if (token !== undefined) {
    const { bearer } = req.call.http;
    if (bearer === undefined || !sameHash(hashOf(bearer), hashOf(token))) {
      throw unauthenticated('auth.metrics', 'Send the token of COFFER_METRICS_TOKEN: Authorization: Bearer <token>');
    }
    return;
  }
  // A proxy on this machine is no proof that whoever is behind it is here, too.
  const { 'x-forwarded-for': forwardedFor, forwarded, via } = req.headers;
  const isHere = /^(?:127\.|::1$|::ffff:127\.)/.test(req.socket.remoteAddress ?? '');
  if (!isHere || forwardedFor !== undefined || forwarded !== undefined || via !== undefined) throw notFound('page');
}

async function openRegistry(coffer: Coffer, traffic: Traffic): Promise<Registry> {
  const { collectDefaultMetrics, Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  // What is counted already is only written here: the shape of a metric of prom-client, without its own counting.
  registry.registerMetric({
    name: 'coffer_http_request_duration_seconds',
    help: 'Requests by method, route and status, with the time until the answer was sent',
    type: 'histogram',
    get: () => ({
      name: 'coffer_http_request_duration_seconds',
      help: 'Requests by method, route and status, with the time until the answer was sent',
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
  gauge('coffer_http_requests', 'Requests under way', () => ({ all: traffic.inFlight }));
  gauge('coffer_database_connections', 'Connections to the database', () => {
    const { totalCount, idleCount, waitingCount } = coffer.pool;
    return { open: totalCount, idle: idleCount, waiting: waitingCount };
  });
  gauge('coffer_cache_entries', 'What is kept in memory', () => coffer.cacheSizes());
  gauge('coffer_streams', 'Streams of events under way', () => ({ all: coffer.watches.size }));
  gauge('coffer_audit_waiting', 'Events of reads that wait for their commit', () => ({ all: coffer.auditWaiting }));
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
