import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly method: string;
  /** For a tRPC call its names, separated by commas; otherwise the path. */
  readonly path: string;
  readonly isBatch: boolean;
  readonly headers: IncomingHttpHeaders;
  /** From the query of a GET and the body of a POST. */
  readonly input: unknown;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Sent literally if it is text, otherwise as JSON. */
  readonly body?: unknown;
  /** Instead of a body: frames of server-sent events, one after the other; then the connection breaks. */
  readonly frames?: AsyncIterable<string> | Iterable<string>;
}

export type Answering = (request: Received, count: number) => Reply | undefined | Promise<Reply | undefined>;

export interface StandIn {
  readonly url: string;
  readonly received: Received[];
  /** Sets the following responses; `undefined` closes the connection without one. */
  answer(how: Answering): void;
  close(): Promise<void>;
}

/** A server with Coffer's tRPC protocol and the responses of a test. */
export async function standIn(): Promise<StandIn> {
  const received: Received[] = [];
  let how: Answering = ({ path }) => data(...path.split(','));
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '', 'http://stand-in');
    const sent = req.method === 'GET' ? Promise.resolve(url.searchParams.get('input') ?? '') : text(req);
    const reply = sent.then((body) => {
      const request = {
        method: req.method ?? '',
        path: url.pathname.replace('/api/trpc/', ''),
        isBatch: url.searchParams.get('batch') === '1',
        headers: req.headers,
        input: body === '' ? undefined : (JSON.parse(body) as unknown),
      };
      received.push(request);
      return how(request, received.length);
    });
    reply.then(
      (given) => {
        if (!given) return req.socket.destroy();
        const { status = 200, headers = {}, body, frames } = given;
        if (frames) return void tell(res, frames);
        res.writeHead(status, { 'content-type': 'application/json', ...headers });
        return res.end(typeof body === 'string' ? body : JSON.stringify(body));
      },
      (error: Error) => res.destroy(error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (next) => void (how = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function tell(res: ServerResponse, frames: AsyncIterable<string> | Iterable<string>): Promise<void> {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  res.flushHeaders();
  for await (const frame of frames) {
    if (res.destroyed) break;
    await new Promise((written) => res.write(frame, written));
  }
  res.destroy();
}

/** The events of a subscription, in the format of Coffer's tRPC. */
export const event = (id: number, told: unknown): string => `data: ${JSON.stringify(told)}\nid: ${id}\n\n\n`;

/** The answer to a batch of calls. */
export const data = (...results: unknown[]): Reply => ({
  body: results.map((result) => ({ result: { data: result } })),
});

/** The same error for each of `count` calls, in the format of Coffer's tRPC. */
export const failure = (
  status: number,
  code: string,
  reason: string,
  {
    count = 1,
    headers = {},
    ...more
  }: { count?: number; headers?: Record<string, string>; issues?: unknown; details?: unknown } = {},
): Reply => {
  const shape = {
    message: `It is ${reason}`,
    code: -32000,
    data: { code, httpStatus: status, error: 'Name', reason, reqId: 'req-abc', ...more },
  };
  return { status, headers, body: Array.from({ length: count }, () => ({ error: shape })) };
};
