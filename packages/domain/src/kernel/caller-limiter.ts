import { CallerCounts } from './caller-counts.ts';
import { CallerTurns } from './caller-turns.ts';
import { requireOpenRequest } from './open-request.ts';
import { mayHaveOneMore, mostOfOneCaller } from './share.ts';

/** A caller has at most three times as many places as remain for others. */
const PORTION = 3;

interface Waiting {
  readonly caller: string;
  readonly start: () => void;
}

/** What one caller gets of so many places while nobody else has any. */
export const mostPlacesOfOne = (places: number): number => mostOfOneCaller(places, PORTION);

/** Runs at most so many works at a time. Callers take turns, and one of them never has all places. */
export class CallerLimiter {
  readonly #places: number;
  #taken = 0;
  /** The number of places that each caller has. */
  readonly #held = new CallerCounts();
  readonly #waiting = new CallerTurns<string, Waiting>();

  constructor(places: number) {
    this.#places = places;
  }

  /**
   * Runs `work` once the caller has a place, unless its client has disconnected by then: what waits has no maximum.
   *
   * @throws DomainError 503 `request.closed`; whatever the work throws.
   */
  run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    return this.runAnyway(caller, async () => {
      requireOpenRequest();
      return work();
    });
  }

  /** The same for what has to be finished, also after its client has disconnected. */
  async runAnyway<T>(caller: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting.add(caller, { caller, start });
      this.#startWaiting();
    });
    try {
      return await work();
    } finally {
      this.#end(caller);
    }
  }

  /** Whether nothing runs or waits. */
  get isIdle(): boolean {
    return this.#taken === 0 && this.#waiting.isEmpty;
  }

  #startWaiting(): void {
    const mayStart = (caller: string) => mayHaveOneMore(this.#held.of(caller), this.#places - this.#taken, PORTION);
    for (let next = this.#waiting.take(mayStart); next; next = this.#waiting.take(mayStart)) {
      this.#taken++;
      this.#held.add(next.caller);
      next.start();
    }
  }

  #end(caller: string): void {
    this.#taken--;
    this.#held.remove(caller);
    this.#startWaiting();
  }
}
