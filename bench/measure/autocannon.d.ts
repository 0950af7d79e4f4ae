/** As much of autocannon as `load.ts` uses; the package brings no types. */
declare module 'autocannon' {
  interface Request {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string;
    setupRequest?: (request: Request, sequence: { unique?: string }) => Request;
  }
  interface Client {
    setRequests(requests: Request[]): void;
  }
  interface Options {
    url: string;
    connections: number;
    duration: number;
    timeout: number;
    requests: Request[];
    setupClient?: (client: Client) => void;
  }
  interface Result {
    readonly errors: number;
    readonly timeouts: number;
    readonly duration: number;
  }
  type OnResponse = (client: unknown, status: number, bytes: number, latency: number) => void;
  interface Instance extends PromiseLike<Result> {
    on(event: 'response', listener: OnResponse): void;
  }

  const autocannon: (options: Options) => Instance;
  export = autocannon;
}
