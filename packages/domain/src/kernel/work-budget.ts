import { setImmediate } from 'node:timers';
import { requireOpenRequest } from './open-request.ts';

/** The maximum time without yielding to the event loop, in milliseconds. */
const SLICE_MS = 5;
/** The amount of work between two readings of the clock. */
const STRIDE = 500;

const resting: (() => void)[] = [];
let rests = 0;

/** How often long work of this process has let other requests through. */
export const restsSoFar = (): number => rests;

/**
 * Resolves in a later turn of the event loop, for one work in each: however much work of this kind there is, requests
 * with little wait for one slice of it in each turn.
 */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (resting.push(resolve) === 1) setImmediate(resumeOne);
  });
}

function resumeOne(): void {
  resting.shift()!();
  if (resting.length > 0) setImmediate(resumeOne);
}

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

  /** @throws DomainError 503 `request.closed` where the client of the request has disconnected: its work is not continued. */
  async rest(): Promise<void> {
    rests++;
    await nextTurn();
    requireOpenRequest();
    this.#sliceEnds = performance.now() + SLICE_MS;
  }

  /** Both in one call, after a piece of work. */
  async spendAndRest(cost: number): Promise<void> {
    this.spend(cost);
    if (this.shouldYield) await this.rest();
  }
}

/** Microseconds of work in one piece that others should not wait for many times. */
const LONG_PIECE = 2_000;

/** Microseconds of verifying one signature with a slow key. */
export const SLOW_VERIFICATION = 5_000;

/**
 * Call it before work in one piece, such as a computation in a library: of many long ones at once, one is done in each turn of the event
 * loop. `cost`: microseconds.
 */
export async function restBeforeLong(cost: number): Promise<void> {
  if (cost >= LONG_PIECE) await new WorkBudget().rest();
}

/** The results of some work on each of some things, in their order. `cost`: of one, as of `WorkBudget`. */
export async function mapInTurns<T, U>(
  things: Iterable<T>,
  cost: number | ((thing: T) => number),
  work: (thing: T) => U,
): Promise<U[]> {
  const pace = new WorkBudget();
  const results: U[] = [];
  for (const thing of things) {
    results.push(work(thing));
    pace.spend(typeof cost === 'number' ? cost : cost(thing));
    if (pace.shouldYield) await pace.rest();
  }
  return results;
}
