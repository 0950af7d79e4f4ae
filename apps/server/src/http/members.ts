/** What can be one of `Members`: its position among them, or -1. */
export interface Member {
  position: number;
}

/**
 * A set that changes with every request, in no order. Not a `Set`: V8 gives one another table after a few changes, and each
 * table keeps the next one. If the first of them is old, all requests that were in any of them are kept until the old
 * generation is collected, and are copied there.
 */
export class Members<One extends Member> implements Iterable<One> {
  readonly #all: One[] = [];

  get size(): number {
    return this.#all.length;
  }

  add(one: One): void {
    if (one.position === -1) one.position = this.#all.push(one) - 1;
  }

  /** Whether it was one of them. */
  delete(one: One): boolean {
    if (one.position === -1) return false;
    const last = this.#all.pop()!;
    if (last !== one) this.#all[one.position] = last;
    last.position = one.position;
    one.position = -1;
    return true;
  }

  /** Must not change them meanwhile. */
  [Symbol.iterator](): Iterator<One> {
    return this.#all[Symbol.iterator]();
  }
}
