import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';

export interface JsonCall {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface JsonReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a call whose encoded path matches; `parts` are the groups of the pattern, decoded. */
export type Route = readonly [method: string, path: RegExp, answer: (call: JsonCall, ...parts: string[]) => JsonReply];

/** Stands in for a service that speaks JSON over HTTP: what no route answers is a 404. */
export abstract class JsonService {
  /** `GET /path`, in order. */
  readonly calls: string[] = [];
  /** Answers instead of the service where it gives a reply. */
  fault: (call: JsonCall) => JsonReply | undefined = () => undefined;
  protected abstract readonly routes: readonly Route[];
  /** The reply to a call that it does not take at all: without its token, or in another media type. */
  protected abstract refuse(call: JsonCall): JsonReply | undefined;
  protected readonly notFound: JsonReply = { status: 404, body: { message: 'Not found' } };

  readonly listener: RequestListener = (request, response) => {
    void this.#answer(request, response).catch(() => response.writeHead(500).end());
  };

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://service');
    const { method = '', headers } = request;
    const call = { method, path: decodeURIComponent(pathname), query, headers, text: Buffer.concat(chunks).toString() };
    this.calls.push(`${method} ${call.path}`);
    const { status, body, headers: more } = this.fault(call) ?? this.refuse(call) ?? this.#route(call, pathname);
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  #route(call: JsonCall, pathname: string): JsonReply {
    for (const [method, path, answer] of this.routes) {
      const found = method === call.method ? path.exec(pathname) : null;
      if (found) return answer(call, ...found.slice(1).map((part) => part && decodeURIComponent(part)));
    }
    return this.notFound;
  }
}

/** The JSON of a body with exactly these fields, a `?` at the end of those that may be missing; otherwise `undefined`. */
export function bodyWith(
  { headers, text }: JsonCall,
  fields: readonly string[],
  mediaType = 'application/json',
): Record<string, unknown> | undefined {
  if (headers['content-type'] !== mediaType) return undefined;
  const body = JSON.parse(text) as Record<string, unknown>;
  const [known, needed] = [
    fields.map((field) => field.replace('?', '')),
    fields.filter((field) => !field.endsWith('?')),
  ];
  const isRight = Object.keys(body).every((name) => known.includes(name)) && needed.every((name) => name in body);
  return isRight ? body : undefined;
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** Whether the body is a form with exactly these fields. */
export function formWith({ headers, text }: JsonCall, expected: Readonly<Record<string, string>>): boolean {
  if (headers['content-type'] !== 'application/x-www-form-urlencoded') return false;
  return (
    JSON.stringify([...new URLSearchParams(text)].toSorted(byName)) ===
    JSON.stringify(Object.entries(expected).toSorted(byName))
  );
}

/** Part of a list by numbers of a page, which begin with `first`. */
export const pageOf = <T>(all: readonly T[], page: number, size: number, first: number): T[] =>
  all.slice((page - first) * size, (page - first + 1) * size);
