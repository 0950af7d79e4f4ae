import type { MatchingCost } from './matching-cost.ts';

/** Says of one text whether it is one of those that a rule means. `cost` pays for finding out. */
export interface Matcher {
  /** As it was written. */
  readonly text: string;
  matches(value: string, cost: MatchingCost): boolean;
  /**
   * Whether it matches any of the names that a wildcard stands for: one label, then `rest` (`.example.com`). Absent:
   * no.
   */
  matchesBelow?(rest: string, cost: MatchingCost): boolean;
}
