import type * as Http from 'node:http';
import { Readable } from 'node:stream';
import type { FetchInit, FetchResponse } from '@coffer/client';
import { proxyFor } from './proxy.ts';

export interface Response extends FetchResponse {
  readonly headers: FetchResponse['headers'] & { getSetCookie(): readonly string[] };
}

/**
 * What the client uses of `fetch`, by `node:http`: the platform's own takes half of the CPU time of a command, to load and
 * to compile a parser in WebAssembly. It follows no redirect, and goes through the proxy that the environment names. A
 * response is read once, by `text` or by `body`.
 */
export const fetch = async (
  url: string,
  { method, headers, body, signal }: Omit<FetchInit, 'redirect' | 'cache'>,
): Promise<Response> => {
  const { request, agent } = transportFor(new URL(url));
  const options = { method, headers, agent, ...(signal && { signal }) };
  return new Promise((resolve, reject) => {
    request(url, options, (message) => resolve(responseOf(message)))
      .on('error', reject)
      // Without a listener, an answer with another protocol (101) would be no answer and no error.
      .on('upgrade', (message, socket) => {
        socket.destroy();
        resolve(responseOf(message));
      })
      .end(body ?? undefined);
  });
};

type Transport = Pick<typeof Http, 'request'> & { readonly agent: Http.Agent };
const transports = new Map<string, Transport>();

function transportFor(url: URL): Transport {
  const proxy = proxyFor(url, process.env);
  const key = `${url.protocol} ${proxy}`;
  const made = transports.get(key) ?? transport(url.protocol, proxy);
  transports.set(key, made);
  return made;
}

/** Milliseconds for which a connection is kept, and in which a proxy opens a tunnel: as long as a call may take. */
const TIMEOUT = 30_000;

function transport(protocol: string, proxy: string | undefined): Transport {
  const proxyEnv = proxy === undefined ? {} : { http_proxy: proxy, https_proxy: proxy };
  const options = { keepAlive: true, timeout: TIMEOUT, proxyEnv };
  // An import of these would load all that they export: `fetch` too.
  const { request, Agent } =
    protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
  return { request, agent: new Agent(options) };
}

function responseOf(message: Http.IncomingMessage): Response {
  const { statusCode: status = 0, headers } = message;
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: {
      // Of the headers that may come several times, only cookies are lists.
      get: (name) => (headers[name.toLowerCase()] as string | undefined) ?? null,
      getSetCookie: () => headers['set-cookie'] ?? [],
    },
    async text() {
      let text = '';
      for await (const part of message.setEncoding('utf8')) text += part as string;
      return text;
    },
    get body() {
      return Readable.toWeb(message) as ReadableStream<Uint8Array>;
    },
  };
}
