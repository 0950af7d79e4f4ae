import { setImmediate } from 'node:timers/promises';

/** How long the event loop is kept at a stretch, in milliseconds. */
const SLICE_MS = 5;
/** How much work is done between two looks at the clock. */
const STRIDE = 500;

/** Lets other requests through while much is compared, and bounds how much is. */
export class WorkBudget {
  #left: number;
  #sinceLook = 0;
  #sliceEnds = performance.now() + SLICE_MS;

  /** `budget`: how many questions may be asked of rules; some millionths of a second each. */
  constructor(budget = Infinity) {
    this.#left = budget;
  }

  /** Whether there is something left to spend. */
  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  spend(cost: number): void {
    this.#left -= cost;
    this.#sinceLook += cost;
  }

  /** Whether it is time to `rest`. Asked often, so that it looks at the clock now and then only. */
  get shouldYield(): boolean {
    if (this.#sinceLook < STRIDE) return false;
    this.#sinceLook = 0;
    return performance.now() > this.#sliceEnds;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#sliceEnds = performance.now() + SLICE_MS;
  }

  /** Both at once: for a piece of work that is done. */
  async spendAndRest(cost: number): Promise<void> {
    this.spend(cost);
    if (this.shouldYield) await this.rest();
  }
}
