import { DomainError, type OutboundResponse } from '../kernel/index.ts';

/**
 * The outcome of a failed call to a remote that was answered. A call without an answer is an error of `ctx.fetch` and
 * `ctx.connect` (`outbound.*`).
 * - `rejected`: the remote refused, and nothing of the call remains there.
 * - `throttled`: it asks for a later call, and did nothing. `unavailable`: it serves no one now.
 * - `ambiguous`: it refused, but part of the call may remain.
 * - `malformed`: the response is invalid.
 * - `exhausted`: the deadline or the call budget of the work is used up.
 */
export type RemoteOutcome = 'rejected' | 'throttled' | 'unavailable' | 'ambiguous' | 'malformed' | 'exhausted';

/** 400 `remote.<outcome>`. The message may quote the other system: the engines redact it before anybody sees it. */
export const remoteError = (outcome: RemoteOutcome, message: string, retryAfter?: number): DomainError =>
  new DomainError('bad_request', `remote.${outcome}`, message, retryAfter === undefined ? {} : { retryAfter });

/** Whether an error is one of these outcomes. */
export const isRemote = (error: unknown, ...outcomes: readonly RemoteOutcome[]): error is DomainError =>
  error instanceof DomainError && outcomes.some((outcome) => error.code === `remote.${outcome}`);

/** The delay in seconds that the other system asks for; undefined for errors of Coffer, such as a lock that others hold. */
export const delayAskedFor = ({ code, retryAfter }: DomainError): number | undefined =>
  code.startsWith('remote.') ? retryAfter : undefined;

const saying = (who: string, words: string) => `${who} reports: ${words.trim() || 'no details'}`;

/** The remote refused; `who` is its host or name, `words` is its message. */
export const rejectedBy = (who: string, words: string) => remoteError('rejected', saying(who, words));

/** The same if part of the call may have been done. */
export const ambiguousOutcome = (who: string, words: string) => remoteError('ambiguous', saying(who, words));

/** An HTTP error response that is a refusal: of 4xx. See `failedRequest`. */
export const rejected = (url: string, status: number, words: string) =>
  remoteError('rejected', answered(url, status, words));

/** Any HTTP error response. A server that fails, with 5xx, has refused nothing, and may have changed something before. */
export const failedRequest = (url: string, status: number, words: string) =>
  status >= 500 ? ambiguousOutcome(new URL(url).hostname, `${status} ${words}`) : rejected(url, status, words);

/** The response of the remote is invalid. */
export const malformed = (url: string, what: string) =>
  remoteError('malformed', `${new URL(url).hostname} answered ${what}`);

/** The same of a protocol that is not HTTP. */
export const notSpoken = (host: string, protocol: string) =>
  remoteError('malformed', `${host} does not speak ${protocol} as expected`);

/** TLS is mandatory with a root certificate, and where it is configured so. */
export const withoutTls = (host: string) =>
  remoteError('rejected', `${host} does not support TLS, which its configuration requires`);

/** @param retryAfter The delay in seconds that the remote asks for, if any. */
export const throttled = (url: string, retryAfter?: number) =>
  remoteError('throttled', `${new URL(url).hostname} is throttling requests`, waitOf(retryAfter));

const unavailable = (url: string, words: string, retryAfter?: number) =>
  remoteError('unavailable', answered(url, 503, words), waitOf(retryAfter));

/** @throws DomainError 400 for 429 and 503, for any request. `words` reads the remote's message. */
export function requireServed(
  url: string,
  answer: OutboundResponse,
  now: Date,
  words: (answer: OutboundResponse) => string,
): void {
  if (answer.status === 429) throw throttled(url, retryAfterOf(answer, now));
  if (answer.status === 503) throw unavailable(url, words(answer), retryAfterOf(answer, now));
}

/** The deadline, or the call budget, of one piece of work is used up. */
export const exhausted = (what: string) => remoteError('exhausted', what);

const answered = (url: string, status: number, words: string): string =>
  `${new URL(url).hostname} answers ${status}${words === '' ? '' : `: ${words}`}`;

/** Seconds: the longest wait that is believed. */
const LONGEST_WAIT = 3600;

const waitOf = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_WAIT);

/** The delay in seconds of a `Retry-After` header: a number, or a date (RFC 9110, section 10.2.3); an hour at most. */
export function retryAfterOf({ headers }: Pick<OutboundResponse, 'headers'>, now: Date): number | undefined {
  const given = headers['retry-after']?.trim() ?? '';
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : (Date.parse(given) - now.getTime()) / 1000;
  return waitOf(Number.isFinite(seconds) ? seconds : undefined);
}
