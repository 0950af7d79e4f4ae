import { X509Certificate } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import { MAX_RSA_BITS_IN_TURN, readPrivateKey } from '../crypto/index.ts';
import type { OutboundTls } from '../kernel/outbound.ts';
import { asFailure, badOutboundRequest, unexpected, unreachable } from './failure.ts';
import type { Guard } from './guard.ts';
import type { Hop } from './redirect.ts';
import { hostOf } from './target.ts';
import { SecureAgent } from './tls.ts';

/** Per origin: see `OriginTurns`. */
export const CONNECTIONS = 32;
const IDLE_CONNECTIONS = 4;
/** Milliseconds. Short, so that a name which moved is looked up again soon. */
const IDLE_TIME = 5000;
/** Informational responses (102, 103) before the answer: their bytes count nowhere else. */
const NOTICES = 100;
/** Milliseconds before the next address of a name is tried. */
export const ATTEMPT_TIME = 1000;

export interface Connections {
  /** Sends one request; resolves with the headers, before the body is read. `signal` aborts both at any time. */
  send(hop: Hop, signal: AbortSignal): Promise<IncomingMessage>;
  close(): void;
}

/**
 * Connections to remotes, kept open for a short time and shared by requests to the same origin with the same roots and
 * client certificate. The socket connects to the checked address, without resolving the name again. Host header, SNI
 * and certificate verification use the name. These agents ignore proxy variables.
 */
export function createConnections(guard: Guard): Connections {
  const lookup: LookupFunction = (hostname, _options, callback) => {
    guard(hostname).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, []),
    );
  };
  const settings = {
    keepAlive: true,
    maxSockets: CONNECTIONS,
    maxFreeSockets: IDLE_CONNECTIONS,
    timeout: IDLE_TIME,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIME,
  };
  const http = new HttpAgent(settings);
  const https = new SecureAgent(settings);

  async function send(hop: Hop, signal: AbortSignal): Promise<IncomingMessage> {
    const host = hostOf(hop.url);
    // A socket looks up names only.
    if (isIP(host)) await guard(host);
    signal.throwIfAborted();
    const options = {
      host,
      port: hop.url.port,
      path: hop.url.pathname + hop.url.search,
      method: hop.method,
      headers: { ...hop.headers, ...framing(hop) },
      setHost: false,
    };
    return new Promise((resolve, reject) => {
      const request =
        hop.url.protocol === 'https:'
          ? httpsRequest({ ...options, ...identity(hop), agent: https })
          : httpRequest({ ...options, agent: http });
      signal.addEventListener('abort', () => request.destroy(), { once: true });
      let notices = 0;
      request.on('information', () => {
        if (++notices > NOTICES) request.destroy(unexpected(host));
      });
      request.on('error', (error) => reject(asFailure(error, host)));
      request.on('close', () => reject(unreachable(host, 'closed the connection')));
      request.on('response', (response) => resolve(response.on('error', () => {})));
      request.end(hop.body);
    });
  }

  return {
    send,
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

function framing({ url, headers, body }: Hop): Record<string, string> {
  // These schemes authenticate the connection and not the request: it must not be reused.
  const bound = /^(?:negotiate|ntlm)\b/i.test(headers['authorization'] ?? '');
  return {
    host: url.host,
    ...(bound && { connection: 'close' }),
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  };
}

export function identity({ ca, clientCertificate }: OutboundTls) {
  // Kubernetes and others hand out an intermediate certificate as their root.
  return { ...(ca && { ca, allowPartialTrustChain: true }), ...clientCertificate };
}

/**
 * Throws `outbound.bad_request` for invalid PEM: a socket would ignore an invalid root and fail with an unrelated
 * error.
 */
export function checkIdentity({ ca, clientCertificate }: OutboundTls): void {
  try {
    if (ca) new X509Certificate(ca);
  } catch {
    throw badOutboundRequest('The CA certificate is not in PEM form');
  }
  try {
    if (clientCertificate && !readPrivateKey(clientCertificate.key, MAX_RSA_BITS_IN_TURN))
      throw new Error('The key type is not supported');
    if (clientCertificate) createSecureContext(clientCertificate);
  } catch {
    throw badOutboundRequest(
      `The client certificate and its key are not in PEM form, or do not match; RSA keys have at most ${MAX_RSA_BITS_IN_TURN} bits`,
    );
  }
}
