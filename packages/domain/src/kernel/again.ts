import { setTimeout as sleep } from 'node:timers/promises';

export interface Again {
  /** Maximum number of attempts. */
  readonly attempts: number;
  /** Whether another attempt may succeed after this error. */
  readonly passes: (error: unknown) => boolean;
  /** Milliseconds between attempts; default: none. */
  readonly pauseMs?: number;
}

/** Does work again after errors that may pass. @throws the error of the last attempt, and others at once. */
export async function doAgain<T>({ attempts, passes, pauseMs }: Again, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!passes(error) || attempt === attempts) throw error;
      if (pauseMs !== undefined) await sleep(pauseMs);
    }
  }
}
