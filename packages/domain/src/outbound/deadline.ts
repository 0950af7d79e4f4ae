import { timedOut } from './failure.ts';

/** Settles within `ms`, whatever the work is waiting for, and then aborts the work. */
export async function within<T>(ms: number, host: () => string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(timedOut(host()));
      controller.abort();
    }, ms);
  });
  try {
    return await Promise.race([work(controller.signal), expiry]);
  } finally {
    clearTimeout(timer);
  }
}
