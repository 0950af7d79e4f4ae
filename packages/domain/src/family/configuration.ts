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
