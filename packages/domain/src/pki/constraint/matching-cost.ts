import { setImmediate } from 'node:timers/promises';
import { DomainError } from '../../kernel/index.ts';
import { refused } from './refuse.ts';

/**
 * The maximum cost of the names of one order under all rules, in steps of some nanoseconds: a twentieth of a second.
 */
const LIMIT = 10_000_000;
/** The maximum cost in one turn of the event loop. */
const TURN_LIMIT = 8_000_000;
/** and after how much of it others have theirs. */
const SHARE = 2_000_000;

/** The fixed cost of a call of a matcher, besides the characters. */
export const COST_OF_MATCH = 10;

/**
 * The cost of comparing the names of one order with the patterns of templates and policies: callers control the names,
 * the patterns and their numbers. It counts steps of the matchers and not time, so that results do not depend on the
 * load of the machine.
 */
export class MatchingCost {
  readonly #limit: number;
  #spent = 0;
  #sinceRest = 0;

  constructor(limit = LIMIT) {
    this.#limit = limit;
  }

  /** Steps since the beginning, or since `renew`. */
  get spent(): number {
    return this.#spent;
  }

  /** @throws DomainError 400 `certificate.too_costly`. It is no answer: nothing is allowed by it. */
  spend(steps: number): void {
    this.#spent += steps;
    this.#sinceRest += steps;
    if (this.#spent > this.#limit || this.#sinceRest > TURN_LIMIT) throw tooCostly();
  }

  /** Yields to other requests if needed: call it after each name. */
  async rest(): Promise<void> {
    if (this.#sinceRest < SHARE) return;
    await setImmediate();
    this.#sinceRest = 0;
  }

  /** Starts a new order in the same turn. */
  renew(): void {
    this.#spent = 0;
  }
}

const TOO_COSTLY = 'certificate.too_costly';
export const isTooCostly = (error: unknown): boolean => error instanceof DomainError && error.code === TOO_COSTLY;

const tooCostly = () =>
  refused(
    TOO_COSTLY,
    'The names take too long to compare with the patterns of the template or policy. Request fewer or shorter names, or use fewer or simpler patterns',
  );
