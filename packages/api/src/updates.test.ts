import { expect, it } from 'vitest';
import type { z } from 'zod';
import { inputFields, operationsOf } from './kernel/index.ts';
import { appRouter } from './router.ts';
import { partsOf, type Schema } from './testing/schema-parts.ts';

const DEFAULTS: ReadonlySet<string> = new Set(['default', 'prefault', 'catch']);
/** They say what is changed, and how. */
const SELECTING: ReadonlySet<string> = new Set(['path', 'secretPath', 'type', 'mode']);

const hasId = (schema: Schema): boolean =>
  partsOf(schema).some(([name, part]) => name === 'id' || (!name && hasId(part)));

/** Lists are replaced as a whole, unless the ID of an existing item updates that; objects where they say so. */
function isReplaced(schema: Schema): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'array' ? !hasId(def.element) : /^Replaces? /.test((schema as z.ZodType).description ?? '');
}

/** Where a schema adds what its caller did not send. */
const defaulted = (schema: Schema, path: string): string[] =>
  isReplaced(schema)
    ? []
    : [
        ...(DEFAULTS.has(schema._zod.def.type) ? [path] : []),
        ...partsOf(schema).flatMap(([name, part]) => defaulted(part, name ? `${path}.${name}` : path)),
      ];

it('no update sets a field that its caller did not send', () => {
  const updates = operationsOf(appRouter).filter(({ method, alias }) => method === 'PATCH' && alias === 0);
  const found = updates.flatMap(({ url, procedure }) =>
    Object.entries(inputFields(procedure)).flatMap(([name, schema]) =>
      SELECTING.has(name) ? [] : defaulted(schema, `${url} ${name}`),
    ),
  );
  expect(updates.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
