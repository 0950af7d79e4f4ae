import { isUnsent, redact } from '../outbound/index.ts';
import {
  atServiceUrl,
  type Context,
  type OutboundConnect,
  type OutboundFetch,
  type OutboundRequest,
  type ServiceUrl,
} from '../kernel/index.ts';
import { exhausted } from './remote-error.ts';

/** Of a connection that several pieces of work share: milliseconds and bytes. */
export const LASTING = { lifetimeMs: 600_000, maxBytes: 64 * 1024 * 1024 };

/**
 * Bytes of the answer to one call at a database. Few rows are read; parsers take microseconds for parts of one to four bytes, and
 * more for each one after thousands of them.
 */
export const MAX_DATABASE_ANSWER = 128 * 1024;

/** Where a server is that is spoken to over TLS or not from the first byte. */
export interface SecurableServer {
  readonly host: string;
  readonly port: number;
  /** PEM of the only trusted root; without it there is no TLS, unless `isSecure`. */
  readonly ca?: string | null | undefined;
  /** Whether there is TLS, also with the roots of the system. */
  readonly isSecure?: boolean | undefined;
}

/** A lasting connection to it. */
export const lastingTo = ({ host, port, ca, isSecure }: SecurableServer) => ({
  host,
  port,
  ...LASTING,
  ...((ca || isSecure) && { tls: { ca: ca || undefined } }),
});

/** What a client of a remote needs from the engine that uses it. */
export interface RemoteIo {
  readonly fetch: OutboundFetch;
  readonly now: Date;
}

export interface RemoteBounds {
  /** Milliseconds for all of the work. */
  readonly timeMs: number;
  /** Deadline of one HTTP call in milliseconds, unless the call has a shorter one; default: that of the work. */
  readonly callMs?: number;
  /** Call budget; default: unlimited. */
  readonly maxCalls?: number;
  /** Credentials to redact; those that are obtained later are added. */
  readonly credentials?: Set<string>;
  /** Where calls to services go instead; default: to their own addresses. */
  readonly serviceUrls?: readonly ServiceUrl[];
}

/**
 * One piece of work at a remote, within its deadline and call budget. It knows the credentials and values to redact
 * from errors.
 */
export class RemoteSession {
  readonly now: Date;
  /** Whether anything may have reached the remote. */
  isTouched = false;
  readonly #ctx: Pick<Context, 'fetch' | 'connect'>;
  readonly #bounds: RemoteBounds;
  readonly #end: number;
  readonly #credentials: Set<string>;
  readonly #values = new Set<string>();
  #calls = 0;

  constructor(ctx: Pick<Context, 'fetch' | 'connect' | 'now'>, bounds: RemoteBounds) {
    this.now = ctx.now();
    this.#ctx = ctx;
    this.#bounds = bounds;
    this.#end = performance.now() + bounds.timeMs;
    this.#credentials = bounds.credentials ?? new Set();
  }

  /** Milliseconds that are left. */
  get left(): number {
    return this.#end - performance.now();
  }

  /** Redacts a credential (a key, a token, a password) from all later texts, and returns it. */
  hide(credential: string): string {
    this.#credentials.add(credential);
    return credential;
  }

  /** The same for the values of secrets, ours and theirs. */
  hideValues(values: Iterable<string | undefined>): void {
    for (const value of values) if (value !== undefined) this.#values.add(value);
  }

  /** A text of a remote, redacted; see `redact`. */
  redact(words: string): Promise<string> {
    return redact(words, { credentials: this.#credentials, values: this.#values });
  }

  /** As the context's, within the time and the number of calls that are left. */
  readonly fetch: OutboundFetch = async (url, request: OutboundRequest = {}) => {
    const timeoutMs = this.#timeFor(request.timeoutMs ?? this.#bounds.callMs);
    return this.#touching(
      this.#ctx.fetch(atServiceUrl(this.#bounds.serviceUrls ?? [], url), { ...request, timeoutMs }),
    );
  };

  /** As the context's; the connection ends with the time of the work. */
  readonly connect: OutboundConnect = async (target) => {
    const timeoutMs = this.#timeFor(target.timeoutMs);
    const lifetimeMs = Math.min(target.lifetimeMs, this.left);
    return this.#touching(this.#ctx.connect({ ...target, timeoutMs, lifetimeMs }));
  };

  #timeFor(wanted = Infinity): number {
    if (this.left <= 0) throw exhausted('The deadline for this operation was exceeded');
    if (++this.#calls > (this.#bounds.maxCalls ?? Infinity))
      throw exhausted('The maximum number of calls for this operation was exceeded');
    return Math.max(1, Math.min(wanted, this.left));
  }

  async #touching<T>(call: Promise<T>): Promise<T> {
    try {
      const answer = await call;
      this.isTouched = true;
      return answer;
    } catch (error) {
      if (!isUnsent(error)) this.isTouched = true;
      throw error;
    }
  }
}
