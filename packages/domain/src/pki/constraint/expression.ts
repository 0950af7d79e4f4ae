import { createRequire } from 'node:module';
import { badRequest } from '../../kernel/index.ts';
import { estimateExpression } from './estimate.ts';
import type { Matcher } from './matcher.ts';
import { COST_OF_MATCH } from './matching-cost.ts';
import { Program, type Instruction } from './program.ts';

type Engine = typeof import('re2js');

/** Loaded with the first expression: it needs megabytes, and most servers have none. */
const load = createRequire(import.meta.url);
let engine: Engine | undefined;
const re2 = (): Engine => (engine ??= load('re2js') as Engine);

const KEPT = 200;
/**
 * Maximum number of instructions of a compiled expression, each of which may be visited for each character. Text of
 * 1,024 characters has fewer, unless it has counted repetitions: `(.?.?){1000}` has 6,000.
 */
const LONGEST = 1_500;
/**
 * The estimate from the text may exceed the compiled size, and is cheap: larger ones are rejected without compiling.
 */
const LONGEST_UNCOMPILED = 4 * LONGEST;
/** The maximum work of the compiler: a sixtieth of a second. Three folded ranges of all letters are less, 50 properties in classes too. */
const MOST_WORK = 400_000;
/**
 * Before the expression, so that it does not begin with `^`: of those the engine makes another automaton, in a time that
 * grows with the cube of their size, and nobody runs it.
 */
const BEFORE = '()';
/** Nothing may come before these: they are invalid, or literal, only in the first place. */
const FIRST_ONLY = /^(?:\(\?[imsU-]*\))*[*+?{]/;
const expressions = new Map<string, Matcher>();

/**
 * A regular expression (RE2: no look-around, no back-references) that the whole text has to match. Its time grows with
 * the length of the text and no faster, and is paid for step by step.
 *
 * @throws DomainError 400 `pattern.invalid`, `pattern.too_large`
 */
export function expression(text: string): Matcher {
  const known = expressions.get(text);
  if (known) return known;
  const program = compiled(text);
  const matcher: Matcher = {
    text,
    hasCharacters: true,
    matches(value, cost) {
      cost.spend(COST_OF_MATCH);
      return program.matches(value, cost);
    },
  };
  if (expressions.size === KEPT) expressions.delete(expressions.keys().next().value!);
  expressions.set(text, matcher);
  return matcher;
}

function compiled(text: string): Program {
  const { size, work } = estimateExpression(text);
  if (size > LONGEST_UNCOMPILED || work > MOST_WORK) throw tooLarge(text);
  const { instructions, start } = parsed(text);
  if (instructions.length > LONGEST) throw tooLarge(text);
  return new Program(instructions, start);
}

const tooLarge = (text: string) =>
  badRequest(
    'pattern.too_large',
    `"${text.slice(0, 100)}" has too many repetitions or character classes. Use fewer repetitions, fewer properties such as \\pL, and shorter ranges with (?i)`,
  );

function parsed(text: string): { instructions: readonly Instruction[]; start: number } {
  try {
    const prefixed = FIRST_ONLY.test(text) ? text : BEFORE + text;
    const { prog } = re2().RE2JS.compile(prefixed).re2() as { prog: { inst: readonly Instruction[]; start: number } };
    return { instructions: prog.inst, start: prog.start };
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(`\`${BEFORE}`, '`').slice(0, 200) : 'it is not valid';
    throw badRequest('pattern.invalid', `"${text.slice(0, 100)}" is not a regular expression (RE2): ${why}`);
  }
}
