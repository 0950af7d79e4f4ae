/**
 * An estimate of the number of compiled instructions, from the text only: counted repetitions are expanded into copies,
 * also nested ones, so that a short text can take long to compile. Characters and classes count as one each, and so do
 * operators. Invalid expressions have a size, too; the compiler rejects them.
 */
export function sizeOfExpression(text: string): number {
  const reader = new Reader(text);
  reader.read();
  return reader.size;
}

// The next token, if it is more than a character.
const GROUP = /\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:?))?/y;
const ESCAPE = /\\(?:[pPx]\{[^}]*\}|[pP].|x[\da-fA-F]{2}|[0-7]{1,3}|[^])/y;
const COUNT = /\{(\d+)(?:(,)(\d*))?\}/y;

class Reader {
  readonly #text: string;
  #at = 0;
  /** Of the innermost group that is open, and of what was read last in it. */
  #size = 0;
  #last = 0;
  /** The enclosing groups. */
  readonly #outer: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  get size(): number {
    return this.#outer.reduce((sum, size) => sum + size, this.#size);
  }

  read(): void {
    while (this.#at < this.#text.length) this.#readNext();
  }

  #readNext(): void {
    const char = this.#text[this.#at]!;
    if (char === '(') this.#open();
    else if (char === ')') this.#close();
    else if (char === '[') this.#add(1, this.#endOfClass());
    else if (char === '\\') this.#escape();
    else if (char === '{') this.#repeat();
    else if (char === '|') this.#add(1);
    else if (char === '*' || char === '+' || char === '?') this.#enlarge(this.#last + 1);
    else this.#add(1, this.#at + (this.#text.codePointAt(this.#at)! > 0xffff ? 2 : 1));
  }

  /** Something that a repetition after it is about. */
  #add(size: number, end = this.#at + 1): void {
    this.#size += size;
    this.#last = size;
    this.#at = end;
  }

  /** What was read last grows. */
  #enlarge(size: number, end = this.#at + 1): void {
    this.#size += size - this.#last;
    this.#last = size;
    this.#at = end;
  }

  #open(): void {
    this.#outer.push(this.#size);
    this.#size = 0;
    this.#last = 0;
    this.#at = this.#match(GROUP)!.end;
  }

  #close(): void {
    const size = this.#size + 1;
    this.#size = this.#outer.pop() ?? 0;
    this.#add(size);
  }

  #escape(): void {
    if (!this.#text.startsWith('\\Q', this.#at)) return this.#add(1, this.#match(ESCAPE)?.end);
    const end = this.#text.indexOf('\\E', this.#at + 2);
    const literal = this.#text.slice(this.#at + 2, end < 0 ? undefined : end);
    this.#size += literal.length;
    this.#last = 1;
    this.#at = end < 0 ? this.#text.length : end + 2;
  }

  #repeat(): void {
    const count = this.#match(COUNT);
    if (!count) return this.#add(1);
    const [least, isOpen, most] = count.groups;
    const times = Math.max(Number(least), Number(most ?? 0), 1);
    // Each optional copy adds one operator.
    this.#enlarge((this.#last + (isOpen === undefined ? 0 : 1)) * times, count.end);
  }

  /** A `]` in the first place is a member. */
  #endOfClass(): number {
    const text = this.#text;
    let at = this.#at + 1;
    if (text[at] === '^') at++;
    if (text[at] === ']') at++;
    while (at < text.length && text[at] !== ']') {
      if (text[at] === '\\') at += 2;
      else if (text.startsWith('[:', at)) at = Math.max(text.indexOf(':]', at + 2) + 2, at + 1);
      else at++;
    }
    return at + 1;
  }

  #match(pattern: RegExp) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    return found && { end: pattern.lastIndex, groups: found.slice(1) };
  }
}
