import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** What an agent shows of itself. Nothing in it is secret. */
export interface Health {
  readonly isHealthy: boolean;
  readonly report: object;
  /** By name: what it counts, and its values by their labels. */
  readonly metrics: readonly Metric[];
}

export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly values: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

/** Answers `/health` with JSON, 503 where something is wrong, and `/metrics` in the text format of Prometheus. */
export const healthListener =
  (health: () => Health): RequestListener =>
  (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (request.method !== 'GET' || (pathname !== '/health' && pathname !== '/metrics')) {
      response.writeHead(404).end();
      return;
    }
    const { isHealthy, report, metrics } = health();
    if (pathname === '/health') {
      response.writeHead(isHealthy ? 200 : 503, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify({ status: isHealthy ? 'ok' : 'failing', ...report })}\n`);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
    response.end(metrics.map(metricText).join(''));
  };

const metricText = ({ name, type, help, values }: Metric): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...values.map(({ labels = {}, value }) => {
      const shown = Object.entries(labels).map(([label, one]) => `${label}=${JSON.stringify(one)}`);
      return `${name}${shown.length ? `{${shown.join(',')}}` : ''} ${value}`;
    }),
    '',
  ].join('\n');
