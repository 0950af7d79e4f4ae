import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { badRequest } from '../kernel/index.ts';
import type { SealedField } from './sealed-field.ts';

/** Configuration fields of members: where to connect, as whom, with which credential. */
export type Configuration = Record<string, unknown>;

/** The defaults of a schema: rows of earlier releases lack newer fields. */
export const defaultsOf = (shape: z.ZodRawShape): Configuration =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const missing = z.safeParse(schema, undefined);
      return missing.success ? [[name, missing.data]] : [];
    }),
  );

/** A schema of updates has no defaults, also within objects: omitted fields stay unchanged. */
export function withoutDefault(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return withoutDefault(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodObject ? changedFields(schema) : schema;
}

/** An update of some fields: omitted ones stay unchanged, and null removes one. */
export const changedFields = ({ shape }: z.ZodObject): z.ZodObject =>
  z.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, schema]) => [name, withoutDefault(schema as z.ZodType).nullish()] as const),
    ),
  );

/** The values after such an update. Those within an object are changed one by one as well. */
export const withChanges = (before: object, given: object = {}): Configuration => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, isFields(value) ? withChanges(fieldsIn(before, name), value) : (value ?? undefined)]],
    ),
  ),
});

const isFields = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsIn = (values: object, name: string): object => {
  const value = (values as Configuration)[name];
  return isFields(value) ? value : {};
};

/**
 * A stored credential is bound to its target.
 *
 * @throws DomainError 400 with this code if an update changes the target of a stored credential without giving the
 * credential.
 */
export function requireCredentials<Fields extends object>(
  fields: ReadonlyMap<string, SealedField>,
  before: Fields,
  changes: Partial<Fields>,
  code: string,
): void {
  const [then, now]: Configuration[] = [{ ...before }, { ...changes }];
  const isChanged = (name: string) => name in changes && !isDeepStrictEqual(now![name], then![name]);
  for (const [name, { sentTo }] of fields) {
    const target = then![name] ? sentTo.find(isChanged) : undefined;
    if (target === undefined || name in changes) continue;
    throw badRequest(code, `Send ${name} again: it would be sent to the new ${target}`);
  }
}

/**
 * A configuration after an update.
 *
 * @throws as `requireCredentials`.
 */
export function mergeConfiguration<Fields extends object>(
  fields: ReadonlyMap<string, SealedField>,
  before: Fields,
  changes: Partial<Fields>,
  code: string,
): Fields {
  requireCredentials(fields, before, changes, code);
  return { ...before, ...changes };
}
