import type { EntitySchema, FindOneOptions } from '@mikro-orm/core';
import type { Context } from './context.ts';
import { perKey } from './per-key.ts';
import { at } from './sql.ts';

/** The types of columns by which entities are looked up. */
const KEY_TYPES: Readonly<Record<string, string>> = { UuidType: 'uuid', TextType: 'text' };

interface Column {
  readonly name: string;
  readonly column: string;
  /** Of the library: `UuidType`, `DateTimeType`, … */
  readonly type: string;
}

function columnsOf({ meta }: Pick<EntitySchema, 'meta'>): Column[] {
  return Object.entries(meta.properties as Record<string, { fieldName?: string; type?: unknown; kind?: string }>).map(
    ([name, { fieldName, type, kind }]) => ({
      name,
      column: fieldName ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      // References are held as IDs.
      type: kind === 'm:1' ? 'UuidType' : (type as { name: string }).name,
    }),
  );
}

/**
 * A way to look up one entity by some of its properties, as it is stored: concurrent calls share the statement, and nobody
 * writes what was found. In a transaction the entity manager looks it up, with `options`.
 */
export function defineLookup<Entity extends object>(
  schema: EntitySchema<Entity>,
  by: readonly (keyof Entity & string)[],
): (ctx: Context, key: readonly string[], options?: FindOneOptions<Entity>) => Promise<Entity | undefined> {
  const columns = columnsOf(schema);
  const table = (schema.meta as { tableName: string }).tableName;
  const parts = by.map((name) => columns.find((one) => one.name === name)!);
  const statement = perKey(
    `${table}.by_${parts.map(({ column }) => column).join('_and_')}`,
    Object.fromEntries(parts.map(({ column, type }) => [column, KEY_TYPES[type]!])),
    `select ${columns.map(({ name, column }) => `t.${column} as "${name}"`).join(', ')} from ${table} t
     where ${parts.map(({ column }) => `t.${column} = w.${column}`).join(' and ')} limit 1`,
  );
  const times = columns.filter(({ type }) => type === 'DateTimeType').map(({ name }) => name);
  return async (ctx, key, options) => {
    if (ctx.outbox) {
      const where = Object.fromEntries(by.map((name, index) => [name, key[index]])) as never;
      return (await ctx.em.findOne(schema, where, options ?? {})) ?? undefined;
    }
    const row = await ctx.one<Record<string, unknown>>(statement, key);
    if (!row) return undefined;
    for (const name of times) if (row[name] !== null) row[name] = at(row[name] as string);
    return row as Entity;
  };
}
