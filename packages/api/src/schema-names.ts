import * as domain from '@coffer/domain';
import { z } from 'zod';

/** The schemas that the domain exports, with the names under which it does: what generated code calls them. */
export const schemaNames: ReadonlyMap<unknown, string> = new Map(
  Object.entries(domain).flatMap(([name, value]) => (value instanceof z.ZodType ? [[value, name] as const] : [])),
);
