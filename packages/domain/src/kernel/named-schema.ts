import type { z } from 'zod';

const names = new Map<z.ZodType, string>();

/**
 * Names a schema that is not exported by the domain under that name: it is made for each member of a family, or is the
 * published form of something. Generated code calls its type so.
 */
export function schemaNamed<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  names.set(schema, name);
  return schema;
}

/** All schemas that have got a name. */
export const namedSchemas: ReadonlyMap<z.ZodType, string> = names;

/** A kebab-case name as a part of the name of a type: `aws-parameter-store` is `AwsParameterStore`. */
export const inTypeName = (name: string): string =>
  name.replaceAll(/(?:^|[-_])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
