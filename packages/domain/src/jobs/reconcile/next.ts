import { backoff, BACKOFF, type BackoffPolicy } from '../backoff.ts';

/** What follows an attempt. */
export interface Next {
  /** How many have failed in a row. */
  readonly failures: number;
  /** Null if nothing is to be done, except for work that arrived meanwhile. */
  readonly dueAt: Date | null;
}

export const DONE: Next = { failures: 0, dueAt: null };

export interface RetryOptions {
  readonly policy?: BackoffPolicy;
  /** The delay in milliseconds that the remote asked for (`Retry-After`). */
  readonly retryAfterMs?: number | undefined;
  /** Retries in a row, after which it is tried no more. */
  readonly maxRetries?: number;
}

/** After a failure: a retry with backoff, and not before the remote allows it. */
export function retry(
  before: number,
  now: Date,
  { policy = BACKOFF, retryAfterMs = 0, maxRetries = Infinity }: RetryOptions = {},
): Next {
  const failures = before + 1;
  if (failures > maxRetries) return { failures, dueAt: null };
  return { failures, dueAt: new Date(now.getTime() + Math.max(retryAfterMs, backoff(failures, policy))) };
}
