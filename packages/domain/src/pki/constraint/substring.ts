/**
 * Finds a text in others in linear time (Knuth, Morris and Pratt). V8's `indexOf` can take the product of both lengths
 * for repetitive texts.
 */
export class Substring {
  readonly text: string;
  /** How much of the text is matched still where the character after so much of it differs. */
  #rest: Uint32Array | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The first position in `value` from `at` on. -1: none. */
  indexIn(value: string, at: number): number {
    const { text } = this;
    if (text.length === 0) return at;
    const rest = (this.#rest ??= restsOf(text));
    let matched = 0;
    for (let index = at; index < value.length; index++) {
      const char = value.charCodeAt(index);
      while (matched > 0 && text.charCodeAt(matched) !== char) matched = rest[matched - 1]!;
      if (text.charCodeAt(matched) === char) matched++;
      if (matched === text.length) return index - matched + 1;
    }
    return -1;
  }
}

/** For each prefix of the text, the length of its longest proper border. */
function restsOf(text: string): Uint32Array {
  const rests = new Uint32Array(text.length);
  let length = 0;
  for (let index = 1; index < text.length; index++) {
    const char = text.charCodeAt(index);
    while (length > 0 && text.charCodeAt(length) !== char) length = rests[length - 1]!;
    if (text.charCodeAt(length) === char) length++;
    rests[index] = length;
  }
  return rests;
}
