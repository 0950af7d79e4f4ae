import * as domain from '@coffer/domain';
import { namedSchemas } from '@coffer/domain';
import { z } from 'zod';

const exported: ReadonlyMap<unknown, string> = new Map(
  Object.entries(domain).flatMap(([name, value]) => (value instanceof z.ZodType ? [[value, name] as const] : [])),
);

/** What generated code calls schemas: the names under which the domain exports them, and those that they were given. */
export const schemaNames = (): ReadonlyMap<unknown, string> => new Map<unknown, string>([...exported, ...namedSchemas]);

type Described = z.core.$ZodType & { readonly _zod: { readonly parent?: z.core.$ZodType } };

/** The name of a schema; with another description it is the same one. */
export function nameIn(names: ReadonlyMap<unknown, string>, schema: z.core.$ZodType): string | undefined {
  const { parent } = (schema as Described)._zod;
  return names.get(schema) ?? (parent && nameIn(names, parent));
}
