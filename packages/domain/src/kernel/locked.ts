import type { Transaction } from './context.ts';
import type { Statement } from './sql.ts';

/**
 * Rows that are locked, with what is joined to them. `lock` locks the rows alone, and `read` reads them afterwards, with the
 * same values: a statement that does both overlooks rows that refer to something else since they were changed at that moment.
 */
export async function lockedRows<Row extends object>(
  tx: Transaction,
  lock: Statement,
  read: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  // In one packet, in this order.
  const [, rows] = await Promise.all([tx.sql(lock, values), tx.sql<Row>(read, values)]);
  return rows;
}

/** The same of one row. */
export const lockedRow = async <Row extends object>(
  ...given: Parameters<typeof lockedRows>
): Promise<Row | undefined> => (await lockedRows<Row>(...given))[0];
