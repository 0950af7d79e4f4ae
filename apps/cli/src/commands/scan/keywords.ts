const LETTERS = 128;

/** Lower case, and what is beyond ASCII on some letter within it: a keyword may then seem to be there, and is never overlooked. */
const FOLD = Uint8Array.from({ length: LETTERS }, (_, code) => (code >= 65 && code <= 90 ? code + 32 : code));
const letter = (text: string, index: number): number => FOLD[text.charCodeAt(index) & (LETTERS - 1)]!;

/**
 * Finds which groups of keywords a text may contain, in one pass over it however many there are (A. Aho, M. Corasick: Efficient
 * string matching, 1975). Upper and lower case are the same.
 */
export class Keywords {
  readonly #next: Int32Array;
  readonly #groupsAt: readonly (readonly number[])[];
  /** Groups without keywords, which any text satisfies. */
  readonly #always: readonly number[];

  constructor(groups: readonly (readonly string[])[]) {
    const size = 1 + groups.flat().reduce((sum, keyword) => sum + keyword.length, 0);
    this.#next = new Int32Array(size * LETTERS);
    const groupsAt: number[][] = [[]];
    for (const [group, keywords] of groups.entries())
      for (const keyword of keywords) groupsAt[this.#insert(keyword, groupsAt)]!.push(group);
    this.#link(groupsAt);
    this.#groupsAt = groupsAt;
    this.#always = groups.flatMap((keywords, group) => (keywords.length ? [] : [group]));
  }

  /** The groups of which a keyword is in the text, in their order. */
  in(text: string): number[] {
    const found = new Set(this.#always);
    for (let state = 0, index = 0; index < text.length; index++) {
      state = this.#next[state * LETTERS + letter(text, index)]!;
      const groups = this.#groupsAt[state]!;
      for (let at = 0; at < groups.length; at++) found.add(groups[at]!);
    }
    return [...found].toSorted((a, b) => a - b);
  }

  /** Adds the states of a keyword, and returns its last. */
  #insert(keyword: string, groupsAt: number[][]): number {
    let state = 0;
    for (let index = 0; index < keyword.length; index++) {
      const at = state * LETTERS + letter(keyword, index);
      if (!this.#next[at]) this.#next[at] = groupsAt.push([]) - 1;
      state = this.#next[at]!;
    }
    return state;
  }

  /** Leads each state on where a keyword does not: to the longest end of what was read with which another one begins. */
  #link(groupsAt: number[][]): void {
    const fallback = new Int32Array(groupsAt.length);
    const queue = [0];
    for (const state of queue)
      for (let code = 0; code < LETTERS; code++) {
        const at = state * LETTERS + code;
        const shorter = state ? this.#next[fallback[state]! * LETTERS + code]! : 0;
        const child = this.#next[at]!;
        if (!child) this.#next[at] = shorter;
        else {
          fallback[child] = shorter;
          groupsAt[child]!.push(...groupsAt[shorter]!);
          queue.push(child);
        }
      }
  }
}
