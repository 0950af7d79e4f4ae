import type { Fields, Permission, Rule } from '../kernel/index.ts';
import { actionsOf } from './ability.ts';
import { matchersOf } from './condition.ts';
import { EvaluationCost } from './evaluation-cost.ts';

/** A placeholder for the value of a field that exists, if it is unknown or must not be disclosed. */
export const HIDDEN = Symbol('hidden');

/** Explains how rules decide about one resource. Rules are named by their index in the list. */
export interface Decision {
  /** `undefined` if it depends on hidden fields. */
  readonly isAllowed: boolean | undefined;
  /** The last rule that certainly matches the resource: it decides, unless one of the open ones does. */
  readonly decidedBy: number | undefined;
  /** Earlier rules that match the resource as well and are overridden, latest first. */
  readonly overridden: readonly number[];
  /** Later rules that may match, depending on hidden fields, latest first. */
  readonly open: readonly number[];
}

interface Reading {
  readonly isInverted: boolean;
  /** None if the conditions can never match. */
  readonly matchers: readonly (readonly [field: string, matches: (value: unknown) => boolean])[] | undefined;
}

const readings = new WeakMap<Rule, Reading>();

function readingOf(rule: Rule): Reading {
  let reading = readings.get(rule);
  if (!reading) {
    const matchers = matchersOf(rule.conditions ?? {}, new EvaluationCost());
    readings.set(rule, (reading = { isInverted: rule.inverted === true, matchers }));
  }
  return reading;
}

/** Whether a rule matches a resource with these fields; `undefined` if that depends on hidden fields. */
function matchOf({ matchers }: Reading, fields: Fields): boolean | undefined {
  if (!matchers) return false;
  let isMatch: true | undefined = true;
  for (const [field, matches] of matchers) {
    const value = fields[field];
    if (value === HIDDEN) isMatch = undefined;
    else if (!matches(value)) return false;
  }
  return isMatch;
}

/**
 * Rules that can also explain their decision (`Ability` gives only the same decision), and decide about partly known
 * resources: fields may be `HIDDEN`.
 */
export class RuleSet {
  readonly rules: readonly Rule[];
  readonly #rulesOn = new Map<string, number[]>();

  constructor(rules: readonly Rule[]) {
    this.rules = rules;
    for (const [index, rule] of rules.entries()) {
      for (const action of new Set(actionsOf(rule))) {
        const pair = `${rule.subject}:${action}`;
        const known = this.#rulesOn.get(pair);
        if (known) known.push(index);
        else this.#rulesOn.set(pair, [index]);
      }
    }
  }

  /** The indexes of the rules for this subject and action, in order. */
  rulesFor({ subject, action }: Permission): readonly number[] {
    return this.#rulesOn.get(`${subject}:${action}`) ?? NONE;
  }

  /**
   * Whether the permission is granted on a resource with these fields; `undefined` if that depends on hidden fields.
   */
  may(permission: Permission, fields: Fields): boolean | undefined {
    const rulesOn = this.rulesFor(permission);
    let [mayAllow, mayForbid] = [false, false];
    for (let at = rulesOn.length - 1; at >= 0; at--) {
      const reading = readingOf(this.rules[rulesOn[at]!]!);
      const isMatch = matchOf(reading, fields);
      if (isMatch === false) continue;
      if (reading.isInverted) mayForbid = true;
      else mayAllow = true;
      if (isMatch) return mayAllow && mayForbid ? undefined : mayAllow;
    }
    return mayAllow ? undefined : false;
  }

  decide(permission: Permission, fields: Fields): Decision {
    const open: number[] = [];
    const overridden: number[] = [];
    let decidedBy: number | undefined;
    for (const index of this.rulesFor(permission).toReversed()) {
      const isMatch = matchOf(readingOf(this.rules[index]!), fields);
      if (isMatch && decidedBy === undefined) decidedBy = index;
      else if (isMatch) overridden.push(index);
      else if (isMatch === undefined && decidedBy === undefined) open.push(index);
    }
    return { isAllowed: this.may(permission, fields), decidedBy, overridden, open };
  }
}

const NONE: readonly number[] = [];
