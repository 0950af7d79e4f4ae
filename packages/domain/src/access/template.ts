import { fillTemplate, placeholdersIn, readTemplate, type Rule, type TextTemplate } from '../kernel/schema.ts';
import { globOf, isGlob, MAX_CONDITION_TEXT } from './condition.ts';
import { ANY_TEXT, countNodes } from './glob-pattern.ts';
import type { Glob } from './glob.ts';

/**
 * Templates in the texts of conditions: `{{identity.metadata.team}}` is replaced by a fact about the actor, so that one
 * rule gives each actor its own scope.
 *
 * | template | value |
 * | --- | --- |
 * | `identity.id` | the ID of the machine identity or user |
 * | `identity.name` | the name of a machine identity (users choose their own names, so theirs are not available) |
 * | `identity.username` | the user name of a user, the name of a machine identity |
 * | `identity.email` | the e-mail address of a user |
 * | `identity.metadata.team` | the metadata of the identity, or of the user's membership of the organization |
 * | `identity.auth.oidc.claims.sub` | a verified claim of the login of the presented token |
 *
 * A name with characters other than letters, digits, `_`, `$`, `:`, `@` and `-` is put in brackets:
 * `identity.metadata.[example.com/team]`.
 *
 * A value is always literal text: in a `$glob` its characters have no special meaning, and templates in it are not
 * expanded. If a value is missing (absent, empty, a list or an object, two values for one key of metadata, or too long
 * for a glob), an allowing rule does not count, and a forbidding rule counts for every possible value.
 */
export interface Facts {
  readonly id?: string;
  readonly name?: string;
  readonly username?: string;
  readonly email?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Facts of one access token. */
  readonly auth?: Readonly<Record<string, unknown>>;
}

/** The known beginnings of templates, after `identity.`. */
export type FactName = keyof Facts;

export const NO_FACTS: Facts = {};

type Path = readonly string[];

const NAME = String.raw`[\p{L}\p{N}_$:@-]+|\[[^\][{}]+\]`;
const NAMES = new RegExp(NAME, 'gu');
const EXPRESSION = new RegExp(String.raw`^identity((?:\.(?:${NAME}))+)$`, 'u');
/** In globs a template is none behind a backslash or in a set. */
const LITERAL_IN_GLOB = /\\[^]|\[[!^]?(?:\\[^]|[^\\])(?:\\[^]|[^\\\]])*\]|\[[^]*/y;

/**
 * A text with the paths of its templates. Anything that is not a template is text: stored rules may contain anything.
 */
function piecesOf(text: string, isPattern: boolean): TextTemplate<Path> {
  if (text.length > MAX_CONDITION_TEXT || !text.includes('{{')) return [text];
  return readTemplate(text, ({ expression }) => pathIn(expression), isPattern ? LITERAL_IN_GLOB : undefined);
}

function pathIn(expression: string): Path | undefined {
  const names = EXPRESSION.exec(expression)?.[1]?.match(NAMES);
  return names?.map((name) => name.replace(/^\[(.*)\]$/s, '$1'));
}

/** The maximum depth of texts in conditions: field, $elemMatch, field, $in, list index. */
const MAX_DEPTH = 5;

/** Each text of some conditions with whether it is a pattern. */
function textsOf(conditions: unknown, isPattern = false, depth = 0): (readonly [text: string, isPattern: boolean])[] {
  if (typeof conditions === 'string') return [[conditions, isPattern]];
  if (typeof conditions !== 'object' || conditions === null || depth === MAX_DEPTH) return [];
  return Object.entries(conditions).flatMap(([key, value]) => textsOf(value, key === '$glob', depth + 1));
}

const pathsOf = (conditions: unknown): Path[] =>
  textsOf(conditions).flatMap(([text, isPattern]) => placeholdersIn(piecesOf(text, isPattern)));

/** The facts that the templates of a rule need; empty if it has none. */
export const factsIn = ({ conditions }: Rule): Set<FactName> =>
  new Set(conditions ? pathsOf(conditions).map(([name]) => name as FactName) : []);

const DEPTH: Readonly<Record<FactName, readonly [least: number, most: number]>> = {
  id: [1, 1],
  name: [1, 1],
  username: [1, 1],
  email: [1, 1],
  metadata: [2, 2],
  auth: [2, Infinity],
};

const isKnown = (path: Path): boolean => {
  const [name = ''] = path;
  const [least, most] = Object.hasOwn(DEPTH, name) ? DEPTH[name as FactName] : [1, 0];
  return least <= path.length && path.length <= most;
};

/**
 * Whether `{{` is followed by `}}`, or a brace is beside a template (`\0`). A regular expression would be quadratic
 * here.
 */
function hasBracesLeft(rest: string): boolean {
  const opening = rest.indexOf('{{');
  return (opening !== -1 && rest.includes('}}', opening + 2)) || rest.includes('{\0') || rest.includes('\0}');
}

/** Whether everything that looks like a template in a condition is a known one. */
export function hasGoodTemplates(condition: unknown): boolean {
  for (const [text, isPattern] of textsOf(condition)) {
    const pieces = piecesOf(text, isPattern);
    const rest = fillTemplate(pieces, () => '\0');
    // In globs braces may also hold alternatives: {{a,b},c}.
    const looksLikeMore = isPattern ? /\{\{[^{},]*\}\}/.test(rest) : hasBracesLeft(rest);
    if (looksLikeMore || !placeholdersIn(pieces).every(isKnown)) return false;
  }
  return true;
}

/** The glob of a rule's text, with any text for its templates; `undefined` if it is not valid. */
export function templatedGlob(pattern: string): Glob | undefined {
  const pieces = piecesOf(pattern, true);
  return placeholdersIn(pieces).length > 0 ? globOf(anyText(pieces, true, NO_FACTS), true) : globOf(pattern);
}

/** As how many nodes a template in a glob counts. What its values are is not known when the glob is given. */
const NODES_OF_TEMPLATE = 200;

/**
 * The size of a rule's glob: of its text, or of the nodes that its alternatives and templates expand to, whichever is
 * more. A short text with braces may stand for a thousand nodes.
 */
export function sizeOfGlob(pattern: string): number {
  const pieces = piecesOf(pattern, true);
  const nodes =
    placeholdersIn(pieces).length > 0
      ? countNodes(anyText(pieces, true, NO_FACTS), NODES_OF_TEMPLATE)
      : countNodes(pattern);
  return Math.max(pattern.length, nodes);
}

/** The value of a template as text; `undefined` if it is missing. */
function valueOf(facts: Facts, path: Path): string | undefined {
  let value: unknown = facts;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' && value.isWellFormed() ? value : undefined;
}

/** The glob that matches this text alone. */
const escaped = (text: string): string => text.replaceAll(/[\\*?[\]{}(),!]/g, String.raw`\$&`);

const same = (text: string): string => text;

/** A text with its values filled in; `undefined` if one is missing. */
function filledText(text: string, isPattern: boolean, facts: Facts): string | undefined {
  const pieces = piecesOf(text, isPattern);
  if (placeholdersIn(pieces).some((path) => valueOf(facts, path) === undefined)) return undefined;
  const filled = fillTemplate(pieces, (path) => (isPattern ? escaped : same)(valueOf(facts, path)!));
  return isPattern && filled !== text && !isGlob(filled) ? undefined : filled;
}

/** The operand of `$anyText` for a text or pattern: its values filled in, and any text for the missing ones. */
const anyText = (pieces: TextTemplate<Path>, isPattern: boolean, facts: Facts): string =>
  fillTemplate(
    pieces,
    (path) => {
      const value = valueOf(facts, path);
      return value === undefined ? ANY_TEXT : escaped(value);
    },
    isPattern ? same : escaped,
  );

type Conditions = Record<string, unknown>;

/** An operand with its values filled in; `undefined` if one is missing. */
function filledOperand(operator: string, operand: unknown, facts: Facts): unknown {
  if (typeof operand === 'string') return filledText(operand, operator === '$glob', facts);
  if (Array.isArray(operand)) {
    const filled = operand.map((one: unknown) => (typeof one === 'string' ? filledText(one, false, facts) : one));
    return filled.includes(undefined) ? undefined : filled;
  }
  if (operator === '$elemMatch' && typeof operand === 'object' && operand !== null)
    return filledConditions(operand as Conditions, facts);
  return operand;
}

/** Weaker operators that any value satisfying this one satisfies, whatever the missing values are. */
function widestOperator(operator: string, operand: unknown, facts: Facts): Conditions {
  if (operator === '$elemMatch') return { $elemMatch: widestConditions(operand as Conditions, facts) };
  if (operator !== '$eq' && operator !== '$in' && operator !== '$glob') return { $exists: true };
  const isPattern = operator === '$glob';
  const alternatives = [operand].flat().map((text) => anyText(piecesOf(String(text), isPattern), isPattern, facts));
  const pattern = alternatives.length > 1 ? `{${alternatives.join(',')}}` : alternatives[0]!;
  return globOf(pattern, true) ? { $anyText: pattern } : { $exists: true };
}

const operatorsOf = (condition: unknown): [string, unknown][] =>
  typeof condition === 'object' && condition !== null ? Object.entries(condition) : [['$eq', condition]];

/** Conditions with their values filled in; `undefined` if one is missing. */
function filledConditions(conditions: Conditions, facts: Facts): Conditions | undefined {
  const filled: Conditions = {};
  for (const [field, condition] of Object.entries(conditions)) {
    const operators: Conditions = {};
    for (const [operator, operand] of operatorsOf(condition)) {
      const one = filledOperand(operator, operand, facts);
      if (one === undefined) return undefined;
      operators[operator] = one;
    }
    filled[field] = typeof condition === 'string' ? operators['$eq'] : operators;
  }
  return filled;
}

/** Conditions that are satisfied by whatever satisfies these, whatever the missing values are. */
function widestConditions(conditions: Conditions, facts: Facts): Conditions {
  const widest: Conditions = {};
  for (const [field, condition] of Object.entries(conditions)) {
    const operators: Conditions = {};
    for (const [operator, operand] of operatorsOf(condition)) {
      const one = filledOperand(operator, operand, facts);
      // Of two conditions with the same operator, the weaker one is kept.
      Object.assign(operators, one === undefined ? widestOperator(operator, operand, facts) : { [operator]: one });
    }
    widest[field] = operators;
  }
  return widest;
}

/** A rule as it applies to an actor; `undefined` if it does not apply. */
export function filledRule(rule: Rule, facts: Facts): Rule | undefined {
  if (factsIn(rule).size === 0) return rule;
  const conditions = filledConditions(rule.conditions!, facts);
  if (conditions) return { ...rule, conditions };
  return rule.inverted ? { ...rule, conditions: widestConditions(rule.conditions!, facts) } : undefined;
}

/**
 * A rule as it counts for any possible holder: an allowing rule counts with any text for its templates, a forbidding
 * rule only without templates. `undefined` if it does not count.
 */
export function widestRule(rule: Rule): Rule | undefined {
  if (factsIn(rule).size === 0) return rule;
  return rule.inverted ? undefined : { ...rule, conditions: widestConditions(rule.conditions!, NO_FACTS) };
}
