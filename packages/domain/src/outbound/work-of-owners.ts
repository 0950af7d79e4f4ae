/** Milliseconds of work from which on it is much, and the maximum that is remembered. */
const [MUCH_MS, MOST_MS] = [500, 6_000];
/** The part of the elapsed time that an owner may work without that. */
const ALLOWED = 0.1;
/** Maximum number of names; beyond it the oldest are dropped. */
const MOST = 10_000;

interface Taken {
  readonly ms: number;
  readonly at: number;
}

/** The calls of other systems that this process makes, by owner: an organization, or another owner that shares a queue. */
export class WorkOfOwners {
  readonly #running = new Map<string, number>();
  readonly #taken = new Map<string, Taken>();

  /** The number of calls of an owner that have not ended. */
  running(owner: string): number {
    return this.#running.get(owner) ?? 0;
  }

  /** Counts work as under way until it has ended. */
  async run(owner: string, work: () => Promise<void>): Promise<void> {
    this.#running.set(owner, this.running(owner) + 1);
    try {
      await work();
    } finally {
      const left = this.running(owner) - 1;
      if (left > 0) this.#running.set(owner, left);
      else this.#running.delete(owner);
    }
  }

  /** Whether work by this name took much time lately. */
  tookMuch(name: string): boolean {
    return this.#left(name) >= MUCH_MS;
  }

  /** Records the duration of work in milliseconds. */
  took(name: string, ms: number): void {
    const sum = Math.min(this.#left(name) + ms, MOST_MS);
    this.#taken.delete(name);
    this.#taken.set(name, { ms: sum, at: performance.now() });
    const [first] = this.#taken.keys();
    if (this.#taken.size > MOST) this.#taken.delete(first!);
  }

  /** The milliseconds of work that still count: fewer with time. */
  #left(name: string): number {
    const taken = this.#taken.get(name);
    return taken ? Math.max(0, taken.ms - ALLOWED * (performance.now() - taken.at)) : 0;
  }
}
