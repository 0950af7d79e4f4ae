import type { Context } from './context.ts';

/**
 * Reads rows that show how often, or when, they were used: exactly as far as this process knows. Uses that are not written
 * yet are written first, if they are of one of these rows.
 */
export async function withUses<Row extends { readonly id: string }>(
  ctx: Context,
  read: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const isUnwritten = ctx.usage.unwritten();
  const rows = await read();
  if (!rows.some(({ id }) => isUnwritten(id))) return rows;
  await ctx.usage.flush();
  return read();
}
