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

/** The tokens of each alternative of a pattern. @throws GlobError where the text is none. */
export const readPattern = (pattern: string, withAnyText: boolean): Token[][] =>
  new Parser(pattern, withAnyText).alternatives();

/** Reads a pattern into its alternatives, each without braces. */
class Parser {
  readonly #text: readonly string[];
  readonly #withAnyText: boolean;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, withAnyText: boolean) {
    this.#withAnyText = withAnyText;
    this.#text = Array.from(pattern);
    if (!pattern.isWellFormed()) throw new GlobError('The pattern is not well-formed Unicode');
    if (this.#text[0] === '!') throw new GlobError('A pattern cannot begin with !; use $ne or an inverted rule');
  }

  alternatives(): Token[][] {
    const sequences = this.#sequences(false);
    if (this.#at < this.#text.length) throw new GlobError('Write \\} for the character }');
    return sequences;
  }

  #sequences(inBraces: boolean): Token[][] {
    let sequences: Token[][] = [[]];
    const append = (token: Token) => {
      for (const sequence of sequences) sequence.push(token);
    };
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!;
      if (char === '}' || (inBraces && char === ',')) break;
      if (char === '(' || char === ')') throw new GlobError(`Write \\${char} for the character ${char}`);
      if (this.#isAnyText()) {
        append('any text');
        this.#at += ANY_TEXT.length - 1;
      } else if (char === '{') sequences = product(sequences, this.#braces());
      else if (char === '[') append(this.#set());
      else if (char === '*') append('*');
      else if (char === '?') append(ONE);
      else append(this.#literal());
    }
    return sequences;
  }

  #isAnyText(): boolean {
    return this.#withAnyText && this.#text.slice(this.#at, this.#at + ANY_TEXT.length).join('') === ANY_TEXT;
  }

  /** From `{` to its `}`. */
  #braces(): Token[][] {
    const alternatives: Token[][] = [];
    let count = 0;
    if (++this.#depth > MAX_DEPTH) throw new GlobError('The pattern is too complex');
    do {
      this.#at++;
      alternatives.push(...this.#sequences(true));
      count++;
    } while (this.#text[this.#at] === ',');
    if (this.#text[this.#at] !== '}') throw new GlobError('A { is not closed');
    if (count < 2) throw new GlobError('Braces need at least two alternatives: {a,b}');
    this.#depth--;
    return alternatives;
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
