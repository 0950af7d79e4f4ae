import type { Fields, Permission, Rule } from '../kernel/index.ts';
import { actionsOf } from './ability.ts';
import { matchersOf } from './condition.ts';
import { EvaluationCost } from './evaluation-cost.ts';

/** A placeholder for the value of a field that exists, if it is unknown or must not be disclosed. */
export const HIDDEN = Symbol('hidden');

/** How rules come to what they say of one thing. Rules are named by their place in the list. */
export interface Decision {
  /** `undefined` where it depends on what is hidden. */
  readonly isAllowed: boolean | undefined;
  /** The last rule that surely speaks of the thing: it decides, unless one of the open ones does. */
  readonly decidedBy: number | undefined;
  /** The rules before it that speak of the thing as well and have no say, the later ones first. */
  readonly overridden: readonly number[];
  /** The rules after it that may or may not speak of the thing, by what is hidden, the later ones first. */
  readonly open: readonly number[];
}

interface Reading {
  readonly isInverted: boolean;
  /** None where nothing can satisfy the conditions. */
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

/** Whether a rule speaks of a thing with these fields; `undefined` where that depends on what is hidden. */
function speaksOf({ matchers }: Reading, fields: Fields): boolean | undefined {
  if (!matchers) return false;
  let speaks: true | undefined = true;
  for (const [field, matches] of matchers) {
    const value = fields[field];
    if (value === HIDDEN) speaks = undefined;
    else if (!matches(value)) return false;
  }
  return speaks;
}

/**
 * Rules, to be asked not only what they allow (`Ability` answers that, and always the same) but why, and also about
 * things of which not everything is known: fields may be `HIDDEN`.
 */
export class RuleSet {
  readonly rules: readonly Rule[];
  readonly #speaking = new Map<string, number[]>();

  constructor(rules: readonly Rule[]) {
    this.rules = rules;
    for (const [index, rule] of rules.entries()) {
      for (const action of new Set(actionsOf(rule))) {
        const pair = `${rule.subject}:${action}`;
        const known = this.#speaking.get(pair);
        if (known) known.push(index);
        else this.#speaking.set(pair, [index]);
      }
    }
  }

  /** The places of the rules that speak of this subject and action, in order. */
  speakingOf({ subject, action }: Permission): readonly number[] {
    return this.#speaking.get(`${subject}:${action}`) ?? NONE;
  }

  /** Whether this may be done to a thing with these fields; `undefined` where that depends on what is hidden. */
  may(permission: Permission, fields: Fields): boolean | undefined {
    const speaking = this.speakingOf(permission);
    let [mayAllow, mayForbid] = [false, false];
    for (let at = speaking.length - 1; at >= 0; at--) {
      const reading = readingOf(this.rules[speaking[at]!]!);
      const speaks = speaksOf(reading, fields);
      if (speaks === false) continue;
      if (reading.isInverted) mayForbid = true;
      else mayAllow = true;
      if (speaks) return mayAllow && mayForbid ? undefined : mayAllow;
    }
    return mayAllow ? undefined : false;
  }

  decide(permission: Permission, fields: Fields): Decision {
    const open: number[] = [];
    const overridden: number[] = [];
    let decidedBy: number | undefined;
    for (const index of this.speakingOf(permission).toReversed()) {
      const speaks = speaksOf(readingOf(this.rules[index]!), fields);
      if (speaks && decidedBy === undefined) decidedBy = index;
      else if (speaks) overridden.push(index);
      else if (speaks === undefined && decidedBy === undefined) open.push(index);
    }
    return { isAllowed: this.may(permission, fields), decidedBy, overridden, open };
  }
}

const NONE: readonly number[] = [];
