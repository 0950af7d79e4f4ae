import { TemplateError } from '../error.ts';
import { alsoAsMust, any, fn, items, size, variadic, type Functions } from '../functions.ts';
import { isEqual, isTrue, type Value } from '../value.ts';

const hasOne = (list: readonly Value[], one: Value): boolean => list.some((other) => isEqual(other, one));
const uniq = (list: readonly Value[]): Value[] =>
  list.reduce<Value[]>((kept, one) => (hasOne(kept, one) ? kept : [...kept, one]), []);

function chunks(length: number, list: readonly Value[]): Value[][] {
  if (length < 1) throw new TemplateError('a part has at least one entry');
  return Array.from({ length: Math.ceil(list.length / length) }, (_, at) => list.slice(at * length, (at + 1) * length));
}

/** @see https://masterminds.github.io/sprig/lists.html */
const named: Functions = {
  first: fn([items], (list) => list[0]),
  last: fn([items], (list) => list.at(-1)),
  rest: fn([items], (list) => list.slice(1)),
  initial: fn([items], (list) => list.slice(0, -1)),
  append: fn([items, any], (list, one) => [...list, one]),
  prepend: fn([items, any], (list, one) => [one, ...list]),
  reverse: fn([items], (list) => list.toReversed()),
  uniq: fn([items], uniq),
  compact: fn([items], (list) => list.filter(isTrue)),
  without: variadic([items], any, ([list], left) => list.filter((one) => !hasOne(left, one))),
  has: fn([any, items], (one, list) => hasOne(list, one)),
  chunk: fn([size, items], chunks),
};

export const lists: Functions = {
  list: variadic([], any, (_none, values) => values),
  tuple: variadic([], any, (_none, values) => values),
  concat: variadic([], items, (_none, all) => all.flat()),
  ...alsoAsMust(named),
};
