import { setImmediate } from 'node:timers';
import { forbidden } from '../kernel/index.ts';
import { COUNTED, type Payer } from './evaluation-step.ts';

/**
 * The maximum cost of one loop over many resources that yields regularly (`in-turns.ts`), in steps of some nanoseconds:
 * about half a second of the process. A list of 10,000 secrets with 50 rules of ordinary globs, none matching, is about
 * a tenth of it.
 */
export const LIMIT = 100_000_000;
/** What the rules of one ability may cost in one turn of the event loop: less than a tenth of a second. */
export const TURN_LIMIT = 16_000_000;

export const tooCostly = () =>
  forbidden(
    'permission.too_costly',
    'The rules for this decision take too long to evaluate. Use fewer rules with shorter glob patterns, or request fewer items',
    { name: 'PermissionDenied' },
  );

/**
 * The maximum cost of the rules of one compiled `Ability` with all that is compiled of its parts, or of all holders in one question (`Gains`), in one turn of
 * the event loop. Callers control the number of rules, the length of globs and the number of resources, and a turn
 * blocks the whole process. Lists and batches yield before that, and have a limit of their own: see `in-turns.ts`.
 *
 * Each ability is charged on its own, so that nobody is refused because of the rules of others, except by `Gains`, whose
 * holders are limited one by one (`few-rules.ts`, the globs and the number of service tokens). The charge is per turn
 * and not per request: abilities are cached for many requests, it is the turn that blocks others, and loops that await
 * resolved promises do not end it. It counts steps and not time, so that results do not depend on the load of the
 * machine.
 */
export class EvaluationCost implements Payer {
  readonly #limit: number;
  /** The cost below which no timer is needed. */
  readonly #unnoticed: number;
  #spent = 0;
  #isResetDue = false;

  constructor(limit = TURN_LIMIT) {
    this.#limit = limit;
    this.#unnoticed = limit / 8;
  }

  /**
   * Charges a cost.
   *
   * @throws DomainError 403 `permission.too_costly` beyond the limit. This is not a decision: nothing is allowed
   * because of it, and no element is omitted from a list.
   */
  spend(cost: number): void {
    COUNTED.spend(cost);
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
