import { WorkBudget } from '../kernel/index.ts';
import { LIMIT, tooCostly } from './evaluation-cost.ts';
import { stepsInAll } from './evaluation-step.ts';

/** What a thing costs, in the questions of a `WorkBudget`; */
const COST_OF_THING = 16;
/** and a step of `EvaluationCost`: some billionths of a second. */
const COST_OF_STEP = 1 / 2_000;

/**
 * Lets others through while many things are judged by rules, one by one, however many there are: all lists, batches and
 * checks do so by the functions below. What the rules cost in all is bounded: 403 `permission.too_costly`; unless
 * `limit` is `Infinity`, for what the caller does not answer for, and for work without a caller.
 */
export class Turns {
  readonly #limit: number;
  readonly #budget = new WorkBudget();
  #mark = stepsInAll();
  #steps = 0;

  constructor(limit = LIMIT) {
    this.#limit = limit;
  }

  /** Whether it is time to `rest`; asked after each thing. @throws DomainError 403 `permission.too_costly` */
  get isOver(): boolean {
    const now = stepsInAll();
    const steps = now - this.#mark;
    this.#mark = now;
    this.#steps += steps;
    if (this.#steps > this.#limit) throw tooCostly();
    this.#budget.spend(COST_OF_THING + steps * COST_OF_STEP);
    return this.#budget.shouldYield;
  }

  /** Costs of other callers during a yield are not counted here. */
  async rest(): Promise<void> {
    await this.#budget.rest();
    this.#mark = stepsInAll();
  }
}

/** Does something with each of some things, in their order. */
export async function eachInTurns<T>(things: Iterable<T>, work: (thing: T) => void, limit?: number): Promise<void> {
  const turns = new Turns(limit);
  for (const thing of things) {
    work(thing);
    if (turns.isOver) await turns.rest();
  }
}

/** Those of some things for which something is true. */
export async function filterInTurns<T>(
  things: Iterable<T>,
  isKept: (thing: T) => boolean,
  limit?: number,
): Promise<T[]> {
  const kept: T[] = [];
  const keep = (thing: T) => {
    if (isKept(thing)) kept.push(thing);
  };
  await eachInTurns(things, keep, limit);
  return kept;
}

/** The first of some things for which something is true. */
export async function findInTurns<T>(things: Iterable<T>, isWanted: (thing: T) => boolean): Promise<T | undefined> {
  const turns = new Turns();
  for (const thing of things) {
    if (isWanted(thing)) return thing;
    if (turns.isOver) await turns.rest();
  }
  return undefined;
}
