import { TemplateError } from './error.ts';
import { plain, print, printf } from './format.ts';
import { any, fn, number, text, variadic, type Functions, type TemplateFunction } from './functions.ts';
import { isEqual, isList, isMap, isTrue, Struct, typeOf, type Value } from './value.ts';

type Comparison = (order: number) => boolean;

/** `and` and `or` are also in the evaluator: they do not evaluate what no longer matters. */
export const builtins: Functions = {
  and: variadic([any], any, ([first], rest) => [first, ...rest].find((one) => !isTrue(one)) ?? [first, ...rest].at(-1)),
  or: variadic([any], any, ([first], rest) => [first, ...rest].find(isTrue) ?? [first, ...rest].at(-1)),
  not: fn([any], (value) => !isTrue(value)),
  len: fn([any], lengthOf),
  index: variadic([any], any, ([value], keys) => keys.reduce<Value>(entryOf, value)),
  slice: variadic([any], number, ([value], [from = 0, to, ...more]) => {
    if (more.length) throw new TemplateError('takes at most two indexes');
    return sliceOf(value, from, to);
  }),
  print: variadic([], any, (_none, values) => print(values)),
  println: variadic([], any, (_none, values) => `${values.map((one) => plain(one)).join(' ')}\n`),
  printf: variadic([text], any, ([format], values) => printf(format, values)),
  html: variadic([], any, (_none, values) => print(values).replaceAll(/[&<>"'\0]/g, (char) => HTML[char]!)),
  js: variadic([], any, (_none, values) => print(values).replaceAll(/[\\'"<>&=\n\r\t\0]/g, (char) => JS[char]!)),
  urlquery: variadic([], any, (_none, values) =>
    encodeURIComponent(print(values))
      .replaceAll(/[!'()*]/g, (char) => `%${char.codePointAt(0)!.toString(16).toUpperCase()}`)
      .replaceAll('%20', '+'),
  ),
  eq: variadic([any, any], any, ([first, second], rest) => [second, ...rest].some((other) => equals(first, other))),
  ne: fn([any, any], (a, b) => !equals(a, b)),
  lt: ordering((order) => order < 0),
  le: ordering((order) => order <= 0),
  gt: ordering((order) => order > 0),
  ge: ordering((order) => order >= 0),
};

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
  '\0': '\uFFFD',
};
const JS: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
  '\n': '\\u000A',
  '\r': '\\u000D',
  '\t': '\\u0009',
  '\0': '\\u0000',
};

/** Lengths of texts are in bytes. */
function lengthOf(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (isList(value)) return value.length;
  if (isMap(value)) return value.size;
  throw new TemplateError(`${typeOf(value)} has no length`);
}

function entryOf(value: Value, key: Value): Value {
  if (isMap(value)) {
    if (typeof key === 'string') return value.get(key);
    throw new TemplateError(`the key of a map is a string, not ${typeOf(key)}`);
  }
  if (typeof value !== 'string' && !isList(value)) throw new TemplateError(`${typeOf(value)} has no entries`);
  const list: readonly Value[] = typeof value === 'string' ? [...Buffer.from(value)] : value;
  if (typeof key !== 'number' || !Number.isInteger(key)) throw new TemplateError('an index is a whole number');
  if (key < 0 || key >= list.length) throw new TemplateError(`the index ${key} is outside of ${list.length} entries`);
  return list[key];
}

function sliceOf(value: Value, from: number, to: number | undefined): Value {
  if (typeof value !== 'string' && !isList(value)) throw new TemplateError(`${typeOf(value)} has no parts`);
  const all = typeof value === 'string' ? Buffer.from(value) : value;
  const end = to ?? all.length;
  if (from < 0 || end < from || end > all.length)
    throw new TemplateError(`the part ${from} to ${end} is outside of ${all.length} entries`);
  return typeof value === 'string' ? Buffer.from(value).subarray(from, end).toString() : value.slice(from, end);
}

/** @throws TemplateError for values of different types. */
function equals(a: Value, b: Value): boolean {
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null);
  if (a instanceof Struct || b instanceof Struct || typeof a !== typeof b)
    throw new TemplateError(`${typeOf(a)} and ${typeOf(b)} cannot be compared`);
  return isEqual(a, b);
}

function ordering(holds: Comparison): TemplateFunction {
  return fn([any, any], (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return holds(a - b);
    if (typeof a === 'string' && typeof b === 'string') return holds(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    throw new TemplateError(`${typeOf(a)} and ${typeOf(b)} have no order`);
  });
}
