import { CallerLimiter, mostPlacesOfOne } from '../kernel/caller-limiter.ts';
import type { TurnOwner } from '../kernel/outbound.ts';

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
  run<T>(origin: string, whose: TurnOwner, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    const started = () => {
      signal.throwIfAborted();
      return call();
    };
    const [group, member] = typeof whose === 'string' ? [whose] : whose;
    const ofGroup = () => this.#inTurn(origin, this.#places, group, started);
    // As many of a group as it may have connections: the others wait here, in turns of its members.
    if (member === undefined) return ofGroup();
    return this.#inTurn(`${origin} ${group}`, mostPlacesOfOne(this.#places), member, ofGroup);
  }

  async #inTurn<T>(of: string, places: number, whose: string, work: () => Promise<T>): Promise<T> {
    const limiter = this.#limiters.get(of) ?? new CallerLimiter(places);
    this.#limiters.set(of, limiter);
    try {
      return await limiter.runAnyway(whose, work);
    } finally {
      if (limiter.isIdle) this.#limiters.delete(of);
    }
  }
}
