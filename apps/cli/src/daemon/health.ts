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

/** What this process takes, named as client libraries of Prometheus name it. */
export function processHealth(): Health {
  const { rss, heapUsed } = process.memoryUsage();
  const gauge = (name: string, help: string, value: number): Metric => ({
    name,
    type: 'gauge',
    help,
    values: [{ value }],
  });
  return {
    isHealthy: true,
    report: {},
    metrics: [
      gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', rss),
      gauge('nodejs_heap_size_used_bytes', 'Process heap size used from Node.js in bytes.', heapUsed),
    ],
  };
}

/** Answers `/health` with JSON, 503 where a part is wrong or missing, and `/metrics` in the text format of Prometheus. */
export const healthListener =
  (partsOf: () => readonly (Health | undefined)[]): RequestListener =>
  (request: IncomingMessage, response: ServerResponse) => {
    const pathname = URL.parse(request.url ?? '/', 'http://localhost')?.pathname;
    if (request.method !== 'GET' || (pathname !== '/health' && pathname !== '/metrics')) {
      response.writeHead(404).end();
      return;
    }
    const parts = partsOf();
    if (pathname === '/health') {
      const isHealthy = parts.every((part) => part?.isHealthy);
      const report = Object.assign({ status: isHealthy ? 'ok' : 'failing' }, ...parts.map((part) => part?.report));
      response.writeHead(isHealthy ? 200 : 503, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify(report)}\n`);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
    response.end(
      parts
        .flatMap((part) => part?.metrics ?? [])
        .map(metricText)
        .join(''),
    );
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
