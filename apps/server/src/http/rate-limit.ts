import { crc32 } from 'node:zlib';
import { DomainError, readAddress, withoutFourthPart } from '@coffer/domain';
import type { FastifyReply } from 'fastify';

const WINDOW_MS = 60_000;
/** Callers that one window remembers; beyond that it starts anew, which errs in favour of callers. */
const MAX_CALLERS = 100_000;

/** Counts what each caller does in a minute, in the memory of this process. */
export class RateLimit {
  readonly max: number;
  readonly #now: () => number;
  #counts = new Map<string | number, number>();
  #endsAt = 0;

  /** `max` in a minute; 0 for no limit. */
  constructor(max: number, now: () => number = Date.now) {
    this.max = max;
    this.#now = now;
  }

  /** Counts for a caller; answers the seconds until the window ends where that is too much. */
  take(caller: string | number, amount = 1): number | undefined {
    if (this.max === 0) return undefined;
    const now = this.#now();
    if (now >= this.#endsAt || this.#counts.size >= MAX_CALLERS) {
      this.#counts = new Map();
      this.#endsAt = now + WINDOW_MS;
    }
    const count = (this.#counts.get(caller) ?? 0) + amount;
    this.#counts.set(caller, count);
    return count > this.max ? Math.ceil((this.#endsAt - now) / 1000) : undefined;
  }

  /** The seconds until a caller's window ends, where that is used up; counts nothing. */
  waitOf(caller: string): number | undefined {
    const left = this.#endsAt - this.#now();
    return this.max !== 0 && left > 0 && (this.#counts.get(caller) ?? 0) >= this.max
      ? Math.ceil(left / 1000)
      : undefined;
  }
}

/** The limits of all doors to Coffer. */
export class Limits {
  readonly #calls: RateLimit;
  readonly #refused: RateLimit;
  readonly #logins: RateLimit;

  constructor({ calls, logins, now }: { calls: number; logins: number; now?: () => number }) {
    this.#calls = new RateLimit(calls, now);
    this.#refused = new RateLimit(calls, now);
    this.#logins = new RateLimit(logins, now);
  }

  /**
   * Counts calls for whoever makes them: the token, or the address where there is none. An address from which too many
   * tokens came that were none (`countRefused`) has to wait, so that inventing them leads nowhere.
   *
   * @throws DomainError 429
   */
  count(bearer: string | undefined, ipAddress: string, reply: FastifyReply, amount = 1): void {
    if (this.#calls.max === 0) return;
    const wait =
      bearer === undefined
        ? this.#calls.take(addressKey(ipAddress), amount)
        : (this.#refused.waitOf(addressKey(ipAddress)) ?? this.#calls.take(crc32(withoutFourthPart(bearer)), amount));
    if (wait !== undefined) throw refuse(reply, this.#calls.max, wait);
  }

  /** A login: where guessing happens, and hashing costs. @throws DomainError 429 */
  countLogin(ipAddress: string, reply: FastifyReply, amount = 1): void {
    const wait = this.#logins.take(addressKey(ipAddress), amount);
    if (wait !== undefined) throw refuse(reply, this.#logins.max, wait);
  }

  /** A token that was refused counts for the address it came from. */
  countRefused(ipAddress: string): void {
    this.#refused.take(addressKey(ipAddress));
  }
}

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

/** One IPv6 customer has a whole /64, and with it more addresses than could be counted. */
function addressKey(ipAddress: string): string {
  if (!ipAddress.includes(':')) return ipAddress;
  const address = readAddress(ipAddress);
  return address?.kind() === 'ipv6' ? address.toByteArray().slice(0, 8).join(':') : ipAddress;
}
