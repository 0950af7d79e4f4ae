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

/** How the remote of a connection authenticates itself, and how this side does. */
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

/** A connection for a protocol other than HTTP. The caller that opened it destroys its stream. */
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

/**
 * Questions to name servers about what a name is to everybody: neither the hosts file nor the search list counts. What is
 * answered is no permission to connect; `connect` checks. Failures are `bad_request`: `outbound.bad_url`, `.unreachable`,
 * `.timeout`, `.too_large`.
 */
export interface OutboundNames {
  /** IPv4 first; none where there are none. */
  addresses(name: string): Promise<readonly string[]>;
  /** The texts (TXT) of a name, each in one piece; none where there are none. */
  texts(name: string): Promise<readonly string[]>;
}

/** What is kept open to another system between calls: by one call at a time. */
export interface PooledClient<Client> {
  readonly client: Client;
  isOpen(): boolean;
  /** Takes out whatever a call has left in it; fails where that cannot be done. Absent where nothing can be left. */
  reset?(): Promise<unknown>;
  /** Ends it at once, whatever is under way on it. */
  close(): void;
}

export interface TargetLimits {
  /** For the whole call, once it has its turn, in milliseconds; 15,000 where absent. */
  timeMs?: number;
  /** How long it may wait for its turn, in milliseconds; 10,000 where absent. */
  waitMs?: number;
  /** Whose turns these are: a slow caller does not delay others at the same target. Shared by all if omitted. */
  whose?: string;
}

/**
 * Calls to other systems, a few to each at a time and each for a limited time: a slow one is waited for by those alone
 * who want something of it.
 */
export interface Targets {
  /**
   * Does work at a target (any name for it: `postgres://host:5432`). When the time is over, `signal` is aborted and the
   * call fails, whether or not the work has ended.
   *
   * @throws DomainError 400 `outbound.timeout`, `outbound.busy`; whatever the work throws.
   */
  run<T>(target: string, work: (signal: AbortSignal) => Promise<T>, limits?: TargetLimits): Promise<T>;
  /**
   * Uses something that was kept open under this key, or opens it, and keeps it for a moment where the use went well.
   * The key stands for everything that it depends on: where it leads, and with which credential.
   */
  usePooled<Client, T>(
    key: string,
    signal: AbortSignal,
    open: () => Promise<PooledClient<Client>>,
    use: (client: Client) => Promise<T>,
  ): Promise<T>;
  /** Work that goes on while nobody waits for it; Coffer does not close before it has ended. */
  inBackground(work: Promise<unknown>): void;
}
