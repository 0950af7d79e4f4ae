import { COUNTED, type Payer } from './evaluation-step.ts';
import { assemble, cutsOf, isIn, type Node } from './glob-nodes.ts';
import { type Class, GlobError, MAX_NODES, ONE, readPattern, SLASH } from './glob-pattern.ts';

/**
 * The globs of conditions. The language is small and exact. A text is read once, with all states of the automaton as
 * bits: the cost is the length of the text times a 32nd of the length of the pattern, for any input (a translation to
 * regular expressions could run for hours).
 *
 * | pattern | matches |
 * | --- | --- |
 * | `*` | any run of characters except `/`, also none; as a whole segment at least one: `/*` does not match `/` |
 * | `**` as a whole segment | any number of segments, also none: `/app/**` matches `/app` and all below |
 * | `**` beside other characters | the same as `*` |
 * | `?` | one character except `/` |
 * | `[abc]`, `[a-z]`, `[!abc]`, `[^abc]` | one character (not) of the set, never `/`; a leading `]` is a member |
 * | `{a,b}` | one of the alternatives, which may contain `/`, `**` and further braces |
 * | `\x` | `x` itself |
 *
 * For ordinary patterns and paths, picomatch matches the same (`glob.test.ts` compares them). The differences: `**`
 * matches no segment at any position, `[!a]` does not match `a`, and a pattern never matches a text only because the
 * two are equal.
 *
 * All other characters are literal: matching is case-sensitive, and dots and a slash at the end are not special. A
 * character is a Unicode code point. Patterns that look like other syntax are rejected: an unescaped `(`, `)` or `}`, a
 * leading `!`, an unclosed `[` or `{`, braces without a comma (also `{1..3}`), a set that is empty, descending or
 * contains `/`, a `\` at the end, nesting deeper than `MAX_DEPTH`, and more nodes than `MAX_NODES`.
 */
export class Glob {
  readonly #nodes: readonly Node[];
  readonly #words: number;
  /** The literal prefix before the first wildcard: compared first. */
  readonly #prefix: string;
  readonly #afterPrefix: States;
  /** The literal suffix after the last wildcard: compared first. */
  readonly #suffix: string;
  readonly #kinds: Readonly<Record<'loopsBySlash' | 'loops' | 'goesOn' | 'skips' | 'rest' | 'accepts', States>>;
  /** The nodes that match only one character, by its code point; those that match any except `/`; the others. */
  readonly #chars = new Map<number, number[]>();
  readonly #ones: Int32Array;
  /** The sets, each with the nodes of the alternatives that have it. */
  readonly #classes = new Map<Class, number[]>();
  /** A cache of the nodes that match a character, by its code point. */
  readonly #takes = new Map<number, States>();
  /** The number of cache misses, and their cost (see `evaluation-cost.ts`). */
  #lookups = 0;
  readonly #costOfLookup: number;
  /** The states of `matches`. */
  readonly #buffers: readonly [Int32Array, Int32Array];
  /** The last result: several actions test the same text, and list elements share many values. */
  #lastText: string | undefined;
  #lastAnswer = false;
  /** What it costs: the nodes of all alternatives, of some hundred bytes each, and the ranges of its sets. */
  readonly size: number;
  readonly start: States;
  /** Code points at which the treatment of characters may change; between two of them all are treated alike. */
  readonly cuts: readonly number[];

  /**
   * `withAnyText`: `{{*}}` matches any text, also empty and with slashes. Patterns of callers never have this (see
   * `template.ts`).
   *
   * @throws GlobError if the text is not a pattern.
   */
  constructor(pattern: string, withAnyText = false) {
    const nodes: Node[] = [];
    const starts = new Set<number>();
    for (const tokens of readPattern(pattern, withAnyText)) {
      starts.add(nodes.length);
      assemble(tokens, nodes);
    }
    if (nodes.length > MAX_NODES) throw new GlobError('The pattern is too complex');
    this.#nodes = nodes;
    this.#words = (nodes.length + 31) >>> 5;
    this.#buffers = [new Int32Array(this.#words), new Int32Array(this.#words)];
    const ofKind = (...kinds: Node['kind'][]) => this.#states((node) => kinds.includes(node.kind));
    this.#kinds = {
      loopsBySlash: ofKind('any', 'rest'),
      loops: ofKind('star', 'any', 'rest'),
      goesOn: ofKind('star', 'any', 'skip'),
      skips: ofKind('skip'),
      rest: ofKind('rest'),
      accepts: ofKind('end', 'rest'),
    };
    this.#ones = this.#states((node) => node === ONE);
    for (const [index, node] of nodes.entries()) {
      if (node.kind === 'class' && node !== ONE) addTo(this.#classes, node, index);
      if (node.kind === 'char') addTo(this.#chars, node.code, index);
    }
    this.size = nodes.length + [...this.#classes.keys()].reduce((sum, { ranges }) => sum + ranges.length, 0);
    this.#costOfLookup = 50 + this.size;
    this.start = this.#reached((_, index) => starts.has(index));
    this.cuts = cutsOf(nodes);
    let length = 0;
    while (starts.size === 1 && nodes[length]!.kind === 'char') length++;
    this.#prefix = textOf(nodes.slice(0, length));
    this.#suffix = starts.size === 1 ? textOf(nodes.slice(startOfSuffix(nodes), -1)) : '';
    this.#afterPrefix = length > 0 ? this.#reached((_, index) => index === length) : this.start;
  }

  /** Whether a text matches; `cost` is charged. */
  matches(text: string, cost: Payer = COUNTED): boolean {
    if (text === this.#lastText) return this.#lastAnswer;
    if (!text.startsWith(this.#prefix) || !text.endsWith(this.#suffix)) return false;
    const lookups = this.#lookups;
    this.#lastAnswer = this.#words === 1 ? this.#readByWord(text) : this.#read(text);
    this.#lastText = text;
    cost.spend(
      (text.length - this.#prefix.length) * (2 * this.#words + 1) + (this.#lookups - lookups) * this.#costOfLookup,
    );
    return this.#lastAnswer;
  }

  #read(text: string): boolean {
    let [states, next] = this.#buffers;
    states.set(this.#afterPrefix);
    for (let at = this.#prefix.length; at < text.length;) {
      const code = text.codePointAt(at)!;
      at += code > 0xffff ? 2 : 1;
      if (meet(states, this.#kinds.rest)) return true;
      if (!this.#advance(states, next, code)) return false;
      [states, next] = [next, states];
    }
    return this.accepts(states);
  }

  /**
   * The same for patterns whose states fit into one word, as most do: the steps are those of `#advance` and `#close`.
   */
  #readByWord(text: string): boolean {
    const kinds = this.#kinds;
    const [loops, loopsBySlash] = [kinds.loops[0]!, kinds.loopsBySlash[0]!];
    const [goesOn, skips, rest] = [kinds.goesOn[0]!, kinds.skips[0]!, kinds.rest[0]!];
    let states = this.#afterPrefix[0]!;
    for (let at = this.#prefix.length; at < text.length;) {
      if ((states & rest) !== 0) return true;
      const code = text.codePointAt(at)!;
      at += code > 0xffff ? 2 : 1;
      const takes = this.#takenBy(code)[0]!;
      let reached = ((states & takes) << 1) | (states & (code === SLASH ? loopsBySlash : loops));
      for (let fresh = reached & goesOn; fresh !== 0; fresh &= goesOn) {
        fresh = ((fresh << 1) | ((fresh & skips) << 3)) & ~reached;
        reached |= fresh;
      }
      if (reached === 0) return false;
      states = reached;
    }
    return (states & kinds.accepts[0]!) !== 0;
  }

  step(states: States, code: number): States {
    const next = new Int32Array(this.#words);
    this.#advance(states, next, code);
    return next;
  }

  /** Writes the states after a character to `next`. Returns whether there are any. */
  #advance(states: States, next: Int32Array, code: number): boolean {
    const takes = this.#takenBy(code);
    const loops = code === SLASH ? this.#kinds.loopsBySlash : this.#kinds.loops;
    let carry = 0;
    for (let word = 0; word < next.length; word++) {
      const from = states[word]!;
      const moved = from & takes[word]!;
      next[word] = (moved << 1) | carry | (from & loops[word]!);
      carry = moved >>> 31;
    }
    return this.#close(next);
  }

  accepts(states: States): boolean {
    return meet(states, this.#kinds.accepts);
  }

  /** Adds the states that empty transitions reach. Returns whether there are any. */
  #close(states: Int32Array): boolean {
    const { goesOn, skips } = this.#kinds;
    let [carry, some] = [0, 0];
    for (let word = 0; word < states.length; word++) {
      let reached = states[word]! | carry;
      carry = 0;
      for (let fresh = reached & goesOn[word]!; fresh !== 0; fresh &= goesOn[word]!) {
        const three = fresh & skips[word]!;
        carry |= (fresh >>> 31) | (three >>> 29);
        fresh = ((fresh << 1) | (three << 3)) & ~reached;
        reached |= fresh;
      }
      states[word] = reached;
      some |= reached;
    }
    return some !== 0;
  }

  #takenBy(code: number): States {
    const known = this.#takes.get(code);
    if (known) return known;
    const chars = this.#chars.get(code);
    if (!chars && code !== SLASH && this.#classes.size === 0) return this.#ones;
    this.#lookups++;
    const takes = code === SLASH ? new Int32Array(this.#words) : this.#ones.slice();
    const add = (index: number) => void (takes[index >>> 5]! |= 1 << (index & 31));
    chars?.forEach(add);
    for (const [set, indices] of this.#classes) if (isIn(set, code)) indices.forEach(add);
    if (this.#takes.size >= Math.min(this.#nodes.length, MAX_TAKES)) this.#takes.clear();
    this.#takes.set(code, takes);
    return takes;
  }

  #reached(isOne: (node: Node, index: number) => boolean): States {
    const states = this.#states(isOne);
    this.#close(states);
    return states;
  }

  #states(isOne: (node: Node, index: number) => boolean): Int32Array {
    const states = new Int32Array(this.#words);
    for (let index = 0; index < this.#nodes.length; index++)
      if (isOne(this.#nodes[index]!, index)) states[index >>> 5]! |= 1 << (index & 31);
    return states;
  }
}

/** The number of characters for which a glob caches the matching nodes. */
const MAX_TAKES = 128;

function addTo<Key>(lists: Map<Key, number[]>, key: Key, index: number): void {
  const known = lists.get(key);
  if (known) known.push(index);
  else lists.set(key, [index]);
}

const textOf = (nodes: readonly Node[]): string =>
  String.fromCodePoint(...nodes.map((node) => (node as { code: number }).code));

/** The first character of the literal end of a pattern without braces; optional ones do not count. */
function startOfSuffix(nodes: readonly Node[]): number {
  let start = nodes.length - 1;
  while (start > 0 && nodes[start - 1]!.kind === 'char' && nodes[start - 3]?.kind !== 'skip') start--;
  return start;
}

/** The nodes to which a text may have led, a bit for each. */
export type States = Readonly<Int32Array>;

export const isEmpty = (states: States): boolean => {
  for (let word = 0; word < states.length; word++) if (states[word] !== 0) return false;
  return true;
};

function meet(a: States, b: States): boolean {
  for (let word = 0; word < a.length; word++) if ((a[word]! & b[word]!) !== 0) return true;
  return false;
}
