import {
  byClass,
  clientNetwork,
  DomainError,
  isRecent,
  limitInForce,
  type Credential,
  type RateLimitClass,
  type StoredRateLimits,
} from '@coffer/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LoginTurns, type EndTurn, type Refusals } from './login-turns.ts';
import type { Peers } from './peers.ts';
import { SharedLimits } from './shared-limits.ts';

const WINDOW_MS = 60_000;
/** Maximum number of callers per window; beyond that the oldest is dropped. */
const MAX_CALLERS = 100_000;

/** Counts requests per caller and minute, in the memory of this process. */
export class RateLimit {
  /** Per minute; 0 for no limit. A change applies immediately, with the previous counts. */
  max: number;
  /** Called for what is counted here, for the other processes that serve the same port. */
  onTake: ((caller: string, amount: number) => void) | undefined;
  readonly #now: () => number;
  readonly #maxCallers: number;
  #counts = new Map<string, number>();
  #since = -Infinity;

  /** `max` in a minute; 0 for no limit. */
  constructor(max: number, now: () => number = Date.now, maxCallers = MAX_CALLERS) {
    this.max = max;
    this.#now = now;
    this.#maxCallers = maxCallers;
  }

  /** Counts a request; returns the seconds until the window ends if the limit is exceeded. */
  take(caller: string, amount = 1): number | undefined {
    if (this.max === 0) return undefined;
    this.onTake?.(caller, amount);
    return this.add(caller, amount);
  }

  /** The same for requests that another process has counted. */
  add(caller: string, amount: number): number | undefined {
    if (this.max === 0) return undefined;
    const now = this.#now();
    if (!isRecent(this.#since, WINDOW_MS, now)) {
      this.#counts = new Map();
      this.#since = now;
    }
    const known = this.#counts.get(caller);
    if (known === undefined && this.#counts.size >= this.#maxCallers)
      this.#counts.delete(this.#counts.keys().next().value!);
    const count = (known ?? 0) + amount;
    this.#counts.set(caller, count);
    return count > this.max ? this.#secondsLeft(now) : undefined;
  }

  /** The seconds until a caller's window ends if the limit is reached; counts nothing. */
  waitOf(caller: string): number | undefined {
    const now = this.#now();
    const isReached = this.max !== 0 && (this.#counts.get(caller) ?? 0) >= this.max;
    return isReached && isRecent(this.#since, WINDOW_MS, now) ? this.#secondsLeft(now) : undefined;
  }

  /** Whether a caller has been counted in this minute, and has reached the limit. */
  levelOf(caller: string): Refusals {
    if (this.waitOf(caller) !== undefined) return 'beyond';
    return isRecent(this.#since, WINDOW_MS, this.#now()) && this.#counts.has(caller) ? 'some' : 'none';
  }

  #secondsLeft(now: number): number {
    return Math.ceil((this.#since + WINDOW_MS - now) / 1000);
  }

  /** Callers that it remembers now. */
  get size(): number {
    return this.#counts.size;
  }
}

/** Recently verified tokens and API keys. */
const MAX_VERIFIED = 50_000;
/** The limit of an address for all subjects together, as a multiple of that for one. */
const SUBJECTS = 10;

export interface LimitOptions {
  /** Calls of one caller per minute, of all classes without a stored limit together but for logins; 0 for no limit. */
  readonly calls: number;
  /**
   * Refused logins of one address for one subject per minute, and strictly limited calls, unless a limit is stored; 0
   * for no limit.
   */
  readonly logins: number;
  /** Rejected tokens of one address per minute; 0 for no limit. */
  readonly refusedTokens?: number;
  readonly now?: () => number;
  /** Other processes that serve the same port: they count together. */
  readonly peers?: Peers | undefined;
}

/**
 * The rate limits of all entrances to Coffer. A caller is the actor (`callerKeyOf`), whichever of its tokens it uses, once
 * this process has verified the token; before that, and without one, it is the address. Only failures are limited: callers that share an address with a failing one can log
 * in, and use tokens that this process knows.
 */
export class Limits {
  readonly #options: LimitOptions;
  readonly #calls: RateLimit;
  /** The counters of classes with their own limits. */
  readonly #own: Readonly<Record<RateLimitClass, RateLimit>>;
  /** The current counter of each class. */
  #byClass: Readonly<Record<RateLimitClass, RateLimit>>;
  readonly #strict: RateLimit;
  readonly #refusedTokens: RateLimit;
  readonly #refusedLogins: RateLimit;
  readonly #refusedAddresses: RateLimit;
  readonly #loginTurns: LoginTurns;
  /** The callers of recently verified tokens and API keys, by hash. */
  readonly #verified = new Map<string, string>();
  readonly #shared: SharedLimits | undefined;

  constructor(options: LimitOptions) {
    const { calls, logins, refusedTokens = 0, now, peers } = options;
    this.#options = options;
    this.#calls = new RateLimit(calls, now);
    this.#own = byClass(() => new RateLimit(0, now));
    this.#byClass = byClass((name) => this.#counterOf(name, null));
    this.#strict = new RateLimit(logins, now);
    this.#refusedTokens = new RateLimit(refusedTokens, now);
    this.#refusedLogins = new RateLimit(logins, now);
    this.#refusedAddresses = new RateLimit(logins * SUBJECTS, now);
    this.#loginTurns = new LoginTurns((key) => this.#refusedLogins.levelOf(key));
    this.#shared = peers && this.#shareWith(peers);
  }

  /**
   * Applies the stored limits. A class without one counts with the others by the operator's limit. Logins never count
   * as calls: refused ones have their own limit, and successful ones have none.
   */
  apply(stored: StoredRateLimits): void {
    const { calls: callLimit, logins: loginLimit } = this.#options;
    const logins = limitInForce('authRateLimit', stored, { callLimit, loginLimit });
    for (const limit of [this.#strict, this.#refusedLogins]) limit.max = logins;
    this.#refusedAddresses.max = logins * SUBJECTS;
    this.#byClass = byClass((name) => this.#counterOf(name, stored[name]));
  }

  /** The counter of a class with a stored limit, or without. */
  #counterOf(name: RateLimitClass, stored: number | null): RateLimit {
    const own = this.#own[name];
    if (name === 'authRateLimit') return own;
    if (stored === null) return this.#calls;
    own.max = stored;
    return own;
  }

  /** Whether a token was verified recently. */
  isVerified(credential: Credential): boolean {
    return this.#verified.has(credential.counted);
  }

  /** The caller, as far as it is known before authentication. */
  callerOf(credential: Credential | undefined, ipAddress: string): string {
    const caller = credential === undefined ? undefined : this.#verified.get(credential.counted);
    return caller ?? clientNetwork(ipAddress);
  }

  /** Counts a call of a class for its caller. @throws DomainError 429 */
  count(name: RateLimitClass, credential: Credential | undefined, ipAddress: string, reply: FastifyReply): void {
    const limit = this.#byClass[name];
    if (limit.max === 0) return;
    const wait = limit.take(this.callerOf(credential, ipAddress));
    if (wait !== undefined) throw refuse(reply, limit.max, wait);
  }

  /**
   * Where an address has sent too many tokens that are not valid: the error for a further unknown one, if it is not valid
   * either. Guessing tokens is useless then, also on public paths, and a new token of others behind that address works.
   * Operations that limit failures themselves are exempt: what they take is no access token.
   */
  refusalOfUnknown(
    name: RateLimitClass,
    credential: Credential | undefined,
    ipAddress: string,
  ): ((reply: FastifyReply) => DomainError) | undefined {
    if (credential === undefined || name === 'authRateLimit' || this.isVerified(credential)) return undefined;
    const wait = this.#refusedTokens.waitOf(clientNetwork(ipAddress));
    return wait === undefined ? undefined : (reply) => refuse(reply, this.#refusedTokens.max, wait);
  }

  /**
   * Calls that cost much, such as sign-ups: all of them count, per operation, so that exhausting one does not block
   * others behind the same address from another; operations with a token count per caller, once it is known.
   *
   * @throws DomainError 429
   */
  countStrictly(operation: string, ipAddress: string, reply: FastifyReply, callerId = ''): void {
    const wait = this.#strict.take(`${clientNetwork(ipAddress)} ${operation} ${callerId}`);
    if (wait !== undefined) throw refuse(reply, this.#strict.max, wait);
  }

  /** A token or API key of this caller was verified. */
  verified(credential: Credential, caller: string): void {
    const token = credential.counted;
    if (this.#verified.has(token)) return;
    this.#remember(token, caller);
    this.#shared?.verified(token, caller);
  }

  #remember(token: string, caller: string): void {
    if (this.#verified.size >= MAX_VERIFIED) this.#verified.delete(this.#verified.keys().next().value!);
    this.#verified.set(token, caller);
  }

  #shareWith(peers: Peers): SharedLimits {
    const counters: Readonly<Record<string, RateLimit>> = {
      ...this.#own,
      calls: this.#calls,
      strict: this.#strict,
      refusedTokens: this.#refusedTokens,
      refusedLogins: this.#refusedLogins,
      refusedAddresses: this.#refusedAddresses,
    };
    const shared = new SharedLimits(peers, ({ counts, verified }) => {
      for (const [counter, caller, amount] of counts) counters[counter]?.add(caller, amount);
      for (const [token, caller] of verified) this.#remember(token, caller);
    });
    for (const [name, counter] of Object.entries(counters))
      counter.onTake = (caller, amount) => shared.count(name, caller, amount);
    return shared;
  }

  /** Waits for the turn of a login that asks another system. @throws DomainError 429 */
  takeLoginTurn(subject: string, ipAddress: string): Promise<EndTurn> {
    return this.#loginTurns.take(loginKey(subject, ipAddress));
  }

  /** Counts a rejected token for its address. */
  refusedToken(credential: Credential, ipAddress: string): void {
    this.#verified.delete(credential.counted);
    this.#refusedTokens.take(clientNetwork(ipAddress));
  }

  /**
   * Counts a rejected credential in the input of an operation for its address, as a rejected token. Returns the error to
   * send instead if the limit is exceeded; valid ones are not affected.
   */
  refusedCredential(ipAddress: string, reply: FastifyReply): DomainError | undefined {
    const wait = this.#refusedTokens.take(clientNetwork(ipAddress));
    return wait === undefined ? undefined : refuse(reply, this.#refusedTokens.max, wait);
  }

  /**
   * Counts a refused login for the address, for this subject and in total. Returns the error to send instead if the
   * limit is exceeded; successful logins are not affected.
   */
  refusedLogin(subject: string, ipAddress: string, reply: FastifyReply): DomainError | undefined {
    const address = clientNetwork(ipAddress);
    const wait = this.#refusedLogins.take(loginKey(subject, ipAddress));
    const waitAnywhere = this.#refusedAddresses.take(address);
    const longest = wait ?? waitAnywhere;
    return longest === undefined ? undefined : refuse(reply, this.#refusedLogins.max, longest);
  }
}

/** Counts a 401 for its token, if that is unknown. */
export function refusedToken(limits: Limits, { call: { isCredentialVerified, http, request } }: FastifyRequest): void {
  const { credential } = http;
  if (credential !== undefined && !isCredentialVerified) limits.refusedToken(credential, request.ipAddress);
}

/** Maximum length of a subject in counters. */
const MAX_SUBJECT = 300;
const loginKey = (subject: string, ipAddress: string): string =>
  `${clientNetwork(ipAddress)} ${subject.slice(0, MAX_SUBJECT)}`;

function refuse(reply: FastifyReply, max: number, seconds: number): DomainError {
  void reply.headers({
    'x-ratelimit-limit': String(max),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(seconds),
  });
  return new DomainError('rate_limited', 'rate.limited', `Too many requests; try again in ${seconds} seconds`, {
    retryAfter: seconds,
  });
}
