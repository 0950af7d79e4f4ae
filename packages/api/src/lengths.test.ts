import { expect, it } from 'vitest';
import type { z } from 'zod';
import { proceduresOf } from './kernel/index.ts';
import { appRouter } from './router.ts';
import { partsOf, type Schema } from './testing/schema-parts.ts';

const LENGTHS = new Set(['max_length', 'length_equals']);

/** Texts whose processing cost is not bounded before their length was checked. */
function unbounded(schema: Schema, path: string, seen: Set<Schema>): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { def } = schema._zod;
  const checks = (def.checks ?? []).map((check) => check._zod.def as z.core.$ZodCheckDef & { abort?: boolean });
  const own = checks.findIndex(({ check }) => check === 'custom');
  const length = checks.findIndex(({ check, abort }) => LENGTHS.has(check) && abort);
  const isUnbounded = def.type === 'string' && own >= 0 && (length < 0 || length > own);
  return [
    ...(isUnbounded ? [path] : []),
    ...partsOf(schema).flatMap(([name, part]) => unbounded(part, name ? `${path}.${name}` : path, seen)),
  ];
}

// zod continues with the next check of a text after a failed one, unless that aborts. Inputs are parsed before
// permissions are checked.
it('no check of our own sees a text that is too long', () => {
  const seen = new Set<Schema>();
  const found = proceduresOf(appRouter).flatMap(
    ([
      path,
      {
        _def: { inputs = [] },
      },
    ]) => inputs.flatMap((input) => unbounded(input as unknown as Schema, path, seen)),
  );
  expect(seen.size).toBeGreaterThan(2000);
  expect(found).toEqual([]);
});
