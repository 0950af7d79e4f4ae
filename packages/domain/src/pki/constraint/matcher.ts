import { createRequire } from 'node:module';
import { badRequest } from '../../kernel/index.ts';

type Engine = typeof import('re2js');

/** Loaded when the first expression is read: it takes megabytes, and most servers have none. */
const load = createRequire(import.meta.url);
let engine: Engine | undefined;
const re2 = (): Engine => (engine ??= load('re2js') as Engine);

/** Says of one text whether it is one of those that a rule means. */
export interface Matcher {
  /** As it was written. */
  readonly text: string;
  matches(value: string): boolean;
  /**
   * Whether it matches any of the names that a wildcard stands for: one label, then `rest` (`.example.com`). Absent:
   * no.
   */
  matchesBelow?(rest: string): boolean;
}

const KEPT = 200;
/**
 * Instructions of a compiled expression. Matching takes as many steps for each character at the most, and nothing else
 * is done meanwhile. Text of 1,024 characters has fewer, unless it counts repetitions: `(.?.?){1000}` has 6,000.
 */
const LONGEST = 1_500;
const expressions = new Map<string, Matcher>();

/**
 * A regular expression (RE2: no look-around, no back-references) that the whole text has to match. Its time grows with
 * the length of the text and no faster.
 *
 * @throws DomainError 400 `pattern.invalid`, `pattern.too_large`
 */
export function expression(text: string): Matcher {
  const known = expressions.get(text);
  if (known) return known;
  const pattern = compiled(text);
  const matcher = { text, matches: (value: string) => pattern.matches(value) };
  if (expressions.size === KEPT) expressions.delete(expressions.keys().next().value!);
  expressions.set(text, matcher);
  return matcher;
}

function compiled(text: string) {
  const pattern = parsed(text);
  if (pattern.programSize() <= LONGEST) return pattern;
  throw badRequest('pattern.too_large', `"${text.slice(0, 100)}" has too many repetitions`);
}

function parsed(text: string) {
  try {
    return re2().RE2JS.compile(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : 'it is not valid';
    throw badRequest('pattern.invalid', `"${text.slice(0, 100)}" is not a regular expression (RE2): ${why}`);
  }
}

/** Text in which each `*` stands for any characters, none and dots included. Compared without regard to case. */
export function glob(text: string): Required<Matcher> {
  const pattern = text.toLowerCase();
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  return {
    text,
    matches: (value) => matchesGlob(value.toLowerCase(), first, rest, last),
    matchesBelow: (below) => afterLabel(pattern).some((after) => glob(after).matches(below)),
  };
}

/** What may be left of a pattern when a label was matched: all after it, or what begins with a `*` that goes on. */
function afterLabel(pattern: string): string[] {
  const dot = pattern.indexOf('.');
  const star = (dot < 0 ? pattern : pattern.slice(0, dot)).lastIndexOf('*');
  return [dot > 0 ? dot : -1, star].flatMap((at) => (at < 0 ? [] : [pattern.slice(at)]));
}

/** Each part is taken where it comes first, which leaves the most for those after it. */
function matchesGlob(value: string, first: string, between: readonly string[], last: string | undefined): boolean {
  if (last === undefined) return value === first;
  if (!value.startsWith(first)) return false;
  let at = first.length;
  for (const part of between) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return value.length - last.length >= at && value.endsWith(last);
}
