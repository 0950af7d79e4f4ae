import { MikroORM, type EntityManager, type EntitySchema, type Transaction } from '@mikro-orm/postgresql';
import type { Pool, PoolClient } from 'pg';
import { asQuery, type Statement } from '../kernel/index.ts';

export interface Database {
  readonly orm: MikroORM;
  /** The only pool of this process, for the entity manager and the prepared statements. */
  readonly pool: Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  entities: readonly EntitySchema[];
  /** Maximum number of connections. Two cores are best served by 10 to 20. */
  poolSize?: number;
  /** Milliseconds to wait for a connection before a request is refused. */
  connectTimeout?: number;
}

/**
 * Tables are reached by indexes, whatever PostgreSQL believes of their sizes, which it learns late: with wrong sizes it reads
 * whole tables. Hash joins stay: long lists that a request sends are joined with each other. `query-plans.test.ts` explains all statements.
 */
export const PLANNING = { enable_seqscan: 'off', jit: 'off' };
const SETTINGS = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  statement_timeout: '30000',
  idle_in_transaction_session_timeout: '60000',
  ...PLANNING,
};

/** Settings as a connection takes them. */
export const asOptions = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** Opens the database. Nothing is migrated and nothing is checked yet. */
export async function openDatabase({
  url,
  entities,
  poolSize = 16,
  connectTimeout = 10_000,
}: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init({
    entities: [...entities],
    clientUrl: url,
    // A mistyped name must not become an empty database.
    ensureDatabase: false,
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionTimeoutMillis: connectTimeout,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      application_name: 'coffer',
      options: asOptions(SETTINGS),
    },
    logger: () => undefined,
    debug: false,
    forceUtcTimezone: true,
  });
  const pool = await orm.em.getConnection().getNativeClient();
  return {
    orm,
    pool,
    close: async () => {
      await orm.close(true);
      // It ends its pool only if it was used itself, which in a short command it may not have been.
      if (!pool.ending) await pool.end();
    },
  };
}

/** One connection between begin and commit. It always returns to the pool, or is closed if it is broken. */
export interface OpenTransaction {
  /** Runs a prepared statement with bound values. */
  query: <Row extends object>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>;
  /** An entity manager that works in this transaction. */
  entityManager(): EntityManager;
  commit(): Promise<void>;
  /** Never throws: the caller should get the original error. */
  rollback(): Promise<void>;
}

/**
 * Begins a transaction on a connection of our own. (The entity manager's own transactions leak a connection that breaks
 * before the end, until the pool is empty.)
 */
export async function openTransaction(
  { orm, pool }: Database,
  isolation: 'read committed' | 'repeatable read' = 'read committed',
): Promise<OpenTransaction> {
  const client = await pool.connect();
  const end = async (text: 'commit' | 'rollback') => {
    try {
      await client.query(text);
      client.release();
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  };
  let isOpen = true;
  const transaction: OpenTransaction = {
    query: async <Row extends object>(statement: Statement, values: readonly unknown[]) =>
      (await client.query<Row>(asQuery(statement, values))).rows,
    entityManager() {
      const em = orm.em.fork();
      em.setTransactionContext(executor(client));
      return em;
    },
    async commit() {
      isOpen = false;
      await end('commit');
    },
    async rollback() {
      if (isOpen) await end('rollback').catch(() => undefined);
      isOpen = false;
    },
  };
  try {
    await client.query(isolation === 'read committed' ? 'begin' : `begin isolation level ${isolation}`);
    return transaction;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

/** The interface that the entity manager needs of an external transaction. */
function executor(client: PoolClient): Transaction {
  return {
    async executeQuery({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      const { rows, rowCount } = await client.query<Record<string, unknown>>(sql, parameters as unknown[]);
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    },
  };
}
