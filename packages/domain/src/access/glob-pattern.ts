export class GlobError extends Error {}

/** Any text, where the pattern may have it. */
export const ANY_TEXT = '{{*}}';

/** Limits the expansion of a pattern with braces. */
export const MAX_NODES = 2048;
/** Of braces in braces. */
const MAX_DEPTH = 8;

export const SLASH = 47;

export interface Class {
  readonly kind: 'class';
  readonly negated: boolean;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}
/** A code point, a set, a star, or a placeholder for any text. */
export type Token = number | Class | '*' | 'any text';

/** Every character but `/`. */
export const ONE: Class = { kind: 'class', negated: true, ranges: [] };

/** What a pattern is read into: its alternatives themselves, or only how large they are. */
interface Reading<Result> {
  /** One alternative, of no token. */
  readonly empty: () => Result;
  /** Each alternative with one more token; `to` is not used again. */
  readonly append: (to: Result, token: Token) => Result;
  /** The alternatives of all. */
  readonly either: (all: readonly Result[]) => Result;
  /** Each alternative of the left followed by each of the right. */
  readonly followed: (left: Result, right: Result) => Result;
}

const EXPANDED: Reading<Token[][]> = {
  empty: () => [[]],
  append(sequences, token) {
    for (const sequence of sequences) sequence.push(token);
    return sequences;
  },
  either: (all) => all.flat(),
  followed: product,
};

/** The tokens of each alternative of a pattern. @throws GlobError where the text is none. */
export const readPattern = (pattern: string, withAnyText: boolean): Token[][] =>
  new Parser(pattern, withAnyText, EXPANDED).alternatives();

interface Count {
  readonly alternatives: number;
  readonly nodes: number;
}

/** Each segment may have one node more than tokens: a star that is all of it becomes two. */
const NODES_OF_SLASH = 2;
/** The first segment, and the end. */
const NODES_OF_ALTERNATIVE = 2;

const counted = (nodesOfAnyText: number): Reading<Count> => ({
  empty: () => ({ alternatives: 1, nodes: 0 }),
  append({ alternatives, nodes }, token) {
    const own = token === SLASH ? NODES_OF_SLASH : token === 'any text' ? nodesOfAnyText : 1;
    return { alternatives, nodes: nodes + alternatives * own };
  },
  either: (all) => ({
    alternatives: all.reduce((sum, { alternatives }) => sum + alternatives, 0),
    nodes: all.reduce((sum, { nodes }) => sum + nodes, 0),
  }),
  followed: (left, right) => ({
    alternatives: left.alternatives * right.alternatives,
    nodes: left.nodes * right.alternatives + right.nodes * left.alternatives,
  }),
});

/**
 * An upper bound of the nodes of a pattern with its alternatives expanded, which are not. 0 where the text is no pattern.
 * `nodesOfAnyText`: of what is filled in for `{{*}}`, if it may have any.
 */
export function countNodes(pattern: string, nodesOfAnyText?: number): number {
  if (!pattern.includes('{')) return pattern.length + pattern.split('/').length - 1 + NODES_OF_ALTERNATIVE;
  try {
    const reading = counted(nodesOfAnyText ?? 1);
    const count = new Parser(pattern, nodesOfAnyText !== undefined, reading).alternatives();
    return Math.min(count.nodes + NODES_OF_ALTERNATIVE * count.alternatives, MAX_NODES);
  } catch (error) {
    if (error instanceof GlobError) return 0;
    throw error;
  }
}

/** Whether each alternative has a character other than a slash. */
const SPECIFIC: Reading<boolean> = {
  empty: () => false,
  append: (isSpecific, token) => isSpecific || (typeof token === 'number' && token !== SLASH),
  either: (all) => all.every(Boolean),
  followed: (left, right) => left || right,
};

/**
 * Whether every text that a pattern matches has a certain character somewhere, other than a slash. `*`, `?*`, `**` and
 * `[!a]*` match texts that have nothing in common. Nothing is expanded. @throws GlobError where the text is none.
 */
export const isSpecific = (pattern: string): boolean => new Parser(pattern, false, SPECIFIC).alternatives();

/** Reads a pattern into its alternatives, each without braces. */
class Parser<Result> {
  readonly #text: readonly string[];
  readonly #withAnyText: boolean;
  readonly #reading: Reading<Result>;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, withAnyText: boolean, reading: Reading<Result>) {
    this.#withAnyText = withAnyText;
    this.#reading = reading;
    this.#text = Array.from(pattern);
    if (!pattern.isWellFormed()) throw new GlobError('The pattern is not well-formed Unicode');
    if (this.#text[0] === '!') throw new GlobError('A pattern cannot begin with !; use $ne or an inverted rule');
  }

  alternatives(): Result {
    const result = this.#sequences(false);
    if (this.#at < this.#text.length) throw new GlobError('Write \\} for the character }');
    return result;
  }

  #sequences(inBraces: boolean): Result {
    let result = this.#reading.empty();
    const append = (token: Token) => void (result = this.#reading.append(result, token));
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!;
      if (char === '}' || (inBraces && char === ',')) break;
      if (char === '(' || char === ')') throw new GlobError(`Write \\${char} for the character ${char}`);
      if (this.#isAnyText()) {
        append('any text');
        this.#at += ANY_TEXT.length - 1;
      } else if (char === '{') result = this.#reading.followed(result, this.#braces());
      else if (char === '[') append(this.#set());
      else if (char === '*') append('*');
      else if (char === '?') append(ONE);
      else append(this.#literal());
    }
    return result;
  }

  #isAnyText(): boolean {
    return this.#withAnyText && this.#text.slice(this.#at, this.#at + ANY_TEXT.length).join('') === ANY_TEXT;
  }

  /** From `{` to its `}`. */
  #braces(): Result {
    const alternatives: Result[] = [];
    if (++this.#depth > MAX_DEPTH) throw new GlobError('The pattern is too complex');
    do {
      this.#at++;
      alternatives.push(this.#sequences(true));
    } while (this.#text[this.#at] === ',');
    if (this.#text[this.#at] !== '}') throw new GlobError('A { is not closed');
    if (alternatives.length < 2) throw new GlobError('Braces need at least two alternatives: {a,b}');
    this.#depth--;
    return this.#reading.either(alternatives);
  }

  /** From `[` to its `]`. */
  #set(): Class {
    this.#at++;
    const negated = this.#text[this.#at] === '!' || this.#text[this.#at] === '^';
    if (negated) this.#at++;
    const ranges: [number, number][] = [];
    for (let first = true; first || this.#text[this.#at] !== ']'; first = false, this.#at++) {
      const from = this.#member();
      let to = from;
      if (this.#text[this.#at + 1] === '-' && this.#text[this.#at + 2] !== ']') {
        this.#at += 2;
        to = this.#member();
      }
      if (to < from) throw new GlobError('A character range in a set is reversed');
      ranges.push([from, to]);
    }
    return { kind: 'class', negated, ranges };
  }

  #member(): number {
    const code = this.#literal();
    if (code === SLASH) throw new GlobError('A set cannot contain /');
    return code;
  }

  #literal(): number {
    if (this.#text[this.#at] === '\\') this.#at++;
    const char = this.#text[this.#at];
    if (char === undefined) throw new GlobError('The pattern ends unexpectedly');
    return char.codePointAt(0)!;
  }
}

/** The concatenations of the left and right alternatives; rejected before expansion if there are too many. */
function product(left: readonly Token[][], right: readonly Token[][]): Token[][] {
  const tokensOf = (sequences: readonly Token[][]) => sequences.reduce((sum, { length }) => sum + length, 0);
  const size = left.length * right.length + left.length * tokensOf(right) + right.length * tokensOf(left);
  if (size > MAX_NODES) throw new GlobError('The pattern is too complex');
  return left.flatMap((a) => right.map((b) => [...a, ...b]));
}
