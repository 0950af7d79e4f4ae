import { statement, type Transaction } from '../../kernel/index.ts';

const STORE = statement(
  'app_connection.store_password',
  `update app_connections set credentials = $2, next_credentials = null, credentials_version = credentials_version + 1,
     updated_at = $3
   where id = $1`,
);

/** Stores sealed credentials with another password, which was the next one until now. */
export const storePassword = async (tx: Transaction, connectionId: string, credentials: Uint8Array): Promise<void> => {
  await tx.sql(STORE, [connectionId, credentials, tx.now()]);
};
