import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { badRequest } from '../kernel/index.ts';
import type { SealedField } from './sealed-field.ts';

/** What some family's members are told by their owners: where to connect, as whom, with which credential. */
export type Configuration = Record<string, unknown>;

/** What the fields of a shape are where nobody said anything: rows of earlier releases lack those that came later. */
export const defaultsOf = (shape: z.ZodRawShape): Configuration =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const missing = z.safeParse(schema, undefined);
      return missing.success ? [[name, missing.data]] : [];
    }),
  );

/**
 * A stored credential goes nowhere but where it was given for.
 *
 * @throws DomainError 400 with this code where a change names a new target for a credential that is stored, and not the
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

/** A configuration as it is after a change. @throws as `requireCredentials`. */
export function mergeConfiguration<Fields extends object>(
  fields: ReadonlyMap<string, SealedField>,
  before: Fields,
  changes: Partial<Fields>,
  code: string,
): Fields {
  requireCredentials(fields, before, changes, code);
  return { ...before, ...changes };
}
