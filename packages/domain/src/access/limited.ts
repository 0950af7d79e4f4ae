import { isDeepStrictEqual } from 'node:util';
import type { Ability, Rule } from '../kernel/index.ts';
import { actionsOf } from './ability.ts';

/**
 * Rights that count only as far as somebody else has them as well: what is allowed is allowed by both.
 *
 * `can` asks both. `rules` say the same in one list, for those who ask what rules say of whole folders: each rule of the
 * other's that allows is cut down to what the own ones allow, and those that forbid stay as they are. In `own`, rules
 * that forbid have to stand before all that allow.
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

/** The rules that allow what both lists allow; see `limited`. */
export function limitedRules(own: readonly Rule[], by: readonly Rule[]): Rule[] {
  const subjects = new Set(own.map(({ subject }) => subject));
  const allowed = own.filter(({ inverted }) => !inverted);
  return [
    ...own.filter(({ inverted }) => inverted),
    ...by
      .filter(({ subject }) => subjects.has(subject))
      .flatMap((rule) => (rule.inverted ? [rule] : allowed.flatMap((one) => both(one, rule) ?? []))),
  ];
}

/** The rule that allows what two rules allow; `undefined` where that is nothing. */
function both(one: Rule, other: Rule): Rule | undefined {
  if (one.subject !== other.subject) return undefined;
  const actions = new Set(actionsOf(other));
  const action = actionsOf(one).filter((each) => actions.has(each));
  const conditions = conjunction(one.conditions ?? {}, other.conditions ?? {});
  if (action.length === 0 || !conditions) return undefined;
  return { subject: one.subject, action, ...(Object.keys(conditions).length > 0 && { conditions }) };
}

type Conditions = Readonly<Record<string, unknown>>;

/** Conditions that hold where both do; `undefined` where they ask for two different texts. */
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
