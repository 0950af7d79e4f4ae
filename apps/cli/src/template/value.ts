import { TemplateError } from './error.ts';

/** A value with fields of its own: what has no such field is an error, where a map has no value. */
export class Struct {
  /** For messages. */
  readonly type: string;
  readonly fields: Readonly<Record<string, Value>>;

  constructor(type: string, fields: Readonly<Record<string, Value>>) {
    this.type = type;
    this.fields = fields;
  }
}

/** A value of a template. `undefined` is what Go prints as `<no value>`: the entry that a map does not have. */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | Date
  | Struct
  | readonly Value[]
  | ReadonlyMap<string, Value>;

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isMap = (value: Value): value is ReadonlyMap<string, Value> => value instanceof Map;

/** The name of its type, as Go has it. */
export function typeOf(value: Value): string {
  if (value === null || value === undefined) return 'nil';
  if (value instanceof Struct) return value.type;
  if (value instanceof Date) return 'time.Time';
  if (isList(value)) return '[]interface {}';
  if (isMap(value)) return 'map[string]interface {}';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return Number.isInteger(value) ? 'int' : 'float64';
}

/** Whether `if` takes it as true: what is neither zero nor empty. */
export function isTrue(value: Value): boolean {
  if (isList(value)) return value.length > 0;
  if (isMap(value)) return value.size > 0;
  return value instanceof Struct || value instanceof Date || Boolean(value);
}

/** The entries of a map in the order of their names, as range and print take them. */
export const sortedEntries = (map: ReadonlyMap<string, Value>): [string, Value][] =>
  [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));

/** What JSON holds, as values of a template. */
export function fromJson(json: unknown): Value {
  if (Array.isArray(json)) return json.map(fromJson);
  if (typeof json === 'object' && json !== null)
    return new Map(Object.entries(json).map(([name, value]) => [name, fromJson(value)]));
  return json as Value;
}

/** The reverse of it. */
export function toJson(value: Value): unknown {
  if (isList(value)) return value.map(toJson);
  if (isMap(value)) return Object.fromEntries(sortedEntries(value).map(([name, one]) => [name, toJson(one)]));
  if (value instanceof Struct)
    return Object.fromEntries(Object.entries(value.fields).map(([name, one]) => [name, toJson(one)]));
  return value === undefined ? null : value;
}

export function isEqual(a: Value, b: Value): boolean {
  if (isList(a) && isList(b)) return a.length === b.length && a.every((one, index) => isEqual(one, b[index]));
  if (isMap(a) && isMap(b))
    return a.size === b.size && [...a].every(([name, one]) => b.has(name) && isEqual(one, b.get(name)));
  if (a instanceof Struct && b instanceof Struct) {
    const names = Object.keys(a.fields);
    return (
      names.length === Object.keys(b.fields).length && names.every((name) => isEqual(a.fields[name], b.fields[name]))
    );
  }
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  return a === b;
}

/** The entry of a map, or the field of a struct. @throws TemplateError for what has neither. */
export function fieldOf(value: Value, name: string): Value {
  if (isMap(value)) return value.get(name);
  if (value === null || value === undefined) throw new TemplateError(`.${name} is asked of nothing`);
  if (value instanceof Struct && Object.hasOwn(value.fields, name)) return value.fields[name];
  throw new TemplateError(`there is no field ${name} in ${typeOf(value)}`);
}
