import { backoff, BACKOFF, type BackoffPolicy } from '../backoff.ts';

/** What follows an attempt. */
export interface Next {
  /** How many have failed in a row. */
  readonly failures: number;
  /** Null where nothing is to be done, but for what has come in the meantime. */
  readonly dueAt: Date | null;
}

export const DONE: Next = { failures: 0, dueAt: null };

export interface RetryOptions {
  readonly policy?: BackoffPolicy;
  /** Milliseconds for which the other system asked to be left alone (`Retry-After`). */
  readonly retryAfterMs?: number | undefined;
  /** Retries in a row, after which it is tried no more. */
  readonly maxRetries?: number;
}

/** After one more failure: tried again later and later, and not before the other system allows it. */
export function retry(
  before: number,
  now: Date,
  { policy = BACKOFF, retryAfterMs = 0, maxRetries = Infinity }: RetryOptions = {},
): Next {
  const failures = before + 1;
  if (failures > maxRetries) return { failures, dueAt: null };
  return { failures, dueAt: new Date(now.getTime() + Math.max(retryAfterMs, backoff(failures, policy))) };
}
