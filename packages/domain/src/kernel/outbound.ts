import type { Duplex } from 'node:stream';

export interface OutboundRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** PEM of the only roots to trust; the system's where absent. */
  ca?: string;
  clientCertificate?: { cert: string; key: string };
  /** For the whole exchange, in milliseconds; 10,000 where absent. */
  timeoutMs?: number;
  /** Of the answer's body; 1 MiB where absent. */
  maxBytes?: number;
  /** 3 where absent; 0 refuses redirects. */
  maxRedirects?: number;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
  text(): string;
  json(): unknown;
}

/** The only way out: names are resolved once and pinned, private addresses refused, time and bytes bounded. */
export type OutboundFetch = (url: string, request?: OutboundRequest) => Promise<OutboundResponse>;

/** How the other side of a connection has to prove itself, and how this one does. */
export interface OutboundTls {
  /** PEM of the only roots to trust; the system's where absent. */
  ca?: string | undefined;
  clientCertificate?: { cert: string; key: string };
}

export interface OutboundTarget {
  host: string;
  port: number;
  /** TLS from the first byte on. Protocols that change to it on the way call `secure`. */
  tls?: OutboundTls;
  /** Until the connection stands, in milliseconds; 10,000 where absent. */
  timeoutMs?: number;
  /** How long it may stand, in milliseconds; `Infinity` for one that is kept. */
  lifetimeMs: number;
  /** How much may arrive on it, in bytes; `Infinity` for one that is kept. */
  maxBytes: number;
}

/** A connection for a protocol other than HTTP. Whoever opened it destroys its stream. */
export interface OutboundConnection {
  readonly stream: Duplex;
  /** Why the stream has ended, as an `outbound.*` error: libraries put what they read of it in words of their own. */
  readonly failure: Error | undefined;
  /** Goes on in TLS, under the host's name. The stream is another one from here on; nothing may wait in the first. */
  secure(tls: OutboundTls): Promise<OutboundConnection>;
}

/**
 * The same way out for other protocols: PostgreSQL, Redis, LDAP. Private addresses are refused, and what is connected to
 * is the address that was checked. All failures are `bad_request`, as those of `fetch` are.
 */
export type OutboundConnect = (target: OutboundTarget) => Promise<OutboundConnection>;
