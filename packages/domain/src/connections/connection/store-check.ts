import { statement, type Transaction } from '../../kernel/index.ts';

const STORE = statement(
  'app_connection.store_check',
  'update app_connections set checked_at = $2, check_error = $3 where id = $1',
);

/** Stores the outcome of a check: what the app answered, if it did not accept the credentials. No change otherwise. */
export const storeCheck = async (tx: Transaction, connectionId: string, error: string | null): Promise<void> => {
  await tx.sql(STORE, [connectionId, tx.now(), error]);
};
