import type { MatchingCost } from './matching-cost.ts';

/** Whether a text matches a rule. `cost` is charged. */
export interface Matcher {
  /** As it was written. */
  readonly text: string;
  matches(value: string, cost: MatchingCost): boolean;
  /** Whether part of it matches exactly one character, out of several. Absent: no. */
  readonly hasCharacters?: boolean;
  /** Whether it matches any name that a wildcard covers: one label, then `rest` (`.example.com`). Absent: no. */
  matchesBelow?(rest: string, cost: MatchingCost): boolean;
}
