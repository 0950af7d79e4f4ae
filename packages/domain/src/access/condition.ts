import type { Fields } from '../kernel/schema.ts';
import { COST_OF_LOOKUP, COST_OF_NODE, COST_OF_TEST, COUNTED, type Payer } from './evaluation-step.ts';
import { GlobError } from './glob-pattern.ts';
import { Glob } from './glob.ts';

/**
 * The semantics of conditions. All fields of a condition must match, and all operators of a field; a plain text means
 * `$eq`. A missing field (or `null`) matches nothing, not even `$ne`. For a field with a list (tags, metadata), `$eq`,
 * `$in`, `$glob` and `$elemMatch` need one matching element, `$all` one for each operand, and `$ne` no equal element.
 * Text is compared by code unit, without case folding or normalization, except IDs: these are lower case, and so is what a
 * condition says of them. Paths have no slash at the end, except the root
 * `/`. An unknown operator, or an operand of the wrong type, matches nothing. For globs see `glob.ts`.
 *
 * Three operators are internal; callers cannot write them. `template.ts` creates `$exists` (matches any present value)
 * and `$anyText` (a glob in which `{{*}}` matches any text) for templates with unknown values. `limited.ts` creates
 * `$and`, which matches if all of its conditions on the field do.
 */

/** The longest text in a condition, in characters. */
export const MAX_CONDITION_TEXT = 1024;
/** The same for the operand of `$anyText`, which may contain several escaped texts of one condition. */
const MAX_ANY_TEXT = 8 * MAX_CONDITION_TEXT;

const globs = new Map<string, Glob | GlobError>();
/** Maximum number of nodes of all compiled globs: some 50 MB, at most 100. */
const MAX_KEPT = 200_000;
let kept = 0;

/** A compiled glob, or why the text is none. */
function compiled(pattern: string, withAnyText: boolean, cost: Payer): Glob | GlobError {
  const key = withAnyText ? `any ${pattern}` : `the ${pattern}`;
  let glob = globs.get(key);
  if (glob) return glob;
  try {
    glob = new Glob(pattern, withAnyText);
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    glob = error;
  }
  const size = glob instanceof Glob ? glob.size : 0;
  kept += 1 + size + pattern.length / CHARACTERS_OF_NODE;
  if (kept > MAX_KEPT) {
    globs.clear();
    kept = 0;
  }
  globs.set(key, glob);
  cost.spend(size * COST_OF_NODE);
  return glob;
}

/** A node takes as much memory as so many characters of a pattern. */
const CHARACTERS_OF_NODE = 100;

/**
 * A compiled glob, `undefined` if the text is not valid. For `withAnyText` see `Glob`; `cost` is charged for a new one.
 * Here and in `readGlob`, and nowhere else, globs are compiled.
 */
export function globOf(pattern: string, withAnyText = false, cost: Payer = COUNTED): Glob | undefined {
  if (pattern.length > (withAnyText ? MAX_ANY_TEXT : MAX_CONDITION_TEXT)) return undefined;
  const glob = compiled(pattern, withAnyText, cost);
  return glob instanceof Glob ? glob : undefined;
}

/** The same for globs outside of rules, of any length. @throws GlobError which says why the text is none. */
export function readGlob(pattern: string): Glob {
  const glob = compiled(pattern, false, COUNTED);
  if (glob instanceof GlobError) throw glob;
  return glob;
}

export const isGlob = (pattern: string): boolean => globOf(pattern) !== undefined;

/** One operator of one field, parsed. */
export type Test =
  | { readonly operator: '$in' | '$all'; readonly texts: readonly string[] }
  | { readonly operator: '$ne'; readonly text: string }
  | { readonly operator: '$exists' }
  | { readonly operator: '$glob'; readonly glob: Glob; readonly pattern: string }
  | { readonly operator: '$elemMatch'; readonly conditions: Readonly<Record<string, unknown>> };

/** The tests of a condition, each with its field; `undefined` if it can never match. */
export function testsOf(
  conditions: Readonly<Record<string, unknown>>,
  cost: Payer,
): (readonly [field: string, test: Test])[] | undefined {
  const tests: (readonly [string, Test])[] = [];
  for (const [field, condition] of Object.entries(conditions)) {
    const given = typeof condition === 'object' && condition !== null ? condition : { $eq: condition };
    for (const [operator, operand] of Object.entries(given)) {
      if (operator === '$and') {
        const parts = Array.isArray(operand)
          ? operand.map((part: unknown) => testsOf({ [field]: part }, cost))
          : [undefined];
        for (const part of parts) {
          if (!part) return undefined;
          tests.push(...part);
        }
        continue;
      }
      const test = testOf(operator, ID_FIELDS.has(field) ? inLowerCase(operand) : operand, cost);
      if (!test) return undefined;
      tests.push([field, test]);
    }
  }
  return tests;
}

/** The condition fields with IDs. */
const ID_FIELDS = new Set(['identityId', 'connectionId']);

/** The texts of an operand, of globs too: hexadecimal digits are the letters of IDs. */
function inLowerCase(operand: unknown): unknown {
  if (Array.isArray(operand)) return operand.map(inLowerCase);
  return typeof operand === 'string' ? operand.toLowerCase() : operand;
}

function testOf(operator: string, operand: unknown, cost: Payer): Test | undefined {
  switch (operator) {
    case '$eq':
      return typeof operand === 'string' ? { operator: '$in', texts: [operand] } : undefined;
    case '$ne':
      return typeof operand === 'string' ? { operator, text: operand } : undefined;
    case '$in':
    case '$all':
      return Array.isArray(operand) && operand.every((one) => typeof one === 'string')
        ? { operator, texts: operand }
        : undefined;
    case '$glob':
    case '$anyText': {
      const glob = typeof operand === 'string' ? globOf(operand, operator === '$anyText', cost) : undefined;
      return glob && { operator: '$glob', glob, pattern: operand as string };
    }
    case '$exists':
      return operand === true ? { operator } : undefined;
    case '$elemMatch':
      return typeof operand === 'object' && operand !== null
        ? { operator, conditions: operand as Record<string, unknown> }
        : undefined;
    default:
      return undefined;
  }
}

type Matcher = (value: unknown) => boolean;

const some =
  (fits: Matcher, cost: Payer): Matcher =>
  (value) => {
    if (!Array.isArray(value)) return fits(value);
    cost.spend(value.length);
    return value.some((element) => fits(element));
  };

function matcherOf(test: Test, cost: Payer): Matcher {
  switch (test.operator) {
    case '$in':
      return isOneOf(test.texts, cost);
    case '$ne': {
      const equals = some((value) => value === test.text, cost);
      return (value) => !equals(value);
    }
    case '$exists':
      return () => true;
    case '$all': {
      const each = test.texts.map((text) => some((element) => element === text, cost));
      return (value) => each.every((has) => has(value));
    }
    case '$glob':
      return some((value) => typeof value === 'string' && test.glob.matches(value, cost), cost);
    case '$elemMatch': {
      const matches = matchConditions(test.conditions, cost);
      return some((value) => typeof value === 'object' && value !== null && matches(value as Fields), cost);
    }
  }
}

function isOneOf(texts: readonly string[], cost: Payer): Matcher {
  const [first] = texts;
  if (texts.length === 1) return some((value) => value === first, cost);
  const set: ReadonlySet<unknown> = new Set(texts);
  const costOfLookup = Math.min(set.size, COST_OF_LOOKUP);
  return some((value) => {
    cost.spend(costOfLookup);
    return set.has(value);
  }, cost);
}

/** The tests of conditions by field; `undefined` if nothing can match. For `cost` see below. */
export const matchersOf = (
  conditions: Readonly<Record<string, unknown>>,
  cost: Payer,
): (readonly [field: string, matches: Matcher])[] | undefined =>
  testsOf(conditions, cost)?.map(([field, test]) => [field, unlessAbsent(matcherOf(test, cost), cost)] as const);

const unlessAbsent =
  (matches: Matcher, cost: Payer): Matcher =>
  (value) => {
    cost.spend(COST_OF_TEST);
    return value !== undefined && value !== null && matches(value);
  };

/**
 * Compiles conditions into tests of fields. `cost` is charged for compiling and evaluating: callers write the rules, so
 * their number, and the number of resources that they are evaluated for, must be bounded.
 */
export function matchConditions(
  conditions: Readonly<Record<string, unknown>>,
  cost: Payer,
): (fields: Fields) => boolean {
  const matchers = matchersOf(conditions, cost);
  if (!matchers)
    return () => {
      cost.spend(COST_OF_TEST);
      return false;
    };
  return (fields) => {
    for (const one of matchers) if (!one[1](fields[one[0]])) return false;
    return true;
  };
}
