import { createMongoAbility, type MongoAbility, type RawRuleOf } from '@casl/ability';
import type { Ability, Fields, Permission, Rule, RuleSource } from '../kernel/index.ts';
import { matchConditions } from './condition.ts';
import { EvaluationCost } from './evaluation-cost.ts';

/**
 * `secrets: read` is the legacy permission to see a secret with its value. It is expanded to all three actions, in
 * allowing and forbidding rules, so that a later inverted `readValue` removes the value.
 */
const WIDER: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  secrets: { read: ['read', 'describeSecret', 'readValue'] },
};

/** The actions of a rule, expanded. */
export const actionsOf = ({ subject, action }: Rule): string[] => {
  const wider = WIDER[subject];
  return [action].flat().flatMap((one) => wider?.[one] ?? [one]);
};

type Compiled = MongoAbility<[string, string | object]>;

/** A resource to check: conditions read exactly these fields, so pass every field that rules can use. */
class Thing {
  readonly subject: string;
  readonly fields: Fields;
  constructor(subject: string, fields: Fields) {
    this.subject = subject;
    this.fields = fields;
  }
}

const NO_FIELDS: Fields = {};

/** Whether a rule has no conditions. */
export const isUnconditional = ({ conditions }: Rule): boolean => Object.keys(conditions ?? {}).length === 0;

/** Whether rules on one action allow it for everything: a rule without conditions, with no later forbidding rule. */
export const allowsEverything = (rules: readonly Rule[]): boolean =>
  rules.slice(rules.findLastIndex(({ inverted }) => inverted) + 1).some(isUnconditional);

/** Whether this may be done to everything at a place, whatever it is. */
export const allowsAll = (ability: Ability, permission: Permission): boolean =>
  allowsEverything(ability.rulesFor(permission));

/** Whether no rule allows this on anything. */
export const allowsNothing = (ability: Ability, permission: Permission): boolean =>
  ability.rulesFor(permission).every(({ inverted }) => inverted);

const pairOf = ({ subject }: Rule, action: string): string => `${subject}:${action}`;

/** For each rule, its actions without those that a later rule without conditions decides. */
export function undecidedActions(rules: readonly Rule[]): string[][] {
  const decided = new Set<string>();
  return rules
    .toReversed()
    .map((rule) => {
      const actions = actionsOf(rule).filter((action) => !decided.has(pairOf(rule, action)));
      if (isUnconditional(rule)) for (const action of actions) decided.add(pairOf(rule, action));
      return actions;
    })
    .toReversed();
}

/**
 * For each rule, the actions for which it must be evaluated. A rule is skipped if a later rule without conditions
 * overrides it, or if an earlier rule without conditions has the same effect and no rule between them has the opposite
 * one: further rules of others cost nothing for callers with full access.
 */
export function evaluatedActions(rules: readonly Rule[]): string[][] {
  const undecided = undecidedActions(rules);
  /** By subject and action: the result for everything that no later rule matches. */
  const certain = new Map<string, boolean>();
  return rules.map((rule, index) => {
    const isAllowed = !rule.inverted;
    return undecided[index]!.filter((action) => {
      const pair = pairOf(rule, action);
      if (certain.get(pair) === isAllowed) return false;
      if (isUnconditional(rule)) certain.set(pair, isAllowed);
      else certain.delete(pair);
      return true;
    });
  });
}

const costs = new WeakMap<Ability, EvaluationCost>();

/**
 * What the rules of an ability may cost in one turn of the event loop, together with what is compiled of some of them by
 * `compilePart`, or of each of them: questions to thousands of rules one by one are limited like one to all of them.
 */
export function costOf(ability: Ability): EvaluationCost {
  let cost = costs.get(ability);
  if (!cost) costs.set(ability, (cost = new EvaluationCost()));
  return cost;
}

/** The same as `compile`, for some of the rules of an ability, at its cost. */
export const compilePart = (ability: Ability, rules: readonly Rule[]): Ability =>
  compiledAt(costOf(ability), rules, []);

/** Compiles rules, later ones overriding earlier ones. Nothing is allowed that no rule allows. */
export const compile = (
  rules: readonly Rule[],
  sources: readonly RuleSource[] = [],
  windows: Ability['windows'] = [],
): Ability => compiledAt(new EvaluationCost(), rules, sources, windows);

function compiledAt(
  cost: EvaluationCost,
  rules: readonly Rule[],
  sources: readonly RuleSource[],
  windows: Ability['windows'] = [],
): Ability {
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
  const by = createMongoAbility<Compiled>(raw, {
    conditionsMatcher: (conditions) => {
      const matches = matchConditions(conditions, cost);
      return (thing) => matches((thing as unknown as Thing).fields);
    },
    detectSubjectType: (thing) => (thing as Thing).subject,
  });
  const ability: Ability = {
    rules,
    decidedBy: [rules],
    windows,
    sources,
    can: ({ action, subject }, fields = NO_FIELDS) => by.can(action, new Thing(subject, fields)),
    rulesFor: rulesByPermission(rules),
  };
  costs.set(ability, cost);
  return ability;
}

/** The rules on an action, in order. Each is looked up once: many rules are read for it, in every list and change. */
function rulesByPermission(rules: readonly Rule[]): Ability['rulesFor'] {
  const found = new Map<string, readonly Rule[]>();
  return ({ action, subject }) => {
    const pair = `${subject}:${action}`;
    let on = found.get(pair);
    if (!on) {
      on = rules.filter((rule) => rule.subject === subject && actionsOf(rule).includes(action));
      found.set(pair, on);
    }
    return on;
  };
}

/**
 * An ability that denies only what a rule forbids: for some permissions, everything that no rule mentions counts as
 * allowed.
 */
export function unlessForbidden(ability: Ability, permissions: readonly Permission[]): Ability {
  const speaks = (rule: Rule) =>
    permissions.some(({ subject, action }) => rule.subject === subject && actionsOf(rule).includes(action));
  const given = permissions.map(({ subject, action }): Rule => ({ subject, action }));
  return compilePart(ability, [...given, ...ability.rules.filter(speaks)]);
}

/** Whether a rule forbids a permission on a resource: the last one that matches. Where none matches, nothing is forbidden. */
export const forbids = (ability: Ability, permission: Permission, fields: Fields): boolean =>
  ability.rulesFor(permission).some(({ inverted }) => inverted) &&
  !unlessForbidden(ability, [permission]).can(permission, fields);
