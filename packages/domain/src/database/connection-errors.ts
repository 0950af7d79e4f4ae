import type { Pool } from 'pg';
import { markDatabaseConnectionError } from '../kernel/index.ts';

type Receive = (error: Error | undefined, ...connection: unknown[]) => void;

/** From now on, errors of the connections of a pool can be told from those of others (`isDatabaseConnectionError`). */
export function markConnectionErrors<Marked extends Pool>(pool: Marked): Marked {
  const connect = pool.connect.bind(pool) as (receive: Receive) => void;
  const ask = (receive: Receive) =>
    connect((error, ...connection) => {
      if (error) markDatabaseConnectionError(error);
      receive(error, ...connection);
    });
  pool.connect = ((receive?: Receive) => {
    if (receive) return ask(receive);
    return new Promise((resolve, reject) => ask((error, client) => (error ? reject(error) : resolve(client))));
  }) as Pool['connect'];
  // Statements get the same error as the client, afterwards.
  pool.on('connect', (client) => client.on('error', markDatabaseConnectionError));
  return pool;
}
