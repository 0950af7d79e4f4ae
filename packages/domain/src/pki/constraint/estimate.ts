import { readClass, WORK_OF_MERGED_RANGE, workOfMember } from './class-work.ts';

/** What an expression costs to compile, estimated from its text only. Invalid expressions have a cost, too. */
interface Estimate {
  /**
   * Compiled instructions: counted repetitions are expanded into copies, also nested ones, so that a short text can take
   * long to compile. Characters and classes count as one each, and so do operators.
   */
  readonly size: number;
  /** Characters and ranges that the compiler walks through for classes, each of which takes some 40 nanoseconds. */
  readonly work: number;
}

export function estimateExpression(text: string): Estimate {
  const reader = new Reader(text);
  reader.read();
  return { size: reader.size, work: reader.work };
}

/** Flags that ignore case, anywhere: they may count for what comes before or after their group, too. */
const FOLDS = /\(\?[imsU-]*i/;
// The next token, if it is more than a character.
const GROUP = /\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:?))?/y;
const ESCAPE = /\\(?:[pPx]\{[^}]*\}|[pP].|x[\da-fA-F]{2}|[0-7]{1,3}|[^])/y;
const COUNT = /\{(\d+)(?:(,)(\d*))?\}/y;

interface Group {
  size: number;
  /** Of its classes. */
  ranges: number;
  hasAlternatives: boolean;
}
const emptyGroup = (): Group => ({ size: 0, ranges: 0, hasAlternatives: false });

class Reader {
  readonly #text: string;
  readonly #folds: boolean;
  #at = 0;
  /** The innermost group that is open. */
  #group = emptyGroup();
  /** The size of what was read last in it. */
  #last = 0;
  /** The enclosing groups. */
  readonly #outer: Group[] = [];
  #work = 0;

  constructor(text: string) {
    this.#text = text;
    this.#folds = FOLDS.test(text);
  }

  get size(): number {
    return this.#outer.reduce((sum, { size }) => sum + size, this.#group.size);
  }

  get work(): number {
    return this.#work;
  }

  read(): void {
    while (this.#at < this.#text.length) this.#readNext();
    this.#merge();
  }

  #readNext(): void {
    const char = this.#text[this.#at]!;
    if (char === '(') this.#open();
    else if (char === ')') this.#close();
    else if (char === '[') this.#class();
    else if (char === '\\') this.#escape();
    else if (char === '{') this.#repeat();
    else if (char === '|') this.#alternate();
    else if (char === '*' || char === '+' || char === '?') this.#enlarge(this.#last + 1);
    else this.#add(1, this.#at + (this.#text.codePointAt(this.#at)! > 0xffff ? 2 : 1));
  }

  /** Something that a repetition after it is about. */
  #add(size: number, end = this.#at + 1): void {
    this.#group.size += size;
    this.#last = size;
    this.#at = end;
  }

  /** What was read last grows. */
  #enlarge(size: number, end = this.#at + 1): void {
    this.#group.size += size - this.#last;
    this.#last = size;
    this.#at = end;
  }

  #alternate(): void {
    this.#group.hasAlternatives = true;
    this.#add(1);
  }

  #open(): void {
    this.#outer.push(this.#group);
    this.#group = emptyGroup();
    this.#last = 0;
    this.#at = this.#match(GROUP)!.end;
  }

  #close(): void {
    this.#merge();
    const { size, ranges } = this.#group;
    this.#group = this.#outer.pop() ?? emptyGroup();
    this.#group.ranges += ranges;
    this.#add(size + 1);
  }

  /** Alternatives that are classes become one, and again with each group around them that has others. */
  #merge(): void {
    const { ranges, hasAlternatives } = this.#group;
    if (hasAlternatives) this.#work += WORK_OF_MERGED_RANGE * ranges;
  }

  #class(): void {
    const { end, work, ranges } = readClass(this.#text, this.#at, this.#folds);
    this.#work += work;
    this.#group.ranges += ranges;
    this.#add(1, end);
  }

  #escape(): void {
    if (!this.#text.startsWith('\\Q', this.#at)) return this.#escaped();
    const end = this.#text.indexOf('\\E', this.#at + 2);
    const literal = this.#text.slice(this.#at + 2, end < 0 ? undefined : end);
    this.#group.size += literal.length;
    this.#last = 1;
    this.#at = end < 0 ? this.#text.length : end + 2;
  }

  #escaped(): void {
    const end = this.#match(ESCAPE)?.end;
    const { work, ranges } = workOfMember(this.#text.slice(this.#at, end), this.#folds);
    this.#work += work;
    this.#group.ranges += ranges;
    this.#add(1, end);
  }

  #repeat(): void {
    const count = this.#match(COUNT);
    if (!count) return this.#add(1);
    const [least, isOpen, most] = count.groups;
    const times = Math.max(Number(least), Number(most ?? 0), 1);
    // Each optional copy adds one operator.
    this.#enlarge((this.#last + (isOpen === undefined ? 0 : 1)) * times, count.end);
  }

  #match(pattern: RegExp) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    return found && { end: pattern.lastIndex, groups: found.slice(1) };
  }
}
