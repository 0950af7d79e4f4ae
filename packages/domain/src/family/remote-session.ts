import { isUnsent, MAX_BYTES, redact } from '../outbound/index.ts';
import {
  atServiceUrl,
  badRequest,
  DomainError,
  type Actor,
  type Context,
  type OutboundConnect,
  type OutboundFetch,
  type OutboundRequest,
  type ServiceUrl,
  type TurnOwner,
} from '../kernel/index.ts';
import { delayAskedFor, exhausted } from './remote-error.ts';

/** Of a connection that several pieces of work share: milliseconds and bytes. */
export const LASTING = { lifetimeMs: 600_000, maxBytes: 64 * 1024 * 1024 };

/**
 * Bytes of the answer to one call at a database. Few rows are read; parsers take microseconds for parts of one to four bytes, and
 * more for each one after thousands of them.
 */
export const MAX_DATABASE_ANSWER = 128 * 1024;
/** Values of the answer to one call: a row may take fewer octets than it has columns, and libraries make an object of each. */
export const MAX_DATABASE_VALUES = 10_000;
/** Columns, where the library reads rows before they can be counted. */
export const MAX_DATABASE_COLUMNS = 50;

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
  /** Bytes of all answers over HTTP; default: 128 MiB. */
  readonly maxReceived?: number;
  /** Whose turns at its remotes these are; default: its organization's, and none for connections. */
  readonly whose?: TurnOwner;
  /** Milliseconds that a large answer waits for its turn; default: 5,000. */
  readonly patienceMs?: number;
  /** Where calls to services go instead; default: to their own addresses. */
  readonly serviceUrls?: readonly ServiceUrl[];
}

/** Bytes of all answers to one piece of work: as much as a list of 20,000 repositories has. */
export const MAX_RECEIVED = 128 * 1024 * 1024;
/** Bytes of answers that any number of pieces of work have at a time. With more, they take turns. */
const SMALL = 256 * 1024;
/** Milliseconds. The deadline of the call goes on meanwhile. */
const PATIENCE = 5_000;

/** The place of a piece of work with large answers, taken once it has some, and held until it is over. */
class LargePlace {
  readonly #ctx: Pick<Context, 'largeAnswers' | 'actor'>;
  readonly #patience: number;
  readonly #over = Promise.withResolvers<void>();
  #taken: Promise<void> | undefined;

  constructor(ctx: Pick<Context, 'largeAnswers' | 'actor'>, patience = PATIENCE) {
    this.#ctx = ctx;
    this.#patience = patience;
  }

  /** @throws DomainError 400 `outbound.busy` if the wait is too long; 503 if the client disconnects meanwhile. */
  take(): Promise<void> {
    return (this.#taken ??= this.#wait());
  }

  async #wait(): Promise<void> {
    const { actor, largeAnswers } = this.#ctx;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const limit = setTimeout(() => reject(busy()), this.#patience);
    const hold = () => {
      resolve();
      return this.#over.promise;
    };
    largeAnswers.run(organizationIn(actor), hold).catch(reject);
    try {
      await promise;
    } finally {
      clearTimeout(limit);
    }
  }

  leave(): void {
    this.#over.resolve();
  }
}

const organizationIn = (actor: Actor): string => ('organizationId' in actor ? (actor.organizationId ?? '') : '');

const busy = () =>
  badRequest('outbound.busy', 'Too many large answers of other systems are read at the moment: try again');

/**
 * One piece of work at a remote, within its deadline, its call budget, and what it may receive. It knows the credentials and
 * values to redact from errors. Whoever makes it ends it (`using`).
 */
export class RemoteSession implements Disposable {
  readonly now: Date;
  /** Whether anything may have reached the remote. */
  isTouched = false;
  readonly #ctx: Pick<Context, 'fetch' | 'connect'>;
  readonly #place: LargePlace;
  readonly #bounds: RemoteBounds;
  readonly #whose: TurnOwner;
  readonly #end: number;
  readonly #credentials: Set<string>;
  /** A list: a set compares long texts of one length, one with each other. */
  readonly #values: string[] = [];
  #calls = 0;
  #received = 0;

  constructor(ctx: Pick<Context, 'fetch' | 'connect' | 'now' | 'largeAnswers' | 'actor'>, bounds: RemoteBounds) {
    this.now = ctx.now();
    this.#ctx = ctx;
    this.#place = new LargePlace(ctx, bounds.patienceMs);
    this.#bounds = bounds;
    this.#whose = bounds.whose ?? organizationIn(ctx.actor);
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
    for (const value of values) if (value !== undefined) this.#values.push(value);
  }

  /** A text of a remote, redacted; see `redact`. */
  redact(words: string): Promise<string> {
    return redact(words, { credentials: this.#credentials, values: this.#values });
  }

  /** An error of the work as a 400 with its code, redacted, and with the delay that the remote asks for alone. */
  async redacted(error: DomainError): Promise<DomainError> {
    const message = await this.redact(error.message);
    return new DomainError('bad_request', error.code, message, { retryAfter: delayAskedFor(error) });
  }

  /** The work is over, and with it what it has received. */
  [Symbol.dispose](): void {
    this.#place.leave();
  }

  /** As the context's, within the time, the number of calls and the bytes that are left. */
  readonly fetch: OutboundFetch = async (url, request: OutboundRequest = {}) => {
    const timeoutMs = this.#timeFor(request.timeoutMs ?? this.#bounds.callMs);
    const left = (this.#bounds.maxReceived ?? MAX_RECEIVED) - this.#received;
    if (left <= 0) throw exhausted('The answers for this operation are too large together');
    const answer = await this.#touching(
      this.#ctx.fetch(atServiceUrl(this.#bounds.serviceUrls ?? [], url), {
        ...request,
        whose: this.#whose,
        timeoutMs,
        maxBytes: Math.min(request.maxBytes ?? MAX_BYTES, left),
        room: { from: Math.max(SMALL - this.#received, 0), wait: () => this.#place.take() },
      }),
    );
    this.#received += answer.body.length;
    return answer;
  };

  /** As the context's; the connection ends with the time of the work. */
  readonly connect: OutboundConnect = async (target) => {
    const timeoutMs = this.#timeFor(target.timeoutMs);
    const lifetimeMs = Math.min(target.lifetimeMs, this.left);
    const { whose } = this.#bounds;
    const inTurn = whose !== undefined && { whose };
    return this.#touching(this.#ctx.connect({ ...target, ...inTurn, timeoutMs, lifetimeMs }));
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
