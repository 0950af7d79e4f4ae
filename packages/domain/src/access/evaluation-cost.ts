import { setImmediate } from 'node:timers';
import { forbidden } from '../kernel/index.ts';

/**
 * What one loop over many things may cost that rests now and then (`in-turns.ts`), in steps of some billionths of a second:
 * about half a second of the process. A list of 10,000 secrets by 50 rules with ordinary globs, of which none fits, is about
 * a tenth of it.
 */
export const LIMIT = 100_000_000;
/** What the rules of one ability may cost in one turn of the event loop: less than a tenth of a second. */
const TURN_LIMIT = 16_000_000;

let steps = 0;
/** All steps of this process. */
export const stepsInAll = (): number => steps;

export const tooCostly = () =>
  forbidden(
    'permission.too_costly',
    'The rules for this decision take too long to evaluate. Use fewer rules with shorter glob patterns, or request fewer items',
    { name: 'PermissionDenied' },
  );

/** Who pays for what is evaluated. */
export type Payer = Pick<EvaluationCost, 'spend'>;

/**
 * What the rules of one compiled `Ability`, or the rules of all holders in one question (`Gains`), may cost in one turn of
 * the event loop: how many rules there are, how long their globs are and how many things are asked about is up to callers,
 * and nothing else is done by the process meanwhile.
 *
 * Lists and batches rest before that, and are bounded as a whole: see `in-turns.ts`.
 *
 * Each ability counts for itself, so that nobody is refused for what somebody else's rules cost. It counts from turn to
 * turn, not from request to request, since abilities are kept for many requests, and since it is the turn that keeps
 * others waiting: loops that await what is known already do not end it. It counts steps, not time, so that an answer does
 * not depend on how busy the machine is.
 */
export class EvaluationCost {
  readonly #limit: number;
  /** What is spent up to here needs no timer. */
  readonly #unnoticed: number;
  #spent = 0;
  #isResetDue = false;

  constructor(limit = TURN_LIMIT) {
    this.#limit = limit;
    this.#unnoticed = limit / 8;
  }

  /**
   * Notes what is spent.
   *
   * @throws DomainError 403 `permission.too_costly` where it is too much. It is no answer: nothing is allowed by it, and
   * nothing is left out of a list.
   */
  spend(cost: number): void {
    steps += cost;
    this.#spent += cost;
    if (this.#spent > this.#unnoticed) this.#requireAffordable();
  }

  #requireAffordable(): void {
    if (!this.#isResetDue) {
      this.#isResetDue = true;
      setImmediate(() => {
        this.#spent = 0;
        this.#isResetDue = false;
      });
    }
    if (this.#spent > this.#limit) throw tooCostly();
  }
}
