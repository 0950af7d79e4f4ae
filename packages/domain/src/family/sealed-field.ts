import { z } from 'zod';

export interface SealedField {
  /** The fields of the configuration that determine where this credential is sent. */
  readonly sentTo: readonly string[];
}

const sealedFields = z.registry<SealedField>();

declare const SEALED: unique symbol;
/** Marks schemas of sealed fields in types; it does not exist at run time. */
export interface Sealed {
  readonly [SEALED]: true;
}

/**
 * A configuration field that is stored sealed and, if the family says so, never returned. Must be the outermost
 * wrapper, around `.default()`. For a credential that Coffer sends to a remote, `sentTo` names the fields of the
 * target: an update of one requires the credential again, so that nobody can redirect it to their own host.
 */
export function sealed<Schema extends z.ZodType>(
  schema: Schema,
  { sentTo = [] }: Partial<SealedField> = {},
): Schema & Sealed {
  const own = schema.clone();
  sealedFields.add(own, { sentTo });
  return own as Schema & Sealed;
}

export const sealedFieldsOf = (shape: z.ZodRawShape): ReadonlyMap<string, SealedField> =>
  new Map(
    Object.entries(shape).flatMap(([name, schema]) => {
      const field = sealedFields.get(schema as z.ZodType);
      return field ? [[name, field] as const] : [];
    }),
  );

/** Whether a schema is that of a sealed field. */
export const isSealedField = (schema: unknown): boolean => sealedFields.get(schema as z.ZodType) !== undefined;
