/** The backoff of failed work: how long it waits before a retry; both in milliseconds. */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Ten seconds, doubled each time, at most an hour. */
export const BACKOFF: BackoffPolicy = { firstMs: 10_000, longestMs: 3_600_000 };

/**
 * Milliseconds until work is tried again that has failed so many times in a row: exponential, and within ten per cent not
 * the same for all, so that what failed together does not come back together.
 *
 * @param failures 1 after the first failure.
 */
export const backoff = (failures: number, { firstMs, longestMs }: BackoffPolicy = BACKOFF): number =>
  Math.min(firstMs * 2 ** Math.min(failures - 1, 30), longestMs) * (0.9 + Math.random() * 0.2);
