/** The longest that a timer of Node waits. */
const LONGEST = 2 ** 31 - 1;

/** Waits; ends early, without an error, when the signal is aborted. @param ms Milliseconds. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, LONGEST));
    signal?.addEventListener('abort', end);
  });
}
