/**
 * The globs of conditions. The language is small and exact. A text is read once, with all ways through the pattern kept
 * as bits side by side: the cost is that of the text times a 32nd of the pattern, whatever they are (a translation to
 * regular expressions could be made to run for hours).
 *
 * | pattern | matches |
 * | --- | --- |
 * | `*` | any run of characters but `/`, also none; where it is a whole segment, at least one: `/*` is not `/` |
 * | `**` as a whole segment | any number of segments, also none: `/app/**` is `/app` and all below, `/**` is `/` and all below |
 * | `**` beside other characters | the same as `*` |
 * | `?` | one character but `/` |
 * | `[abc]`, `[a-z]`, `[!abc]`, `[^abc]` | one character (not) of the set, never `/`; a `]` in the first place is a member |
 * | `{a,b}` | either; each is what it would be alone, also with `/`, `**` and further braces in it |
 * | `\x` | `x` itself |
 *
 * On ordinary patterns and paths this is what picomatch does (`glob.test.ts` compares them). It differs in that `**`
 * stands for no segment wherever it is, that `[!a]` is not `a`, and that a pattern never matches a text just because it
 * looks the same.
 *
 * Everything else is itself: case counts, a dot is no exception, a slash at the end stands for one. A character is a
 * Unicode code point. Patterns that look like more are refused rather than read as something else: an unescaped `(`,
 * `)` or `}`, a `!` in the first place, an unclosed `[` or `{`, braces without a comma (also `{1..3}`), a set that is
 * empty, runs backward or holds a `/`, a `\` at the end, and what is nested deeper than `MAX_DEPTH` or grows beyond
 * `MAX_NODES`.
 */
export class Glob {
  readonly #nodes: readonly Node[];
  readonly #words: number;
  /** The pattern's own beginning up to its first wildcard: compared at once. */
  readonly #prefix: string;
  readonly #afterPrefix: States;
  readonly #kinds: Readonly<Record<'loopsBySlash' | 'loops' | 'goesOn' | 'skips' | 'rest' | 'accepts', States>>;
  /** The nodes that take a character, by its code point. */
  readonly #takes = new Map<number, States>();
  readonly start: States;
  /** Code points at which the treatment of characters may change; between two of them all are treated alike. */
  readonly cuts: readonly number[];

  /**
   * `withAnyText`: `{{*}}` stands for any text, also with slashes in it, also for none. No pattern of a caller's has this
   * (see `template.ts`).
   *
   * @throws GlobError where the text is no pattern.
   */
  constructor(pattern: string, withAnyText = false) {
    const nodes: Node[] = [];
    const starts = new Set<number>();
    for (const tokens of new Parser(pattern, withAnyText).alternatives()) {
      starts.add(nodes.length);
      assemble(tokens, nodes);
    }
    if (nodes.length > MAX_NODES) throw new GlobError('The pattern is too complicated');
    this.#nodes = nodes;
    this.#words = (nodes.length + 31) >>> 5;
    const ofKind = (...kinds: Node['kind'][]) => this.#states((node) => kinds.includes(node.kind));
    this.#kinds = {
      loopsBySlash: ofKind('any', 'rest'),
      loops: ofKind('star', 'any', 'rest'),
      goesOn: ofKind('star', 'any', 'skip'),
      skips: ofKind('skip'),
      rest: ofKind('rest'),
      accepts: ofKind('end', 'rest'),
    };
    this.start = this.#close(this.#states((_, index) => starts.has(index)));
    this.cuts = cutsOf(nodes);
    let length = 0;
    while (starts.size === 1 && nodes[length]!.kind === 'char') length++;
    this.#prefix = String.fromCodePoint(...nodes.slice(0, length).map((node) => (node as { code: number }).code));
    this.#afterPrefix = length > 0 ? this.#close(this.#states((_, index) => index === length)) : this.start;
  }

  /** What it takes in memory, in nodes of some hundred bytes. */
  get size(): number {
    return this.#nodes.length;
  }

  matches(text: string): boolean {
    if (!text.startsWith(this.#prefix)) return false;
    let states = this.#afterPrefix;
    for (let at = this.#prefix.length; at < text.length;) {
      if (meet(states, this.#kinds.rest)) return true;
      const code = text.codePointAt(at)!;
      at += code > 0xffff ? 2 : 1;
      states = this.step(states, code);
      if (isEmpty(states)) return false;
    }
    return this.accepts(states);
  }

  step(states: States, code: number): States {
    const next = new Uint32Array(this.#words);
    const takes = this.#takenBy(code);
    const loops = code === SLASH ? this.#kinds.loopsBySlash : this.#kinds.loops;
    let carry = 0;
    for (let word = 0; word < next.length; word++) {
      const moved = states[word]! & takes[word]!;
      next[word] = (moved << 1) | carry | (states[word]! & loops[word]!);
      carry = moved >>> 31;
    }
    return this.#close(next);
  }

  accepts(states: States): boolean {
    return meet(states, this.#kinds.accepts);
  }

  /** Adds what is reached without a character: the node after one that may be left, and three on from one that skips. */
  #close(states: Uint32Array): States {
    const { goesOn, skips } = this.#kinds;
    for (let changed = true; changed;) {
      changed = false;
      let carry = 0;
      for (let word = 0; word < states.length; word++) {
        const known = states[word]!;
        const one = known & goesOn[word]!;
        const three = known & skips[word]!;
        const reached = (known | (one << 1) | (three << 3) | carry) >>> 0;
        carry = (one >>> 31) | (three >>> 29);
        if (reached !== known) {
          states[word] = reached;
          changed = true;
        }
      }
    }
    return states;
  }

  #takenBy(code: number): States {
    let takes = this.#takes.get(code);
    if (!takes) {
      takes = this.#states((node) =>
        node.kind === 'char' ? node.code === code : node.kind === 'class' && isIn(node, code),
      );
      if (this.#takes.size >= 64) this.#takes.clear();
      this.#takes.set(code, takes);
    }
    return takes;
  }

  #states(isOne: (node: Node, index: number) => boolean): Uint32Array {
    const states = new Uint32Array(this.#words);
    for (let index = 0; index < this.#nodes.length; index++)
      if (isOne(this.#nodes[index]!, index)) states[index >>> 5]! |= 1 << (index & 31);
    return states;
  }
}

/** The nodes to which a text may have led, a bit for each. */
export type States = Readonly<Uint32Array>;

export const isEmpty = (states: States): boolean => {
  for (let word = 0; word < states.length; word++) if (states[word] !== 0) return false;
  return true;
};

function meet(a: States, b: States): boolean {
  for (let word = 0; word < a.length; word++) if ((a[word]! & b[word]!) !== 0) return true;
  return false;
}

class GlobError extends Error {}

/** Any text, where the pattern may have it. */
export const ANY_TEXT = '{{*}}';

/** Bounds what a pattern with braces may grow to. */
const MAX_NODES = 2048;
/** Of braces in braces. */
const MAX_DEPTH = 8;

const SLASH = 47;

interface Class {
  readonly kind: 'class';
  readonly negated: boolean;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}
type Token = number | Class | '*' | 'any text';
type Node =
  | { readonly kind: 'char'; readonly code: number }
  | Class
  /** Stays on every character but `/`; and goes on without one. */
  | { readonly kind: 'star' }
  /** Stays on every character; and goes on without one. */
  | { readonly kind: 'any' }
  /** Takes whatever is left. */
  | { readonly kind: 'rest' }
  /** Goes on to the next node, or three further. */
  | { readonly kind: 'skip' }
  | { readonly kind: 'end' };

const ONE: Class = { kind: 'class', negated: true, ranges: [] };

const isIn = ({ negated, ranges }: Class, code: number): boolean =>
  code !== SLASH && ranges.some(([from, to]) => from <= code && code <= to) !== negated;

/** Writes one pattern without braces to the end of `nodes`. */
function assemble(tokens: readonly Token[], nodes: Node[]): void {
  const segments = segmentsOf(tokens);
  if (segments.some(hasTwoStarsAtAnyText)) throw new GlobError('Put a slash between ** and a template');
  const last = segments.length - 1;
  let needsSlash = false;
  for (const [index, segment] of segments.entries()) {
    if (isAnyDepth(segment)) {
      if (index > 0 && isAnyDepth(segments[index - 1]!)) continue;
      const endsHere = segments.slice(index).every(isAnyDepth);
      if (endsHere) {
        if (needsSlash) nodes.push({ kind: 'skip' }, { kind: 'char', code: SLASH });
        nodes.push({ kind: 'rest' });
      } else {
        if (needsSlash) nodes.push({ kind: 'char', code: SLASH });
        nodes.push({ kind: 'skip' }, { kind: 'any' }, { kind: 'char', code: SLASH });
      }
      needsSlash = false;
      continue;
    }
    if (needsSlash) nodes.push({ kind: 'char', code: SLASH });
    if (segment.length > 0 && segment.every((token) => token === '*')) nodes.push(ONE, { kind: 'star' });
    else nodes.push(...segment.filter((token, position) => token !== '*' || segment[position - 1] !== '*').map(nodeOf));
    needsSlash = index < last;
  }
  nodes.push({ kind: 'end' });
}

function nodeOf(token: Token): Node {
  if (token === '*') return { kind: 'star' };
  if (token === 'any text') return { kind: 'any' };
  return typeof token === 'number' ? { kind: 'char', code: token } : token;
}

const isAnyDepth = (segment: readonly Token[]) => segment.length === 2 && segment.every((token) => token === '*');

/** What fills in may bring a slash: the stars beside it would be a segment of their own, and stand for more than before. */
const hasTwoStarsAtAnyText = (segment: readonly Token[]) =>
  segment.includes('any text') && segment.some((token, at) => token === '*' && segment[at + 1] === '*');

function segmentsOf(tokens: readonly Token[]): Token[][] {
  const segments: Token[][] = [[]];
  for (const token of tokens) {
    if (token === SLASH) segments.push([]);
    else segments.at(-1)!.push(token);
  }
  return segments;
}

function cutsOf(nodes: readonly Node[]): number[] {
  const cuts = new Set([0, SLASH, SLASH + 1]);
  for (const node of nodes) {
    const ranges = node.kind === 'char' ? [[node.code, node.code] as const] : node.kind === 'class' ? node.ranges : [];
    for (const [from, to] of ranges) cuts.add(from).add(to + 1);
  }
  return [...cuts].filter((cut) => cut <= 0x10ffff);
}

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
    if (++this.#depth > MAX_DEPTH) throw new GlobError('The pattern is too complicated');
    do {
      this.#at++;
      alternatives.push(...this.#sequences(true));
      count++;
    } while (this.#text[this.#at] === ',');
    if (this.#text[this.#at] !== '}') throw new GlobError('A { is not closed');
    if (count < 2) throw new GlobError('Braces hold at least two alternatives: {a,b}');
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
      if (to < from) throw new GlobError('A set runs backward');
      ranges.push([from, to]);
    }
    return { kind: 'class', negated, ranges };
  }

  #member(): number {
    const code = this.#literal();
    if (code === SLASH) throw new GlobError('A set cannot hold /');
    return code;
  }

  #literal(): number {
    if (this.#text[this.#at] === '\\') this.#at++;
    const char = this.#text[this.#at];
    if (char === undefined) throw new GlobError('The pattern ends too early');
    return char.codePointAt(0)!;
  }
}

/** Each of the left followed by each of the right; refused before it is made where it would be too much. */
function product(left: readonly Token[][], right: readonly Token[][]): Token[][] {
  const tokensOf = (sequences: readonly Token[][]) => sequences.reduce((sum, { length }) => sum + length, 0);
  const size = left.length * right.length + left.length * tokensOf(right) + right.length * tokensOf(left);
  if (size > MAX_NODES) throw new GlobError('The pattern is too complicated');
  return left.flatMap((a) => right.map((b) => [...a, ...b]));
}
