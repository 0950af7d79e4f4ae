import { organizationOf } from '../../access/index.ts';
import { portionsOf, statement, type Context } from '../../kernel/index.ts';
import type { ListedRow, SecretRow } from './row.ts';

const VALUES = statement(
  'secret.list_values',
  'select id, version, value from secrets where organization_id = $1 and id = any($2::uuid[])',
);

/** Reads absent values, in portions: others use the connection in between. Answers false if one of them has changed since its row was read. */
export async function readValues(ctx: Context, rows: readonly ListedRow[]): Promise<boolean> {
  const absent = [...new Set(rows)].filter((row) => row.value === null);
  for (const portion of portionsOf(absent, (row) => row.valueBytes)) {
    const ids = portion.map(({ id }) => id);
    const found = await ctx.sql<Pick<SecretRow, 'id' | 'version' | 'value'>>(VALUES, [organizationOf(ctx), ids]);
    const byId = new Map(found.map((row) => [row.id, row]));
    for (const row of portion) {
      const stored = byId.get(row.id);
      if (stored?.version !== row.version) return false;
      row.value = stored.value;
    }
  }
  return true;
}
