import { TemplateError } from '../error.ts';
import { any, dict, fn, text, variadic, type Functions } from '../functions.ts';
import { isList, isMap, type Value } from '../value.ts';
import { written } from './strings.ts';

type Dict = ReadonlyMap<string, Value>;

function pairs(values: readonly Value[]): Dict {
  const made = new Map<string, Value>();
  for (let at = 0; at < values.length; at += 2) made.set(written(values[at]), values[at + 1] ?? '');
  return made;
}

/** Fills in what the first has not, in depth; with `wins` what it has is replaced. */
function merge(into: Dict, from: Dict, wins: boolean): Dict {
  const merged = new Map(into);
  for (const [name, value] of from) {
    const own = merged.get(name);
    if (isMap(own) && isMap(value)) merged.set(name, merge(own, value, wins));
    else if (wins || !merged.has(name)) merged.set(name, value);
  }
  return merged;
}

const copyOf = (value: Value): Value => {
  if (isMap(value)) return new Map([...value].map(([name, one]) => [name, copyOf(one)] as const));
  return isList(value) ? value.map(copyOf) : value;
};

/** `dig "a" "b" default map`: the entry at a path. */
function dig(values: readonly Value[]): Value {
  const [from, otherwise, ...path] = values.toReversed();
  let at: Value = from;
  for (const name of path.toReversed()) {
    if (!isMap(at)) throw new TemplateError('dig goes through maps only');
    if (!at.has(written(name))) return otherwise;
    at = at.get(written(name));
  }
  return at;
}

/** `set` and `unset` change the map itself, as sprig's do. */
const changed = (map: Dict, change: (map: Map<string, Value>) => void): Dict => {
  change(map as Map<string, Value>);
  return map;
};

/** @see https://masterminds.github.io/sprig/dicts.html */
export const dicts: Functions = {
  dict: variadic([], any, (_none, values) => pairs(values)),
  get: fn([dict, text], (map, name) => (map.has(name) ? map.get(name) : '')),
  set: fn([dict, text, any], (map, name, value) => changed(map, (own) => own.set(name, value))),
  unset: fn([dict, text], (map, name) => changed(map, (own) => own.delete(name))),
  hasKey: fn([dict, text], (map, name) => map.has(name)),
  pluck: variadic([text], dict, ([name], maps) => maps.filter((map) => map.has(name)).map((map) => map.get(name))),
  dig: variadic([text], any, ([first], rest) => dig([first, ...rest])),
  keys: variadic([dict], dict, ([first], rest) => [first, ...rest].flatMap((map) => [...map.keys()]).toSorted()),
  values: fn([dict], (map) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)),
  pick: variadic([dict], text, ([map], names) => new Map([...map].filter(([name]) => names.includes(name)))),
  omit: variadic([dict], text, ([map], names) => new Map([...map].filter(([name]) => !names.includes(name)))),
  merge: variadic([dict], dict, ([first], rest) => rest.reduce((all, one) => merge(all, one, false), first)),
  mergeOverwrite: variadic([dict], dict, ([first], rest) => rest.reduce((all, one) => merge(all, one, true), first)),
  deepCopy: fn([any], copyOf),
};
