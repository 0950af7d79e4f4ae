import { DomainError } from '@coffer/domain';

/** Maximum number of waiting requests of one caller. */
const MAX_WAITING = 1_000;
/**
 * Milliseconds after which a request no longer counts as work of this process: it waits for others, or for its body.
 */
const WORK_MS = 1_000;

interface Slot {
  readonly since: number;
}

interface Waiting {
  readonly start: () => void;
  isGone: boolean;
}

/**
 * Limits the number of concurrent requests. Further ones wait, and callers take turns: a caller with one request waits
 * for at most one of each other caller. Below the limit, a request costs an object in a set.
 */
export class FairQueue {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #running = new Set<Slot>();
  /** By caller, in the order of their turns. */
  readonly #waiting = new Map<string | number, Waiting[]>();
  #sweeper: NodeJS.Timeout | undefined;

  /** `limit` requests at a time; 0 for no limit. */
  constructor(limit: number, now: () => number = () => performance.now()) {
    this.#limit = limit;
    this.#now = now;
  }

  /**
   * Starts a request when it is its turn, immediately below the limit. `callerOf` is called only above it. Call the
   * result once when the request is over, started or not.
   *
   * @throws DomainError 429 if the caller has too many waiting requests.
   */
  enter(callerOf: () => string | number, start: () => void): () => void {
    if (this.#limit === 0) {
      start();
      return doNothing;
    }
    if (this.#running.size < this.#limit) return this.#run(start);
    const caller = callerOf();
    const line = this.#waiting.get(caller) ?? [];
    if (line.length >= MAX_WAITING)
      throw new DomainError('rate_limited', 'rate.busy', 'Too many requests at once: try again in 1 second', {
        retryAfter: 1,
      });
    let leave: () => void = doNothing;
    const waiting: Waiting = { isGone: false, start: () => (leave = this.#run(start)) };
    line.push(waiting);
    this.#waiting.set(caller, line);
    this.#sweeper ??= setInterval(() => this.sweep(), WORK_MS / 4).unref();
    return () => {
      waiting.isGone = true;
      leave();
    };
  }

  /** Requests that wait now. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, line) => sum + line.length, 0);
  }

  /** Frees the places of long requests. Called automatically while others wait. */
  sweep(): void {
    const before = this.#now() - WORK_MS;
    // In the order in which they began.
    for (const slot of this.#running) {
      if (slot.since > before) break;
      this.#running.delete(slot);
    }
    this.#next();
  }

  #run(start: () => void): () => void {
    const slot: Slot = { since: this.#now() };
    this.#running.add(slot);
    start();
    return () => {
      if (this.#running.delete(slot)) this.#next();
    };
  }

  #next(): void {
    while (this.#running.size < this.#limit && this.#waiting.size > 0) {
      const [caller, line] = this.#waiting.entries().next().value!;
      const waiting = line.shift()!;
      // The caller's next request has its turn after all other callers.
      this.#waiting.delete(caller);
      if (line.length > 0) this.#waiting.set(caller, line);
      if (!waiting.isGone) waiting.start();
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

const doNothing = () => undefined;
