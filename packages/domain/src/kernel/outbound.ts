import type { Duplex } from 'node:stream';

/**
 * Who takes turns to use the connections of an origin: a caller, or an organization; or the members of a group, such as the addresses
 * of strangers, which together have the turns of one.
 */
export type TurnOwner = string | readonly [group: string, member: string];

export interface OutboundRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** PEM of the only trusted roots; default: those of the system. */
  ca?: string;
  clientCertificate?: { cert: string; key: string };
  /** Deadline of the whole exchange in milliseconds; default 10,000. */
  timeoutMs?: number;
  /** Maximum size of the response body; default 1 MiB. */
  maxBytes?: number;
  /** Maximum number of redirects; default 3, 0 for none. */
  maxRedirects?: number;
  /** Whose turn it is to use one of the connections of an origin. Default: everybody else's. */
  whose?: TurnOwner;
  /** Waited for before more than so many bytes of the response body are read; default: nothing. */
  room?: { readonly from: number; readonly wait: () => Promise<void> };
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
  /** PEM of the only trusted roots; default: those of the system. */
  ca?: string | undefined;
  clientCertificate?: { cert: string; key: string };
}

export interface OutboundTarget {
  host: string;
  port: number;
  /** Implicit TLS. Protocols with a later upgrade call `secure`. */
  tls?: OutboundTls;
  /** Deadline for connecting, in milliseconds; default 10,000. */
  timeoutMs?: number;
  /** Maximum lifetime of the connection, in milliseconds; `Infinity` for pooled connections. */
  lifetimeMs: number;
  /** Maximum number of received bytes; `Infinity` for pooled connections. */
  maxBytes: number;
  /** Whose turn it is to have one of the connections of this host and port, until it ends. Default: nobody waits for a turn. */
  whose?: TurnOwner;
}

/** A connection for a protocol other than HTTP. The caller that opened it destroys its stream. */
export interface OutboundConnection {
  readonly stream: Duplex;
  /** Why the stream ended, as an `outbound.*` error: libraries wrap the original error. */
  readonly failure: Error | undefined;
  /** Upgrades to TLS with the host's name. Returns a new stream; the old one must have no pending data. */
  secure(tls: OutboundTls): Promise<OutboundConnection>;
}

/**
 * The same for other protocols: PostgreSQL, Redis, LDAP. Private addresses are refused, and the connection goes to the
 * checked address. All failures are `bad_request`, as those of `fetch`.
 */
export type OutboundConnect = (target: OutboundTarget) => Promise<OutboundConnection>;

/**
 * DNS queries for public names: without the hosts file and the search list. A result is not a permission to connect;
 * `connect` checks that. Failures are `bad_request`: `outbound.bad_url`, `.unreachable`, `.timeout`, `.too_large`.
 */
export interface OutboundNames {
  /** IPv4 first; empty if there are none. */
  addresses(name: string): Promise<readonly string[]>;
  /** The TXT records of a name, each as one text; empty if there are none. */
  texts(name: string): Promise<readonly string[]>;
}

/** A connection to a remote that is kept between calls and used by one call at a time. */
export interface PooledClient<Client> {
  readonly client: Client;
  isOpen(): boolean;
  /** Resets the state that a call has left; fails if that is not possible. Absent if there is no state. */
  reset?(): Promise<unknown>;
  /** Closes it immediately, also during a call. */
  close(): void;
}

export interface TargetLimits {
  /** Deadline of the whole call after its wait in the queue, in milliseconds; default 15,000. */
  timeMs?: number;
  /** Maximum wait in the queue, in milliseconds; default 10,000. */
  waitMs?: number;
  /** Whose turns these are: a slow caller does not delay others at the same target. Shared by all if omitted. */
  whose?: string;
}

/** Calls to remotes, with limits of concurrency and time for each: a slow remote delays only its own callers. */
export interface Targets {
  /**
   * Runs work at a target (any name for it: `postgres://host:5432`). At the deadline, `signal` is aborted and the call
   * fails, whether or not the work has ended.
   *
   * @throws DomainError 400 `outbound.timeout`, `outbound.busy`; whatever the work throws.
   */
  run<T>(target: string, work: (signal: AbortSignal) => Promise<T>, limits?: TargetLimits): Promise<T>;
  /**
   * Takes a pooled client for this key, or opens one, and returns it to the pool after success. The key must contain
   * everything that the client depends on: its target and its credential.
   */
  usePooled<Client, T>(
    key: string,
    signal: AbortSignal,
    open: () => Promise<PooledClient<Client>>,
    use: (client: Client) => Promise<T>,
  ): Promise<T>;
  /** The work of this process at remotes, by owner: see `inFairTurn` and `WorkOfOwners`. */
  readonly owners: {
    running(owner: string): number;
    run(owner: string, work: () => Promise<void>): Promise<void>;
    tookMuch(name: string): boolean;
    took(name: string, ms: number): void;
  };
  /** How many calls and pieces of background work have not ended. */
  readonly underWay: number;
  /** Background work that nobody awaits; Coffer waits for it before closing, though not for long. */
  inBackground(work: Promise<unknown>): void;
}
