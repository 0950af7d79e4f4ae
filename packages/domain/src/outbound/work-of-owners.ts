/** Milliseconds from which on work is slow. */
const SLOW_MS = 500;
/** How many times as long as it took its owner counts as slow, and for how many milliseconds at most. */
const [TIMES, LONGEST_MS] = [20, 60_000];
/** Maximum number of slow ones that are remembered; the first ones are forgotten. */
const MOST = 10_000;

/** The work at other systems that this process does for organizations, or others who share what runs it. */
export class WorkOfOwners {
  readonly #running = new Map<string, number>();
  readonly #slowUntil = new Map<string, number>();

  /** How much work of an owner is under way. */
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

  /** Whether work by this name was slow lately. */
  isSlow(name: string): boolean {
    const until = this.#slowUntil.get(name);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.#slowUntil.delete(name);
    return false;
  }

  /** Notes how many milliseconds work has taken, until now or in all. */
  took(name: string, ms: number): void {
    if (ms < SLOW_MS) return;
    this.#slowUntil.delete(name);
    this.#slowUntil.set(name, performance.now() + Math.min(TIMES * ms, LONGEST_MS));
    const [first] = this.#slowUntil.keys();
    if (this.#slowUntil.size > MOST) this.#slowUntil.delete(first!);
  }
}
