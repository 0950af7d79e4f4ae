import { plain } from '../format.ts';
import { any, fn, items, number, size, text, variadic, type Functions } from '../functions.ts';
import { quote } from '../quote.ts';
import type { Value } from '../value.ts';

/** As sprig writes a value of any type. */
export const written = (value: Value): string => (value === null || value === undefined ? '' : plain(value));

const isThere = (value: Value): boolean => value !== null && value !== undefined;
const title = (from: string): string => from.replaceAll(/(^|[^\p{L}\p{N}_'])(\p{L})/gu, (all) => all.toUpperCase());
const indent = (width: number, from: string): string => {
  const blanks = ' '.repeat(Math.max(width, 0));
  return blanks + from.replaceAll('\n', `\n${blanks}`);
};
/** The words of a name in any of the usual spellings. */
const words = (from: string): string[] =>
  from.match(/\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?\p{Ll}+\p{N}*|\p{N}+|\p{L}+/gu) ?? [];

function trimOf(cut: string, from: string): string {
  const chars = Array.from(from);
  let [start, end] = [0, chars.length];
  while (start < end && cut.includes(chars[start]!)) start++;
  while (end > start && cut.includes(chars[end - 1]!)) end--;
  return chars.slice(start, end).join('');
}

function wrap(width: number, separator: string, from: string): string {
  const lines: string[] = [];
  for (const line of from.split('\n')) {
    let filled = '';
    for (const word of line.split(' ')) {
      if (filled && filled.length + 1 + word.length > width) {
        lines.push(filled);
        filled = word;
      } else filled = filled ? `${filled} ${word}` : word;
    }
    lines.push(filled);
  }
  return lines.join(separator);
}

/** @see https://masterminds.github.io/sprig/strings.html */
export const strings: Functions = {
  trim: fn([text], (from) => from.trim()),
  trimAll: fn([text, text], trimOf),
  trimSuffix: fn([text, text], (end, from) => (end && from.endsWith(end) ? from.slice(0, -end.length) : from)),
  trimPrefix: fn([text, text], (start, from) => (from.startsWith(start) ? from.slice(start.length) : from)),
  upper: fn([text], (from) => from.toUpperCase()),
  lower: fn([text], (from) => from.toLowerCase()),
  title: fn([text], title),
  untitle: fn([text], (from) => from.replaceAll(/(^|[^\p{L}\p{N}_'])(\p{L})/gu, (all) => all.toLowerCase())),
  repeat: fn([size, text], (times, from) => from.repeat(Math.max(times, 0))),
  substr: fn([number, number, text], (start, end, from) => {
    const bytes = Buffer.from(from);
    if (start < 0) return bytes.subarray(0, Math.max(end, 0)).toString();
    return bytes.subarray(start, end < 0 ? undefined : end).toString();
  }),
  nospace: fn([text], (from) => from.replaceAll(/\s/g, '')),
  trunc: fn([number, text], (length, from) => {
    const bytes = Buffer.from(from);
    return (length < 0 ? bytes.subarray(Math.max(bytes.length + length, 0)) : bytes.subarray(0, length)).toString();
  }),
  abbrev: fn([number, text], (width, from) =>
    width < 4 || from.length <= width ? from : `${from.slice(0, width - 3)}...`,
  ),
  initials: fn([text], (from) =>
    from
      .split(/\s+/)
      .map((word) => Array.from(word)[0] ?? '')
      .join(''),
  ),
  wrap: fn([number, text], (width, from) => wrap(width, '\n', from)),
  wrapWith: fn([number, text, text], wrap),
  contains: fn([text, text], (part, from) => from.includes(part)),
  hasPrefix: fn([text, text], (start, from) => from.startsWith(start)),
  hasSuffix: fn([text, text], (end, from) => from.endsWith(end)),
  quote: variadic([], any, (_none, values) =>
    values
      .filter(isThere)
      .map((one) => quote(written(one)))
      .join(' '),
  ),
  squote: variadic([], any, (_none, values) =>
    values
      .filter(isThere)
      .map((one) => `'${written(one)}'`)
      .join(' '),
  ),
  cat: variadic([], any, (_none, values) => values.filter(isThere).map(written).join(' ')),
  indent: fn([size, text], indent),
  nindent: fn([size, text], (width, from) => `\n${indent(width, from)}`),
  replace: fn([text, text, text], (old, by, from) => from.split(old).join(by)),
  plural: fn([text, text, number], (one, many, count) => (count === 1 ? one : many)),
  swapcase: fn([text], (from) =>
    Array.from(from, (char) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())).join(''),
  ),
  snakecase: fn([text], (from) => words(from).join('_').toLowerCase()),
  kebabcase: fn([text], (from) => words(from).join('-').toLowerCase()),
  camelcase: fn([text], (from) =>
    words(from)
      .map((word) => title(word.toLowerCase()))
      .join(''),
  ),
  toString: fn([any], written),
  join: fn([text, any], (separator, list) => listOf(list).map(written).join(separator)),
  split: fn([text, text], (separator, from) => numbered(from.split(separator))),
  splitn: fn([text, number, text], (separator, most, from) => numbered(splitAtMost(from, separator, most))),
  splitList: fn([text, text], (separator, from) => from.split(separator)),
  toStrings: fn([items], (list) => list.map(written)),
  sortAlpha: fn([any], (list) =>
    listOf(list)
      .map(written)
      .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
  ),
};

/** A single value is a list of one. */
const listOf = (value: Value): readonly Value[] =>
  Array.isArray(value) ? (value as readonly Value[]).filter(isThere) : isThere(value) ? [value] : [];

/** A map with the parts as `_0`, `_1`, … */
const numbered = (parts: readonly string[]): Value => new Map(parts.map((part, index) => [`_${index}`, part] as const));

function splitAtMost(from: string, separator: string, most: number): string[] {
  const parts = from.split(separator);
  return most > 0 && parts.length > most ? [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)] : parts;
}
