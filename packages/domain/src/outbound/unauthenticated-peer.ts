import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OutboundConnection } from '../kernel/outbound.ts';
import { secured } from './tls.ts';

// Connects to any server under a name without authenticating it: only for servers that do not have a certificate yet,
// and never with secrets. All other code uses `fetch` and `connect`.

export interface UnauthenticatedResponse {
  readonly status: number;
  /** Of a redirect, which is not followed. */
  readonly location: string | undefined;
  /** Cut off somewhere beyond `maxCharacters`. */
  readonly body: string;
}

/**
 * Sends a GET on a connection, with TLS if the URL is https. The connection limits time and bytes; the caller closes
 * it.
 */
export function getUnauthenticated(
  { stream }: OutboundConnection,
  url: URL,
  maxCharacters: number,
): Promise<UnauthenticatedResponse> {
  const { hostname, pathname, search } = url;
  const isSecure = url.protocol === 'https:';
  const through: Duplex = isSecure
    ? secured(stream, hostname, { servername: hostname, rejectUnauthorized: false })
    : stream;
  return new Promise((resolve, reject) => {
    // Stays attached: an unhandled error event would end the process.
    through.on('error', reject);
    const sent = request({
      createConnection: () => through,
      host: hostname,
      path: pathname + search,
      headers: { host: hostname, 'user-agent': 'coffer', accept: '*/*', connection: 'close' },
      setHost: false,
    });
    sent.once('error', reject);
    sent.once('close', () => reject(new Error('It hung up')));
    sent.once('response', (response) => void read(response, maxCharacters).then(resolve, reject));
    sent.end();
  });
}

async function read(response: IncomingMessage, maxCharacters: number): Promise<UnauthenticatedResponse> {
  const { statusCode: status = 0, headers } = response;
  if ([301, 302, 303, 307, 308].includes(status) && headers.location !== undefined)
    return { status, location: headers.location, body: '' };
  let body = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    body += chunk;
    if (body.length > maxCharacters) break;
  }
  return { status, location: undefined, body };
}

/**
 * The certificate (DER) that a server presents for a name in a protocol (ALPN), and whether it supports that protocol.
 * The caller ends the connection.
 *
 * @throws Error if the handshake fails.
 */
export async function unauthenticatedCertificate(
  { stream }: OutboundConnection,
  servername: string,
  protocol: string,
): Promise<{ der: Buffer | undefined; isSpoken: boolean }> {
  const socket = secured(stream, servername, { servername, ALPNProtocols: [protocol], rejectUnauthorized: false });
  socket.on('error', () => undefined);
  const hungUp = once(stream, 'close').then(() => {
    throw new Error('It hung up');
  });
  hungUp.catch(() => undefined);
  await Promise.race([once(socket, 'secureConnect'), hungUp]);
  const { raw } = socket.getPeerCertificate();
  const isSpoken = socket.alpnProtocol === protocol;
  socket.destroy();
  return { der: raw, isSpoken };
}
