import { z } from 'zod';

export interface SealedField {
  /** The fields of the configuration that say where this credential is sent. */
  readonly sentTo: readonly string[];
}

const sealedFields = z.registry<SealedField>();

declare const SEALED: unique symbol;
/** Tells types which schemas are of sealed fields; there is nothing of it at run time. */
export interface Sealed {
  readonly [SEALED]: true;
}

/**
 * A field of a configuration that is stored sealed and, where the family says so, never shown. Goes outermost, round
 * `.default()`. Where it is a credential that Coffer sends somewhere, `sentTo` names the fields that say where: who
 * changes one of those has to give the credential again, so that nobody turns it to a host of his own.
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
