import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { parseCidrs, type OutboundFetch } from '../../../kernel/index.ts';
import { createOutbound } from '../../../outbound/index.ts';
import { makeAuthority, type TestAuthority } from '../../../outbound/testing/certificates.ts';

/**
 * Hosts of the internet that a test stands in for. Each is a server on 127.0.0.1 with a certificate for its name, and
 * is reached by that name through the real outbound client, with the TLS, redirects and limits of production. Other
 * names do not resolve.
 */
export class StandIns {
  /** The issuer of their certificates; trusted if a call has no roots of its own. */
  readonly authority: TestAuthority = makeAuthority('Stand-ins');
  /** Maximum wait of calls to a host in milliseconds; default: that of the call. */
  patience: Readonly<Record<string, number>> = {};
  /** All that were called, the latest last. */
  readonly called: string[] = [];
  readonly #ports = new Map<string, number>();
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #outbound = createOutbound({
    allow: parseCidrs('127.0.0.0/8'),
    resolve: async (host) => (this.#ports.has(host) ? [{ address: '127.0.0.1', family: 4 }] : []),
  });

  readonly fetch: OutboundFetch = (given, request = {}) => {
    this.called.push(given);
    const url = new URL(given);
    const port = url.port === '' ? this.#ports.get(url.hostname) : undefined;
    if (port !== undefined) url.port = String(port);
    const timeoutMs = Math.min(request.timeoutMs ?? 10_000, this.patience[url.hostname] ?? Infinity);
    return this.#outbound.fetch(url.href, { ...request, timeoutMs, ca: request.ca ?? this.authority.cert });
  };

  /** Stands in for a host from now on, replacing the previous stand-in. */
  async serve(host: string, listener: RequestListener, authority = this.authority): Promise<void> {
    const { cert, key } = authority.issue(host);
    const server = createServer({ cert, key }, listener);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket.on('error', () => undefined));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#servers.push(server);
    this.#ports.set(host, (server.address() as AddressInfo).port);
  }

  /** Stops the stand-in of this host: its port refuses connections. */
  async stop(host: string): Promise<void> {
    const port = this.#ports.get(host);
    const server = this.#servers.find((one) => (one.address() as AddressInfo | null)?.port === port);
    await (server && this.#end(server));
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => this.#end(server)));
    await this.#outbound.close();
  }

  async #end(server: Server): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** The failures of a remote that every login must handle. */
export const faults: Readonly<Record<string, RequestListener>> = {
  'never answers': () => undefined,
  'answers without end': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  },
  'sends headers and then nothing': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{');
  },
  'redirects to the metadata service': (_, response) =>
    response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  'redirects to itself': (request, response) => response.writeHead(302, { location: request.url ?? '/' }).end(),
  'hangs up': (request) => request.socket.destroy(),
  'answers what is no JSON': (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
  'answers nothing': (_, response) => response.writeHead(200).end(),
  'answers null': (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('null'),
  'answers 500': (_, response) => response.writeHead(500).end('{}'),
  'answers 404': (_, response) => response.writeHead(404).end('{}'),
};
