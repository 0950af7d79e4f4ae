import picomatch from 'picomatch';
import type { Fields } from '../kernel/index.ts';

/** The longest text in a condition, in characters: also the bound on what a glob can cost. */
export const MAX_CONDITION_TEXT = 1024;

/** Globs mean the same everywhere: `*` stays within a path segment, `**` crosses them, a leading dot is no exception. */
const GLOB = { dot: true, strictSlashes: false, maxLength: MAX_CONDITION_TEXT } as const;

const globs = new Map<string, (text: string) => boolean>();

/** Compiles a glob, once. */
export function globMatcher(pattern: string): (text: string) => boolean {
  let matcher = globs.get(pattern);
  if (!matcher) {
    matcher = picomatch(pattern, GLOB);
    if (globs.size > 10_000) globs.clear();
    globs.set(pattern, matcher);
  }
  return matcher;
}

export const isGlob = (pattern: string): boolean => {
  try {
    globMatcher(pattern);
    return true;
  } catch {
    return false;
  }
};

type Test = (value: unknown) => boolean;

/** What each operator asks of a field's value. A field with a list (tags, metadata) is asked element by element. */
const operators: Readonly<Record<string, (operand: never) => Test>> = {
  $eq: (operand: string) => some((value) => value === operand),
  $ne: (operand: string) => (value) => !some((one) => one === operand)(value),
  $in: (operand: string[]) => some(within(new Set(operand))),
  $glob: (operand: string) => {
    const matches = globMatcher(operand);
    return some((value) => typeof value === 'string' && matches(value));
  },
  $all: (operand: string[]) => (value) => operand.every((one) => some((element) => element === one)(value)),
  $elemMatch: (operand: Record<string, unknown>) => {
    const matches = matchConditions(operand);
    return some((value) => typeof value === 'object' && value !== null && matches(value as Fields));
  },
};

const some =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) ? value.some(test) : test(value);

const within =
  (set: ReadonlySet<unknown>): Test =>
  (value) =>
    set.has(value);

/**
 * Compiles conditions: every field's every operator must hold, a plain text means `$eq`. A field that the asked thing
 * lacks matches nothing, and so does an operator that is unknown.
 */
export function matchConditions(conditions: Readonly<Record<string, unknown>>): (fields: Fields) => boolean {
  const tests: [string, Test][] = [];
  for (const [field, condition] of Object.entries(conditions)) {
    const given = typeof condition === 'object' && condition !== null ? condition : { $eq: condition };
    for (const [operator, operand] of Object.entries(given)) {
      tests.push([field, operators[operator]?.(operand as never) ?? (() => false)]);
    }
  }
  return (fields) => tests.every(([field, test]) => fields[field] !== undefined && test(fields[field]));
}
