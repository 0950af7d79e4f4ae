import { setImmediate } from 'node:timers/promises';
import { DomainError } from '../../kernel/index.ts';
import { refused } from './refuse.ts';

/** What the names of one order may cost under all rules, in steps of some billionths of a second: a twentieth of one. */
const LIMIT = 10_000_000;
/** What one turn of the event loop may have of it, */
const TURN_LIMIT = 8_000_000;
/** and after how much of it others have theirs. */
const SHARE = 2_000_000;

/** What is spent beside the characters that are read: for calling a matcher at all. */
export const COST_OF_MATCH = 10;

/**
 * What it may cost to compare the names of one order with the patterns of templates and policies: names, patterns, and
 * how many there are of both are up to callers. It counts what the matchers do, not time, so that an answer does not
 * depend on how busy the machine is.
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

  /** Lets other requests through where it is time to: asked after each name. */
  async rest(): Promise<void> {
    if (this.#sinceRest < SHARE) return;
    await setImmediate();
    this.#sinceRest = 0;
  }

  /** What follows is compared for somebody else, in the same turn. */
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
