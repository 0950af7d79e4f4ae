import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';

/** From this length on, an array of a response is validated and serialized in several turns of the event loop. */
const LONG = 1_000;
/** Elements per turn. */
const AT_ONCE = 250;

/** An array that was taken out of a value, and its location. */
interface LeftOut {
  readonly path: readonly (string | number)[];
  readonly element: z.ZodType;
  readonly values: readonly unknown[];
}

/**
 * Validates a response as `safeParse` does, long arrays in several turns of the event loop: callers control the number
 * of rows. Arrays inside long arrays do not yield again.
 */
export async function safeParseInTurns(schema: z.ZodType, value: unknown): Promise<z.ZodSafeParseResult<unknown>> {
  const leftOut: LeftOut[] = [];
  const result = schema.safeParse(withoutLong(schema, value, [], leftOut));
  if (!result.success) return result;
  for (const { path, element, values } of leftOut) {
    const read: unknown[] = [];
    for (let from = 0; from < values.length; from += AT_ONCE) {
      for (const one of values.slice(from, from + AT_ONCE)) {
        const { success, data, error } = element.safeParse(one);
        if (!success) return { success, error };
        read.push(data);
      }
      await setImmediate();
    }
    const holder = path
      .slice(0, -1)
      .reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], result.data);
    (holder as Record<string | number, unknown>)[path.at(-1)!] = read;
  }
  return result;
}

/** Whether a value contains a long array. */
export function hasLong(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (Array.isArray(value)) {
    if (value.length > LONG) return true;
    for (const one of value) if (typeof one === 'object' && hasLong(one)) return true;
    return false;
  }
  for (const key in value) {
    const one = (value as Record<string, unknown>)[key];
    if (typeof one === 'object' && hasLong(one)) return true;
  }
  return false;
}

/** The JSON of a value, with long arrays serialized in several turns. */
export async function jsonInTurns(value: unknown): Promise<string> {
  const parts: string[] = [];
  await write(value, parts);
  return parts.join('');
}

async function write(value: unknown, parts: string[]): Promise<void> {
  if (!hasLong(value) || typeof (value as { toJSON?: unknown }).toJSON === 'function') {
    parts.push(JSON.stringify(value) ?? 'null');
    return;
  }
  if (Array.isArray(value)) {
    parts.push('[');
    if (value.length <= LONG)
      for (const [index, one] of value.entries()) {
        if (index > 0) parts.push(',');
        await write(one ?? null, parts);
      }
    else
      for (let from = 0; from < value.length; from += AT_ONCE) {
        const some: unknown[] = value.slice(from, from + AT_ONCE);
        if (from > 0) parts.push(',');
        parts.push(JSON.stringify(some).slice(1, -1));
        await setImmediate();
      }
    parts.push(']');
    return;
  }
  let separator = '{';
  for (const [key, one] of Object.entries(value as object)) {
    if (one === undefined || typeof one === 'function' || typeof one === 'symbol') continue;
    parts.push(separator, JSON.stringify(key), ':');
    await write(one, parts);
    separator = ',';
  }
  parts.push(separator === '{' ? '{}' : '}');
}

/** The value with empty arrays in place of long ones, if the schema has only a schema of elements for them. */
function withoutLong(
  schema: z.ZodType,
  value: unknown,
  path: readonly (string | number)[],
  leftOut: LeftOut[],
): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return withoutLong(schema.unwrap() as z.ZodType, value, path, leftOut);
  if ((schema.def.checks?.length ?? 0) > 0) return value;
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const element = schema.element as z.ZodType;
    if (value.length <= LONG) return value.map((one, index) => withoutLong(element, one, [...path, index], leftOut));
    if (path.length === 0) return value;
    leftOut.push({ path, element, values: value });
    return [];
  }
  const partOf =
    schema instanceof z.ZodObject
      ? (key: string) =>
          Object.hasOwn(schema.shape, key) ? (schema.shape as Record<string, z.ZodType>)[key] : undefined
      : schema instanceof z.ZodRecord
        ? () => schema.valueType as z.ZodType
        : undefined;
  if (!partOf || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const part = partOf(key);
      return [key, part ? withoutLong(part, one, [...path, key], leftOut) : one];
    }),
  );
}
