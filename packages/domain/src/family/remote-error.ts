import { DomainError, type OutboundResponse } from '../kernel/index.ts';

/**
 * How a call to another system ended, where it was answered. That it was not answered at all is an error of `ctx.fetch`
 * and `ctx.connect` (`outbound.*`).
 *
 * - `rejected`: the other side said no, and nothing of the call remains there.
 * - `throttled`: it asks to be called later, and did nothing. `unavailable`: it serves nobody now.
 * - `ambiguous`: it said no, and something of the call may remain.
 * - `malformed`: it answered something that it never should.
 * - `exhausted`: the time or the number of calls that the work may take is used up.
 */
export type RemoteOutcome = 'rejected' | 'throttled' | 'unavailable' | 'ambiguous' | 'malformed' | 'exhausted';

/** 400 `remote.<outcome>`. The message may quote the other system: the engines redact it before anybody sees it. */
export const remoteError = (outcome: RemoteOutcome, message: string, retryAfter?: number): DomainError =>
  new DomainError('bad_request', `remote.${outcome}`, message, retryAfter === undefined ? {} : { retryAfter });

/** Whether an error is one of these outcomes. */
export const isRemote = (error: unknown, ...outcomes: readonly RemoteOutcome[]): error is DomainError =>
  error instanceof DomainError && outcomes.some((outcome) => error.code === `remote.${outcome}`);

const saying = (who: string, words: string) => `${who} reports: ${words.trim() || 'no details'}`;

/** The other side said no; `who` is its host or name, `words` are its own. */
export const rejectedBy = (who: string, words: string) => remoteError('rejected', saying(who, words));

/** The same where something of the call may have been done all the same. */
export const ambiguousOutcome = (who: string, words: string) => remoteError('ambiguous', saying(who, words));

/** An answer by HTTP that says no. */
export const rejected = (url: string, status: number, words: string) =>
  remoteError('rejected', answered(url, status, words));

/** The other side answered something that it never should. */
export const malformed = (url: string, what: string) =>
  remoteError('malformed', `${new URL(url).hostname} answered ${what}`);

/** The same of a protocol that is not HTTP. */
export const notSpoken = (host: string, protocol: string) =>
  remoteError('malformed', `${host} does not speak ${protocol} as expected`);

/** There is no connection without TLS where a root to trust was given. */
export const withoutTls = (host: string) => remoteError('rejected', `${host} does not support TLS, which ca requires`);

/** @param retryAfter seconds, where the other side says how long it wants to be left alone. */
export const throttled = (url: string, retryAfter?: number) =>
  remoteError('throttled', `${new URL(url).hostname} is throttling requests`, waitOf(retryAfter));

const unavailable = (url: string, words: string, retryAfter?: number) =>
  remoteError('unavailable', answered(url, 503, words), waitOf(retryAfter));

/** @throws DomainError 400 for the answers 429 and 503, whatever was asked. `words` reads what the other side says. */
export function requireServed(
  url: string,
  answer: OutboundResponse,
  now: Date,
  words: (answer: OutboundResponse) => string,
): void {
  if (answer.status === 429) throw throttled(url, retryAfterOf(answer, now));
  if (answer.status === 503) throw unavailable(url, words(answer), retryAfterOf(answer, now));
}

/** The time, or the number of calls, that one piece of work may take is used up. */
export const exhausted = (what: string) => remoteError('exhausted', what);

const answered = (url: string, status: number, words: string): string =>
  `${new URL(url).hostname} answers ${status}${words === '' ? '' : `: ${words}`}`;

/** Seconds: the longest wait that is believed. */
const LONGEST_WAIT = 3600;

const waitOf = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_WAIT);

/** Seconds after which an answer says that it may be asked again; a number, or a date (RFC 9110, section 10.2.3). */
function retryAfterOf({ headers }: OutboundResponse, now: Date): number | undefined {
  const given = headers['retry-after']?.trim() ?? '';
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : (Date.parse(given) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? seconds : undefined;
}
