import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FetchInit, FetchResponse } from '@coffer/client';

export interface Response extends FetchResponse {
  readonly headers: FetchResponse['headers'] & { getSetCookie(): readonly string[] };
}

/**
 * What the client uses of `fetch`, by `node:http`: the platform's own takes half of the CPU time of a command, to load and
 * to compile a parser in WebAssembly. It follows no redirect, and goes through the proxy that the environment names.
 */
export const fetch = (
  url: string,
  { method, headers, body, signal }: Omit<FetchInit, 'redirect' | 'cache'>,
): Promise<Response> => {
  const { protocol, hostname } = new URL(url);
  const { request, agent } = (protocol === 'https:' ? overTls : plain)();
  const isLocal = /^(?:localhost|127\..*|\[::1\])$/.test(hostname);
  const options = { method, headers, ...(signal && { signal }), ...(!isLocal && { agent }) };
  return new Promise((resolve, reject) => {
    request(url, options, (message) => resolve(responseOf(message)))
      .on('error', reject)
      .end(body ?? undefined);
  });
};

// An import of `node:http` would load all that it exports: `fetch` too.
const plain = once(() => {
  const { request, Agent } = process.getBuiltinModule('node:http');
  return { request, agent: new Agent(agentOptions()) };
});

const overTls = once(() => {
  const { request, Agent } = process.getBuiltinModule('node:https');
  return { request, agent: new Agent(agentOptions()) };
});

/** Connections are kept for five seconds, as those of the global agents. */
const agentOptions = () => ({ keepAlive: true, timeout: 5000, proxyEnv: proxiesOf(process.env) });

/** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. A proxy without a scheme is reached over HTTP, as other programs have it. */
const proxiesOf = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).map(([name, value = '']) => [
      name,
      /^https?_proxy$/i.test(name) && /^[^/]+$/.test(value) ? `http://${value}` : value,
    ]),
  );

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function responseOf(message: IncomingMessage): Response {
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
