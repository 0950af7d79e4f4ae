import { isDeepStrictEqual } from 'node:util';
import type { Ability, Rule } from '../kernel/index.ts';
import { actionsOf } from './ability.ts';
import { tooCostly } from './evaluation-cost.ts';

/** The maximum number of pairs of rules that are compared at once: less than a tenth of a second. */
const MAX_PAIRS = 10_000;

/**
 * Rights that are limited by the rights of another actor: both must allow.
 *
 * `can` asks both. `rules` are the same as one list, for callers that evaluate rules over whole folders: each allowing
 * rule of the other is restricted to what the own rules allow, and forbidding rules stay. In `own`, forbidding rules
 * must come before all allowing ones.
 */
export function limited(own: Ability, by: Ability): Ability {
  let rules: readonly Rule[] | undefined;
  const ruleList = () => (rules ??= limitedRules(own.rules, by.rules));
  return {
    own,
    get rules() {
      return ruleList();
    },
    sources: [],
    can: (permission, fields) => own.can(permission, fields) && by.can(permission, fields),
    rulesFor: ({ action, subject }) =>
      ruleList().filter((rule) => rule.subject === subject && actionsOf(rule).includes(action)),
  };
}

/**
 * The rules that allow what both lists allow; see `limited`.
 *
 * @throws DomainError 403 `permission.too_costly` for too many pairs of rules.
 */
export function limitedRules(own: readonly Rule[], by: readonly Rule[]): Rule[] {
  if (arePairsTooMany(own, by)) throw tooCostly();
  const allowed = allowedBySubject(own);
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

const allowedBySubject = (rules: readonly Rule[]): Map<string, Rule[]> =>
  Map.groupBy(
    rules.filter(({ inverted }) => !inverted),
    ({ subject }) => subject,
  );

/** Whether to combine two lists takes too long. */
export function arePairsTooMany(own: readonly Rule[], by: readonly Rule[]): boolean {
  if (own.length * by.length <= MAX_PAIRS) return false;
  const [mine, others] = [own, by].map(allowedBySubject);
  const pairs = [...others!].map(([subject, rules]) => rules.length * (mine!.get(subject)?.length ?? 0));
  return pairs.reduce((sum, count) => sum + count, 0) > MAX_PAIRS;
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
