import { createMongoAbility, type MongoAbility, type RawRuleOf } from '@casl/ability';
import type { Ability, Fields, Permission, Rule, RuleSource } from '../kernel/index.ts';
import { matchConditions } from './condition.ts';
import { EvaluationCost } from './evaluation-cost.ts';

/**
 * `secrets: read` is the older right to see both the secret and its value. It stands for all three actions, allowed or
 * forbidden alike, so that an inverted `readValue` after it takes the value away.
 */
const WIDER: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  secrets: { read: ['read', 'describeSecret', 'readValue'] },
};

/** The actions that a rule speaks of. */
export const actionsOf = ({ subject, action }: Rule): string[] => {
  const wider = WIDER[subject];
  return [action].flat().flatMap((one) => wider?.[one] ?? [one]);
};

type Compiled = MongoAbility<[string, string | object]>;

/** A thing to ask about: conditions read the fields of exactly what is done, never less. */
class Thing {
  readonly subject: string;
  readonly fields: Fields;
  constructor(subject: string, fields: Fields) {
    this.subject = subject;
    this.fields = fields;
  }
}

const NO_FIELDS: Fields = {};

/** Whether a rule speaks of everything. */
export const isUnconditional = ({ conditions }: Rule): boolean => Object.keys(conditions ?? {}).length === 0;

/** Whether rules on one action allow it for everything: a rule without conditions, with no later forbidding rule. */
export const allowsEverything = (rules: readonly Rule[]): boolean =>
  rules.slice(rules.findLastIndex(({ inverted }) => inverted) + 1).some(isUnconditional);

/** Whether this may be done to everything at a place, whatever it is. */
export const allowsAll = (ability: Ability, permission: Permission): boolean =>
  allowsEverything(ability.rulesFor(permission));

/**
 * Of each rule the actions for which it has to be evaluated. Where it says what a rule without conditions before it says
 * anyway, and none between them says the opposite, it does not: so nobody who may do all of something pays for further
 * rules that allow it in part, which others may have given it.
 */
function evaluatedActions(rules: readonly Rule[]): string[][] {
  /** By subject and action: the result for everything that no later rule matches. */
  const certain = new Map<string, boolean>();
  return rules.map((rule) => {
    const isAllowed = !rule.inverted;
    return actionsOf(rule).filter((action) => {
      const pair = `${rule.subject}:${action}`;
      if (certain.get(pair) === isAllowed) return false;
      if (isUnconditional(rule)) certain.set(pair, isAllowed);
      else certain.delete(pair);
      return true;
    });
  });
}

/** Compiles rules, later ones overriding earlier ones. Nothing is allowed that no rule allows. */
export function compile(rules: readonly Rule[], sources: readonly RuleSource[] = []): Ability {
  const actions = evaluatedActions(rules);
  const raw = rules.flatMap((rule, index): RawRuleOf<Compiled>[] =>
    actions[index]!.length === 0
      ? []
      : [
          {
            subject: rule.subject,
            action: actions[index]!,
            ...(rule.conditions && { conditions: rule.conditions }),
            ...(rule.inverted && { inverted: true }),
          },
        ],
  );
  const cost = new EvaluationCost();
  const ability = createMongoAbility<Compiled>(raw, {
    conditionsMatcher: (conditions) => {
      const matches = matchConditions(conditions, cost);
      return (thing) => matches((thing as unknown as Thing).fields);
    },
    detectSubjectType: (thing) => (thing as Thing).subject,
  });
  return {
    rules,
    sources,
    can: ({ action, subject }, fields = NO_FIELDS) => ability.can(action, new Thing(subject, fields)),
    rulesFor: ({ action, subject }) =>
      rules.filter((rule) => rule.subject === subject && actionsOf(rule).includes(action)),
  };
}

/**
 * Rights that refuse of some permissions exactly what a rule forbids: what no rule of the ability speaks of counts as
 * allowed.
 */
export function unlessForbidden(ability: Ability, permissions: readonly Permission[]): Ability {
  const speaks = (rule: Rule) =>
    permissions.some(({ subject, action }) => rule.subject === subject && actionsOf(rule).includes(action));
  const given = permissions.map(({ subject, action }): Rule => ({ subject, action }));
  return compile([...given, ...ability.rules.filter(speaks)]);
}
