import { CofferError } from './error.ts';

/** The token was rejected: another one may be used. */
export const isRefused = (error: unknown): boolean => error instanceof CofferError && error.status === 401;

const NO_ANSWER = new Set(['client.unreachable', 'client.timeout']);
const MOMENTARY = new Set([429, 502, 503, 504]);
/** Seconds. */
const LONGEST_WAIT = 60;
/** Maximum number of doublings: up to 25.6 seconds. */
const MOST_DOUBLED = 7;

/** Milliseconds to wait before a retry; `undefined` if a retry would not help. */
export function delayBefore(error: unknown, repeated: number): number | undefined {
  if (!(error instanceof CofferError)) return undefined;
  const { status, reason, retryAfter } = error;
  if (!NO_ANSWER.has(reason) && !MOMENTARY.has(status)) return undefined;
  // Callers that were sent away together do not come back together.
  const spread = Math.random();
  if (retryAfter === undefined) return 200 * 2 ** Math.min(repeated, MOST_DOUBLED) * (0.5 + spread);
  return retryAfter <= LONGEST_WAIT ? retryAfter * 1000 + 250 * spread : undefined;
}
