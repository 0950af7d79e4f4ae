/** Random decisions that a seed repeats. */
export class Dice {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed;
    this.#state = seed >>> 0;
  }

  /** At least 0, below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  is(percent: number): boolean {
    return this.next() * 100 < percent;
  }

  /** At least `least`, at most `most`. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** A random element; `undefined` if there is none. */
  maybeOne<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.next() * from.length)];
  }

  one<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error('There is nothing to choose from');
    return this.maybeOne(from)!;
  }

  some<T>(from: readonly T[], percent = 50): T[] {
    return from.filter(() => this.is(percent));
  }

  /** The same, but never none. */
  few<T>(from: readonly T[], percent = 50): T[] {
    const chosen = this.some(from, percent);
    return chosen.length > 0 ? chosen : [this.one(from)];
  }
}
