import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { entities } from '../catalogue.ts';

export interface Database {
  readonly orm: MikroORM;
  /** The one pool of this process: the entity manager's and that of the prepared statements. */
  readonly pool: Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** Connections at the most. Two cores are best served by 10 to 20. */
  poolSize?: number;
  /** Milliseconds to wait for a connection before a request is refused. */
  connectTimeout?: number;
}

/** Opens the database. Nothing is migrated and nothing is checked yet. */
export async function openDatabase({
  url,
  poolSize = 16,
  connectTimeout = 10_000,
}: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init({
    entities: [...entities],
    clientUrl: url,
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionTimeoutMillis: connectTimeout,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      application_name: 'coffer',
      options:
        '-c TimeZone=UTC -c DateStyle=ISO -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000',
    },
    logger: () => undefined,
    debug: false,
    forceUtcTimezone: true,
  });
  const pool = (await orm.em.getConnection().getNativeClient()) as unknown as Pool;
  return { orm, pool, close: () => orm.close(true) };
}

interface RawExecutor {
  executeQuery(query: object): Promise<{ rows: unknown[] }>;
}

/**
 * Runs SQL with bound values on the transaction of an entity manager. (`em.execute` writes its values into the text of
 * the query, where the database server's own logs would show them.)
 */
export async function queryInTransaction<Row>(
  em: EntityManager,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const connection = em.getTransactionContext() as RawExecutor | undefined;
  if (!connection) throw new Error('No transaction is open');
  const query = {
    sql,
    parameters: values,
    query: { kind: 'RawNode', sqlFragments: [sql], parameters: [] },
    queryId: { queryId: '' },
  };
  return (await connection.executeQuery(query)).rows as Row[];
}
