import { assemble, cutsOf, isIn, type Node } from './glob-nodes.ts';
import { GlobError, MAX_NODES, readPattern, SLASH } from './glob-pattern.ts';

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
    for (const tokens of readPattern(pattern, withAnyText)) {
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

  /**
   * Whether every text that it matches has a certain character somewhere, other than a slash. `*`, `?*`, `**` and `[!a]*`
   * match texts that have nothing in common.
   */
  get isSpecific(): boolean {
    let hasCharacter = false;
    for (const node of this.#nodes) {
      if (node.kind === 'char' && node.code !== SLASH) hasCharacter = true;
      if (node.kind !== 'end') continue;
      if (!hasCharacter) return false;
      hasCharacter = false;
    }
    return true;
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
