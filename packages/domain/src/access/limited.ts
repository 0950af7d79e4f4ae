import { isDeepStrictEqual } from 'node:util';
import type { Ability, Rule } from '../kernel/index.ts';
import { actionsOf, evaluatedActions } from './ability.ts';
import { withinBudget } from './rule-limit.ts';

/** The maximum number of pairs of rules that are compared at once: less than a tenth of a second. */
const MAX_PAIRS = 10_000;

/**
 * Rights that are limited by the rights of another actor: both must allow.
 *
 * `can` asks both. `rules` are the same as one list, for callers that evaluate rules over whole folders: each allowing
 * rule of the other is restricted to what the own rules allow, and forbidding rules stay. In `own`, forbidding rules
 * must come before all allowing ones. Of too many rules to combine, those of the other count that were given first, so
 * that the list allows less than `can`: nobody takes anything by giving more.
 */
export function limited(own: Ability, by: Ability): Ability {
  let rules: readonly Rule[] | undefined;
  const ruleList = () => (rules ??= limitedRules(own.rules, by.rules) ?? firstPairs(own.rules, by));
  return {
    own,
    get rules() {
      return ruleList();
    },
    get decidedBy() {
      return [...own.decidedBy, ...by.decidedBy, ruleList()];
    },
    windows: by.windows,
    sources: [],
    can: (permission, fields) => own.can(permission, fields) && by.can(permission, fields),
    rulesFor: ({ action, subject }) =>
      ruleList().filter((rule) => rule.subject === subject && actionsOf(rule).includes(action)),
  };
}

/** The allowing rules of a list by their subject. */
const allowedBySubject = (rules: readonly Rule[]): Map<string, Rule[]> =>
  Map.groupBy(
    rules.filter(({ inverted }) => !inverted),
    ({ subject }) => subject,
  );

/** The rules that allow what both lists allow; `undefined` if combining them takes too long. */
export function limitedRules(own: readonly Rule[], by: readonly Rule[]): Rule[] | undefined {
  const allowed = allowedBySubject(own);
  const pairs = by.reduce((sum, rule) => sum + (rule.inverted ? 0 : (allowed.get(rule.subject)?.length ?? 0)), 0);
  return pairs > MAX_PAIRS ? undefined : combined(own, by, allowed);
}

/** The same of the rules that must be evaluated and were given first, as many as can be combined. */
function firstPairs(own: readonly Rule[], by: Ability): Rule[] {
  const allowed = allowedBySubject(own);
  const actions = evaluatedActions(by.rules);
  const costOf = ({ subject }: Rule) => allowed.get(subject)?.length ?? 0;
  const needed = [...by.rules.keys()].filter((index) => actions[index]!.length > 0);
  const rules = needed.map((index) => by.rules[index]!);
  const sources = needed.map((index) => by.sources[index] ?? {});
  return combined(own, withinBudget(rules, sources, costOf, MAX_PAIRS), allowed);
}

function combined(own: readonly Rule[], by: readonly Rule[], allowed: ReadonlyMap<string, Rule[]>): Rule[] {
  const subjects = new Set(own.map(({ subject }) => subject));
  return [
    ...own.filter(({ inverted }) => inverted),
    ...by
      .filter(({ subject }) => subjects.has(subject))
      .flatMap((rule) => {
        if (rule.inverted) return [rule];
        const actions = new Set(actionsOf(rule));
        return (allowed.get(rule.subject) ?? []).flatMap((one) => both(one, rule, actions) ?? []);
      }),
  ];
}

/** The rule that allows what both rules on a subject allow; `undefined` if that is nothing. */
function both(one: Rule, other: Rule, actions: ReadonlySet<string>): Rule | undefined {
  const action = actionsOf(one).filter((each) => actions.has(each));
  const conditions = conjunction(one.conditions ?? {}, other.conditions ?? {});
  if (action.length === 0 || !conditions) return undefined;
  return { subject: one.subject, action, ...(Object.keys(conditions).length > 0 && { conditions }) };
}

type Conditions = Readonly<Record<string, unknown>>;

/** Conditions that hold if both do; `undefined` if they need two different texts. */
function conjunction(one: Conditions, other: Conditions): Conditions | undefined {
  const merged: Record<string, unknown> = { ...one };
  for (const [field, condition] of Object.entries(other)) {
    const known = merged[field];
    if (known === undefined) merged[field] = condition;
    else if (typeof known === 'string' && typeof condition === 'string' && known !== condition) return undefined;
    else if (!isDeepStrictEqual(known, condition)) merged[field] = { $and: [known, condition] };
  }
  return merged;
}
