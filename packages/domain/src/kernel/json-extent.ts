/** How much one JSON text may hold. */
export interface JsonLimits {
  readonly values: number;
  /** How deep they may be nested. */
  readonly depth: number;
  /**
   * Distinct keys of objects, after the first ones, which are as many. One takes several times as long to parse as one that the
   * text has already.
   */
  readonly keys: number;
}

/** Of callers: a batch of a thousand secrets has some ten thousand values, and the same ten keys for each. */
export const OF_CALLERS: JsonLimits = { values: 50_000, depth: 100, keys: 5_000 };
/**
 * Of other systems. A page of a thousand things has some ten thousand values, a folder of thousands of secrets up to a
 * hundred thousand. That many take about 60 ms to parse and as long to check, in the worst form that was found; six megabytes
 * of values without a limit took nine seconds, most of them for the issues of a schema.
 */
export const OF_REMOTES: JsonLimits = { values: 100_000, depth: 100, keys: Infinity };
/** Of documents that are read with exact numbers, which takes four times as long: as many secrets as one holds. */
export const OF_DOCUMENTS: JsonLimits = { values: 25_000, depth: 100, keys: Infinity };

/**
 * So many digits of a number count as one more value: a number takes longer to parse by its digits, most where it lies
 * between two doubles. Integers of 64 bits and doubles have fewer.
 */
const DIGITS_PER_VALUE = 20;

/**
 * In what a JSON text exceeds some limits, found in one pass before it is parsed; `undefined` if it does not. Strings are
 * skipped, however long.
 */
export function excessOf(text: string, limits: JsonLimits): keyof JsonLimits | undefined {
  // It can neither be too deep, nor contain many values.
  if (text.length <= 2 * limits.depth) return undefined;
  const strings = new Strings(text);
  const distinct = new Set<string>();
  let [depth, values, digits, keys, start, end] = [0, 1, 0, 0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= ZERO && code <= NINE) {
      if (++digits % DIGITS_PER_VALUE === 0) values++;
    } else digits = 0;
    if (code === QUOTE) {
      start = i;
      i = end = strings.endOf(i);
    } else if (code === COMMA) values++;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      values++;
      if (++depth > limits.depth) return 'depth';
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    else if (code === COLON && ++keys > limits.keys) {
      distinct.add(text.slice(start, end));
      // A further colon has no key.
      start = end;
      if (distinct.size > limits.keys) return 'keys';
    }
    if (values > limits.values) return 'values';
  }
  return undefined;
}

const [QUOTE, BACKSLASH, COMMA, COLON, ZERO, NINE] = [0x22, 0x5c, 0x2c, 0x3a, 0x30, 0x39];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Finds the ends of strings in one pass over the text, whatever they contain. */
class Strings {
  readonly #text: string;
  /** The first backslash from the last start on. */
  #backslash = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The end of the string that begins at `start`, after those before; the end of the text if it is unterminated. */
  endOf(start: number): number {
    const text = this.#text;
    const end = indexFrom(text, '"', start + 1);
    if (this.#backslash < start) this.#backslash = indexFrom(text, '\\', start);
    if (this.#backslash > end) return end;
    for (let at = this.#backslash; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) return at;
    }
    return text.length;
  }
}

/** The end of the text if there is none. */
function indexFrom(text: string, what: string, start: number): number {
  const at = text.indexOf(what, start);
  return at === -1 ? text.length : at;
}
