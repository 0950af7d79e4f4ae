import { setImmediate } from 'node:timers/promises';
import { LIMIT, stepsInAll, tooCostly } from './evaluation-cost.ts';

/** How long the event loop is kept at a stretch, in milliseconds. */
const SLICE_MS = 5;
/** The same in steps of `EvaluationCost`. */
const SLICE_STEPS = 1_000_000;
/** After how many things the clock is looked at. */
const STRIDE = 32;

/**
 * Lets others through while many things are judged by rules, one by one, however many there are: all lists, batches and
 * checks do so by the functions below. What the rules cost in all is bounded: 403 `permission.too_costly`.
 */
export class Turns {
  #mark = stepsInAll();
  #spent = 0;
  #count = 0;
  #ends = performance.now() + SLICE_MS;

  /** Whether it is time to `rest`; asked after each thing. */
  get isOver(): boolean {
    const steps = stepsInAll() - this.#mark;
    if (steps < SLICE_STEPS && ++this.#count % STRIDE !== 0) return false;
    if (this.#spent + steps > LIMIT) throw tooCostly();
    return steps >= SLICE_STEPS || performance.now() > this.#ends;
  }

  async rest(): Promise<void> {
    this.#spent += stepsInAll() - this.#mark;
    await setImmediate();
    this.#mark = stepsInAll();
    this.#ends = performance.now() + SLICE_MS;
  }
}

/** Does something with each of some things, in their order. */
export async function eachInTurns<T>(things: Iterable<T>, work: (thing: T) => void): Promise<void> {
  const turns = new Turns();
  for (const thing of things) {
    work(thing);
    if (turns.isOver) await turns.rest();
  }
}

/** Those of some things for which something is true. */
export async function filterInTurns<T>(things: Iterable<T>, isKept: (thing: T) => boolean): Promise<T[]> {
  const kept: T[] = [];
  await eachInTurns(things, (thing) => {
    if (isKept(thing)) kept.push(thing);
  });
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
