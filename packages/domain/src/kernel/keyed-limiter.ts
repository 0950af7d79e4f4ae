import { DomainError } from './errors.ts';

/** Maximum number of waiting calls for one key. */
const MAX_WAITING = 100;

export type Attempts = Pick<KeyedLimiter, 'run'>;

/** Limits the concurrent work for one key in a process; further calls wait in order. */
export class KeyedLimiter {
  readonly #limit: number;
  readonly #lines = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws DomainError 429 where too many wait; whatever the work throws. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (line.running < this.#limit) line.running++;
    else if (line.waiting.length < MAX_WAITING) await new Promise<void>((resolve) => line.waiting.push(resolve));
    else
      throw new DomainError('rate_limited', 'auth.busy', 'Too many attempts at once: try again in 1 second', {
        retryAfter: 1,
      });
    try {
      return await work();
    } finally {
      // The next waiting call takes over this slot.
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.running === 0) this.#lines.delete(key);
    }
  }
}
