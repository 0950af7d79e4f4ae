import { TemplateError } from './error.ts';
import { isList, isMap, typeOf, type Value } from './value.ts';

/** A function of templates. */
export type TemplateFunction = (args: readonly Value[]) => Value | Promise<Value>;
export type Functions = Readonly<Record<string, TemplateFunction>>;

/** Reads an argument. @throws TemplateError for another type. */
export type Parameter<One> = (value: Value) => One;

const expected =
  <One extends Value>(name: string, is: (value: Value) => value is One): Parameter<One> =>
  (value) => {
    if (is(value)) return value;
    throw new TemplateError(`expected ${name}, found ${typeOf(value)}`);
  };

export const text = expected('string', (value): value is string => typeof value === 'string');
export const number = expected('number', (value): value is number => typeof value === 'number');
export const bool = expected('bool', (value): value is boolean => typeof value === 'boolean');
export const items = expected('list', isList);
export const dict = expected('map', isMap);
export const any: Parameter<Value> = (value) => value;
/** A whole number that a list or text can be as long as. */
export const size: Parameter<number> = (value) => {
  const read = number(value);
  if (!Number.isInteger(read) || Math.abs(read) > 1_000_000)
    throw new TemplateError('expected a whole number of at most a million');
  return read;
};

type Read<Parameters extends readonly Parameter<unknown>[]> = {
  -readonly [At in keyof Parameters]: Parameters[At] extends Parameter<infer One> ? One : never;
};

/** A function with these parameters. */
export const fn =
  <const Parameters extends readonly Parameter<unknown>[]>(
    parameters: Parameters,
    body: (...args: Read<Parameters>) => Value | Promise<Value>,
  ): TemplateFunction =>
  (args) => {
    if (args.length !== parameters.length)
      throw new TemplateError(
        `takes ${parameters.length} argument${parameters.length === 1 ? '' : 's'}, not ${args.length}`,
      );
    return body(...(parameters.map((read, index) => read(args[index])) as Read<Parameters>));
  };

/** A function with these parameters, and any number of further ones. */
export const variadic =
  <const Parameters extends readonly Parameter<unknown>[], Rest>(
    parameters: Parameters,
    rest: Parameter<Rest>,
    body: (first: Read<Parameters>, rest: Rest[]) => Value | Promise<Value>,
  ): TemplateFunction =>
  (args) => {
    if (args.length < parameters.length)
      throw new TemplateError(`takes at least ${parameters.length} arguments, not ${args.length}`);
    const first = parameters.map((read, index) => read(args[index])) as Read<Parameters>;
    return body(first, args.slice(parameters.length).map(rest));
  };

/** Functions under their names, and under `must…`: sprig has both, and here both fail in the same way. */
export const alsoAsMust = (functions: Functions): Functions => ({
  ...functions,
  ...Object.fromEntries(
    Object.entries(functions).map(([name, one]) => [`must${name[0]!.toUpperCase()}${name.slice(1)}`, one]),
  ),
});
