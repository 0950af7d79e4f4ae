import type { Pool, PoolClient } from 'pg';
import { markDatabaseConnectionError } from '../kernel/index.ts';

type Receive = (error: Error | undefined, client?: PoolClient, release?: (error?: unknown) => void) => void;

/** From now on, errors of the connections of a pool can be told from those of others (`isDatabaseConnectionError`). */
export function markConnectionErrors<Marked extends Pool>(pool: Marked): Marked {
  const connect = pool.connect.bind(pool) as (receive: Receive) => void;
  const ask = (receive: Receive) =>
    connect((error, client, release) => {
      if (error) markDatabaseConnectionError(error);
      receive(error, client, release);
    });
  pool.connect = ((receive?: Receive) => {
    if (receive) return ask(receive);
    return new Promise<PoolClient>((resolve, reject) =>
      ask((error, client) => (error ? reject(error) : resolve(client!))),
    );
  }) as Pool['connect'];
  // Statements get the same error as the client, afterwards.
  pool.on('connect', (client) => client.on('error', markDatabaseConnectionError));
  return pool;
}
