import { CallerLimiter } from '../kernel/caller-limiter.ts';

/**
 * The connections of each origin, which the owners of calls take turns to use: of one owner, slow or unwanted calls do not keep others
 * waiting. A silent origin does not block others: there is no total limit.
 */
export class OriginTurns {
  readonly #places: number;
  readonly #limiters = new Map<string, CallerLimiter>();

  /** The number of connections of each origin. */
  constructor(places: number) {
    this.#places = places;
  }

  /** Runs a call once its owner has a connection, unless it was aborted by then. */
  async run<T>(origin: string, whose: string, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    const limiter = this.#limiters.get(origin) ?? new CallerLimiter(this.#places);
    this.#limiters.set(origin, limiter);
    try {
      return await limiter.runAnyway(whose, () => {
        signal.throwIfAborted();
        return call();
      });
    } finally {
      if (limiter.isIdle) this.#limiters.delete(origin);
    }
  }
}
