import type { WorkAccount } from '../../jobs/index.ts';
import { statement, type Transaction } from '../../kernel/index.ts';

/** The connection of rows, as the account whose limits they share: of each kind of work, so many at a time. */
export const CONNECTION_ACCOUNT: WorkAccount = { by: 'connection_id', table: 'app_connections', most: 2 };

const REST = statement(
  'app_connection.rest',
  'update app_connections set rests_until = greatest(rests_until, $2::timestamptz) where id = $1',
);

/**
 * Lets an account rest for so many seconds, as the app has asked (`Retry-After`): meanwhile none of what uses the connection
 * begins. In a transaction that also settles work, this comes first.
 */
export async function restAccount(
  tx: Transaction,
  connectionId: string,
  retryAfter: number | undefined,
): Promise<void> {
  if (retryAfter === undefined) return;
  await tx.sql(REST, [connectionId, new Date(tx.now().getTime() + retryAfter * 1000)]);
}
