import { DONE, retry, type Next } from '../../jobs/index.ts';

/** Number of retries, over about half a day. After that it waits for a change or a manual sync. */
const MAX_RETRIES = 20;

/** What decides when a sync runs again. */
export interface Result {
  /** The reason of a failure for users; absent after success. */
  readonly failure?: string;
  /** The delay in seconds that the remote asked for, if any. */
  readonly retryAfter?: number | undefined;
  /** Whether it only ran out of time, and made progress. */
  readonly isHalfway?: boolean;
  /** Whether a retry without changes is useless: only permanently impossible writes are left. */
  readonly isFinal?: boolean;
}

/** When it is tried again. */
export function nextRun(
  now: Date,
  { failures }: { readonly failures: number },
  { failure, isHalfway, isFinal, retryAfter = 0 }: Result,
): Next {
  if (isHalfway) return { failures: 0, dueAt: now };
  if (failure === undefined || isFinal) return DONE;
  return retry(failures, now, { retryAfterMs: retryAfter * 1000, maxRetries: MAX_RETRIES });
}
