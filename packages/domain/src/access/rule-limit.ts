import type { Rule } from '../kernel/index.ts';
import { evaluatedActions, isUnconditional, undecidedActions } from './ability.ts';
import { sizeOf } from './rule-size.ts';

/**
 * The maximum number of rules with conditions that are evaluated for one actor at a place: less than a tenth of a second.
 * Long globs count as several (`rule-size.ts`), so that none of a few rules is too costly.
 */
export const MAX_RULES = 10_000;

/** When a role or privilege was given or last changed decides which of its rules count; milliseconds. */
export interface GivenSource {
  readonly given?: number | undefined;
}

/** The positions of some rules, those that were given first before others. */
const firstGiven = (positions: readonly number[], sources: readonly GivenSource[]): number[] =>
  positions.toSorted((a, b) => (sources[a]?.given ?? 0) - (sources[b]?.given ?? 0) || a - b);

/**
 * The rules of an actor, of which at most `MAX_RULES` have conditions. Those that were given first count: whoever gives
 * an actor further rules takes nothing from it, and whatever makes a role or privilege count as given later (a change of
 * its rules) needs authority over what it allowed before. Beyond that
 * - an allowing rule does not count,
 * - a forbidding rule counts without its conditions, so that it forbids more,
 * so nothing is allowed that the rules do not allow. Rules without conditions always count, and so the built-in roles.
 * What `keepingFewRules` refuses to give does not come here; what earlier releases stored, or several gave at the same
 * time, may. `stored`: the rules before their templates were filled in, which both count.
 */
export function withinLimit<Source extends GivenSource>(
  rules: Rule[],
  sources: Source[],
  most = MAX_RULES,
  stored: readonly Rule[] = rules,
): { rules: Rule[]; sources: Source[] } {
  if (sizeOf(stored) <= most) return { rules, sources };
  const [evaluated, undecided] = [evaluatedActions(rules), undecidedActions(rules)];
  // A further allowing rule may make it necessary to evaluate a forbidding one, which therefore counts before.
  const isNeeded = (index: number) => (rules[index]!.inverted ? undecided : evaluated)[index]!.length > 0;
  const counted = [...rules.keys()].filter((index) => !isUnconditional(rules[index]!) && isNeeded(index));
  let left = most;
  const beyond = new Set(firstGiven(counted, sources).filter((index) => (left -= sizeOf([stored[index]!])) < 0));
  if (beyond.size === 0) return { rules, sources };
  const kept = rules.flatMap((rule, index) => {
    const source = sources[index]!;
    if (!beyond.has(index)) return [{ rule, source }];
    const { conditions: _, ...wider } = rule;
    return rule.inverted ? [{ rule: wider, source }] : [];
  });
  return { rules: kept.map(({ rule }) => rule), sources: kept.map(({ source }) => source) };
}

/** The allowing rules of some that count where each costs so much of a budget; forbidding rules all count. */
export function withinBudget(
  rules: readonly Rule[],
  sources: readonly GivenSource[],
  costOf: (rule: Rule) => number,
  budget: number,
): Rule[] {
  let left = budget;
  const beyond = new Set(
    firstGiven([...rules.keys()], sources).filter((index) => {
      const rule = rules[index]!;
      if (rule.inverted) return false;
      left -= costOf(rule);
      return left < 0;
    }),
  );
  return rules.filter((_, index) => !beyond.has(index));
}
