export interface RetryStrategy {
  /** Attempts after the first one where a command has to end. */
  readonly maxRetries: number;
  /** Milliseconds. */
  readonly baseDelay: number;
  readonly maxDelay: number;
}

/** Delays that double, with jitter, so that machines which failed together do not come back together. */
export class Backoff {
  readonly #strategy: Pick<RetryStrategy, 'baseDelay' | 'maxDelay'>;
  #failures = 0;

  constructor(strategy: Pick<RetryStrategy, 'baseDelay' | 'maxDelay'>) {
    this.#strategy = strategy;
  }

  /** Milliseconds to wait after one more failure. */
  next(): number {
    const { baseDelay, maxDelay } = this.#strategy;
    const delay = Math.min(baseDelay * 2 ** Math.min(this.#failures++, 30), maxDelay);
    return delay * (0.5 + Math.random() / 2);
  }

  reset(): void {
    this.#failures = 0;
  }
}
