import { setImmediate } from 'node:timers/promises';

/** The maximum time without yielding to the event loop, in milliseconds. */
const SLICE_MS = 5;
/** The amount of work between two readings of the clock. */
const STRIDE = 500;

/** Lets other requests through while much is compared, and bounds how much is. */
export class WorkBudget {
  #left: number;
  #sinceLook = 0;
  #sliceEnds = performance.now() + SLICE_MS;

  /** `budget`: the maximum number of evaluations of rules; some microseconds each. */
  constructor(budget = Infinity) {
    this.#left = budget;
  }

  /** Whether some of the budget is left. */
  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  spend(cost: number): void {
    this.#left -= cost;
    this.#sinceLook += cost;
  }

  /** Whether it is time to `rest`. Called often, so it reads the clock only sometimes. */
  get shouldYield(): boolean {
    if (this.#sinceLook < STRIDE) return false;
    this.#sinceLook = 0;
    return performance.now() > this.#sliceEnds;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#sliceEnds = performance.now() + SLICE_MS;
  }

  /** Both in one call, after a piece of work. */
  async spendAndRest(cost: number): Promise<void> {
    this.spend(cost);
    if (this.shouldYield) await this.rest();
  }
}
