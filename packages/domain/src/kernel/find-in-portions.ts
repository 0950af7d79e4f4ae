import type { EntityName, FilterQuery, FindOptions } from '@mikro-orm/core';
import type { Context } from './context.ts';
import { portionsOfRows } from './portions.ts';

interface Identified {
  id: string;
}

/**
 * Rows with long JSON, in their order: the entity manager reads each portion in one turn of the event loop, and others are let
 * through in between. The rows are not changed.
 *
 * @param size Maximum number of rows of a portion.
 */
export async function findInPortions<Row extends Identified>(
  ctx: Context,
  entity: EntityName<Row>,
  where: FilterQuery<NoInfer<Row>>,
  orderBy: NonNullable<FindOptions<Row>['orderBy']>,
  size = 20,
): Promise<Row[]> {
  const only = { disableIdentityMap: true, orderBy } as const;
  const named = await ctx.em.find(entity, where, { ...only, fields: ['id'] as never });
  const ids = named.map((row) => (row as Identified).id);
  const rows: Row[] = [];
  for (const portion of portionsOfRows(ids, size)) {
    const some = { id: { $in: portion } } as unknown as FilterQuery<NoInfer<Row>>;
    rows.push(...((await ctx.em.find(entity, some, only)) as Row[]));
  }
  return rows;
}
