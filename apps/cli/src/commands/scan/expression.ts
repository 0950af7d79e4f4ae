import { RE2JS, RE2JSException } from 're2js';
import { usage } from '../../exit.ts';

/**
 * A regular expression in the syntax of RE2, which is that of published rules. It takes linear time whatever it and the text are:
 * Node's own would let a rule of a foreign repository run forever.
 */
export interface Expression {
  /** Whether it matches somewhere in a text. */
  test(text: string): boolean;
  /** Its matches, from left to right. Empty ones are left out. */
  matches(text: string): Iterable<Match>;
}

export interface Match {
  readonly index: number;
  readonly text: string;
  /** Groups from 1 on. One that took no part is `undefined`. */
  readonly groups: readonly (string | undefined)[];
}

/** @param where For people: which expression it is. @throws CommandError for what is none. */
export function expression(source: string, where: string): Expression {
  const compiled = compile(source, where);
  return {
    test: (text) => compiled.test(text),
    *matches(text) {
      for (const found of compiled.matchAll(text)) {
        const [whole = '', ...groups] = [...found] as (string | undefined)[];
        if (whole) yield { index: found.index!, text: whole, groups };
      }
    },
  };
}

/** The same, compiled when a text first comes to it, for what is known to be right: compiling takes longer than most texts do. */
export function knownExpression(source: string, where: string): Expression {
  let compiled: Expression | undefined;
  const known = () => (compiled ??= expression(source, where));
  return { test: (text) => known().test(text), matches: (text) => known().matches(text) };
}

function compile(source: string, where: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) throw usage(`${where}: ${error.message}`);
    throw error;
  }
}
