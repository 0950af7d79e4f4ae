import autocannon from 'autocannon';

/** The requests to a program under load. */
export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly method: string;
  /** Others for each of the paths, in order: a sequence that each connection sends from its start, with one `{unique}`. */
  readonly methods?: readonly string[];
  /** Sent in sequence by each connection, from a different start in the list. */
  readonly paths: readonly string[];
  /** Additional headers for each of the paths, in order. */
  readonly headersOf?: readonly Readonly<Record<string, string>>[];
  /** `{unique}` in it is replaced in each request. */
  readonly body?: string;
  /** Others for each of the paths, in order. */
  readonly bodies?: readonly string[];
  /** The required status of all responses; default: any success. */
  readonly status?: number;
}

export interface LoadFor extends Load {
  readonly connections: number;
  readonly seconds: number;
  /** Requests in a second, of all connections; default: as many as the program answers. */
  readonly pace?: number;
}

/** The result. Latencies in milliseconds. */
export interface Outcome {
  readonly requests: number;
  /** Requests in a second. */
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Failed responses by status; `0` for none. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Runs in a separate process, so that generating the load costs the program under load only its share of a core. */
async function run({
  url,
  headers,
  method,
  methods,
  paths,
  headersOf,
  body: sameBody,
  bodies,
  status: wanted,
  connections,
  seconds,
  pace,
}: LoadFor): Promise<Outcome> {
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const prefix = `${process.pid}_${Date.now().toString(36)}`;
  let unique = 0;
  const requests = paths.map((path, index) => {
    const body = bodies?.[index] ?? sameBody;
    return {
      method: methods?.[index] ?? method,
      path,
      headers: { ...headers, ...headersOf?.[index] },
      ...(body !== undefined && { body }),
      ...(body?.includes('{unique}') && {
        setupRequest: (request: object, sequence: { unique?: string }) => {
          if (!methods || index === 0) sequence.unique = `${prefix}_${unique++}`;
          return { ...request, body: body.replaceAll('{unique}', sequence.unique!) };
        },
      }),
    };
  });
  let clients = 0;
  const instance = autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 30,
    ...(pace !== undefined && { overallRate: pace }),
    requests,
    setupClient: (client) => {
      if (requests.length === 1 || methods) return;
      const first = Math.floor((clients++ * requests.length) / connections);
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
    },
  });
  const started = performance.now();
  let ended = started;
  instance.on('response', (_client, status, _bytes, latency) => {
    latencies.push(latency);
    ended = performance.now();
    if (wanted === undefined ? status < 200 || status > 299 : status !== wanted)
      failures[status] = (failures[status] ?? 0) + 1;
  });
  const { errors, timeouts } = await instance;
  if (errors + timeouts > 0) failures['0'] = errors + timeouts;
  latencies.sort((a, b) => a - b);
  const quantile = (part: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0;
  return {
    requests: latencies.length,
    rate: (latencies.length * 1000) / Math.max(1, ended - started),
    p50: quantile(0.5),
    p99: quantile(0.99),
    failures,
  };
}

if (process.send) {
  process.once('message', (load: LoadFor) => {
    run(load).then(
      (outcome) => process.send!(outcome, undefined, undefined, () => process.disconnect()),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
