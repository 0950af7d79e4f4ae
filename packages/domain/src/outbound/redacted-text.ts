/** So many characters of a secret in a row are not shown either: who quotes it may cut it off. */
const PART = 8;
/** So many characters at the beginning of a secret are enough to skip most that do not occur. */
const START = 4;
/** In so many surroundings a part of secrets is compared; after that the surroundings in the text are hidden, too. */
const MOST_SURROUNDINGS = 64;
const HIDDEN = '[hidden]';

interface Places {
  at: readonly number[];
  /** What was around the part in secrets. */
  readonly surroundings: Set<string>;
}

/** A text with hidden characters, all removed at the end: a hidden part matches only the original text. */
export class RedactedText {
  static readonly PART = PART;
  static readonly START = START;
  readonly #text: string;
  readonly #hidden: Uint8Array;
  /** Every part, with its positions. */
  readonly #parts = new Map<string, Places>();
  /** Marks the sums of the parts: most parts of secrets do not occur, and are skipped by a glance. */
  readonly #sums = new Uint8Array(0x10000);
  readonly #starts = new Set<string>();

  constructor(text: string) {
    this.#text = text;
    this.#hidden = new Uint8Array(text.length);
    for (let at = 0; at + START <= text.length; at++) this.#starts.add(text.slice(at, at + START));
    const places = new Map<string, number[]>();
    for (let at = 0; at + PART <= text.length; at++) {
      const part = text.slice(at, at + PART);
      this.#sums[sumOf(text, at)] = 1;
      const known = places.get(part);
      if (known) known.push(at);
      else places.set(part, [at]);
    }
    for (const [part, at] of places) this.#parts.set(part, { at, surroundings: new Set() });
  }

  get length(): number {
    return this.#text.length;
  }

  /** Whether the text contains the beginning of a secret. */
  mayHold(secret: string): boolean {
    return this.#starts.has(secret.slice(0, START));
  }

  hide(secret: string): void {
    const { length } = secret;
    for (let at = this.#text.indexOf(secret); at !== -1; at = this.#text.indexOf(secret, at + 1))
      this.#hidden.fill(1, at, at + length);
  }

  /**
   * Hides text that contains a part of a secret, extended in both directions as far as it matches. One part begins
   * every given number of characters of a range.
   */
  hideParts(secret: string, { from, to, every }: { from: number; to: number; every: number }): void {
    const last = Math.min(to - 1, secret.length - PART);
    for (let at = from; at <= last; at += every) if (this.#sums[sumOf(secret, at)]) this.#hidePart(secret, at);
  }

  #hidePart(secret: string, at: number): void {
    const part = secret.slice(at, at + PART);
    const places = this.#parts.get(part);
    if (!places) return;
    const around = secret.slice(Math.max(0, at - PART), at + 2 * PART);
    if (places.surroundings.has(around)) return;
    places.surroundings.add(around);
    const isLast = places.surroundings.size === MOST_SURROUNDINGS;
    for (const place of places.at)
      if (isLast) this.#hidden.fill(1, Math.max(0, place - PART), place + 2 * PART);
      else this.#hideAround(secret, at, place);
    // A part that is completely hidden already is skipped.
    const isOpen = (place: number) => this.#hidden.subarray(Math.max(0, place - PART), place + 2 * PART).includes(0);
    places.at = places.at.filter(isOpen);
    if (places.at.length === 0) this.#parts.delete(part);
  }

  /** On both sides less than a block: the next block is found separately. */
  #hideAround(secret: string, at: number, place: number): void {
    const text = this.#text;
    let [from, to] = [0, PART];
    while (from > 1 - PART && at + from > 0 && place + from > 0 && secret[at + from - 1] === text[place + from - 1])
      from--;
    while (
      to < 2 * PART - 1 &&
      at + to < secret.length &&
      place + to < text.length &&
      secret[at + to] === text[place + to]
    )
      to++;
    this.#hidden.fill(1, place + from, place + to);
  }

  get shown(): string {
    let shown = '';
    for (let at = 0; at < this.#text.length; at++) {
      if (!this.#hidden[at]) shown += this.#text[at];
      else if (!this.#hidden[at - 1]) shown += HIDDEN;
    }
    return shown;
  }
}

/** Of a part at a position, in 16 bits. */
const sumOf = (text: string, at: number): number =>
  ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 2)) * 31 + text.charCodeAt(at + 4) * 7 + text.charCodeAt(at + 7)) &
  0xffff;
