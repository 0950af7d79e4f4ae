import { timedOut } from './error.ts';

export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** `Infinity` for no limit. */
  readonly timeoutMs: number;
}

export interface Running {
  /** Aborted at the deadline or by the caller. */
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly left: () => number;
}

/**
 * Does work within a time, and until the caller's signal ends it; then it is not waited for any longer.
 *
 * @throws CofferError `client.timeout`; the signal's reason.
 */
export async function withinTime<T>({ signal, timeoutMs }: Limits, work: (running: Running) => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const endsAt = performance.now() + timeoutMs;
  const onAbort = () => controller.abort(signal?.reason);
  const timer = timeoutMs < LONGEST ? setTimeout(() => controller.abort(timedOut()), timeoutMs) : undefined;
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await orAborted(
      work({ signal: controller.signal, left: () => endsAt - performance.now() }),
      controller.signal,
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Timers have 31 bits of milliseconds; a longer time (24 days) means no limit. */
const LONGEST = 2 ** 31 - 1;

/** Rejects with the signal's reason as soon as that ends it. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await orAborted(new Promise((resolve) => (timer = setTimeout(resolve, ms))), signal);
  } finally {
    clearTimeout(timer);
  }
}

async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
