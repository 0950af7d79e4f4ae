import { MikroORM, type EntityManager, type EntitySchema, type Transaction } from '@mikro-orm/postgresql';
import type { ClientBase, Pool } from 'pg';
import { asQuery, PATIENTLY, type Statement } from '../kernel/index.ts';
import { ConnectionTurns } from './connection-turns.ts';

export interface Database {
  readonly orm: MikroORM;
  /**
   * The only pool of calls, for the entity manager and the prepared statements. Its connections are handed out in turns
   * by caller (`ConnectionTurns`); used directly, it is in the name of the process.
   */
  readonly pool: Pool;
  /** The same pool in the name of a caller; see `callerKeyOf`. */
  of(caller: string): Pick<Pool, 'connect' | 'query'>;
  /** How many wait for a connection now. */
  readonly waiting: number;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  entities: readonly EntitySchema[];
  /** Maximum number of connections. Two cores are best served by 10 to 20. */
  poolSize?: number;
  /** Milliseconds to wait for a connection before a request is refused. */
  connectTimeout?: number;
  /** Milliseconds for which a statement waits for a lock before its request is refused; see `OpenOptions.isPatient`. */
  lockTimeout?: number | undefined;
}

/** Long enough for short transactions before it, and too short to keep a connection from others. */
const LOCK_TIMEOUT_MS = 5_000;

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
  lockTimeout = LOCK_TIMEOUT_MS,
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
      options: asOptions({ ...SETTINGS, lock_timeout: String(lockTimeout) }),
    },
    logger: () => undefined,
    debug: false,
    forceUtcTimezone: true,
  });
  const pool = await orm.em.getConnection().getNativeClient();
  const turns = new ConnectionTurns(pool);
  return {
    orm,
    pool,
    of: (caller) =>
      ({
        connect: () => turns.as(caller, () => pool.connect()),
        query: (...query: Parameters<Pool['query']>) => turns.as(caller, () => pool.query(...query)),
      }) as Pick<Pool, 'connect' | 'query'>,
    get waiting() {
      return turns.waiting + pool.waitingCount;
    },
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

interface OpenOptions {
  readonly isolation?: 'read committed' | 'repeatable read';
  /** Waits for locks as long as a statement may take, not only for `lockTimeout`. */
  readonly isPatient?: boolean;
}

/**
 * Begins a transaction on a connection of our own, for a caller. (The entity manager's own transactions leak a
 * connection that breaks before the end, until the pool is empty.)
 */
export async function openTransaction(
  database: Database,
  caller: string,
  { isolation = 'read committed', isPatient = false }: OpenOptions = {},
): Promise<OpenTransaction> {
  const client = await database.of(caller).connect();
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
    entityManager: () => entityManager(database, () => client),
    async commit() {
      isOpen = false;
      await end('commit');
    },
    async rollback() {
      if (isOpen) await end('rollback').catch(() => undefined);
      isOpen = false;
    },
  };
  const begin = isolation === 'read committed' ? 'begin' : `begin isolation level ${isolation}`;
  try {
    await client.query(isPatient ? `${begin}; ${PATIENTLY}` : begin);
    return transaction;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

/**
 * An entity manager whose statements run where `on` says, which is asked for each: on the connection of a transaction, or
 * of the pool in the name of a caller. (For the library, both are an external transaction.)
 */
export function entityManager({ orm }: Database, on: () => Pick<ClientBase, 'query'>): EntityManager {
  const em = orm.em.fork();
  em.setTransactionContext({
    async executeQuery({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      const { rows, rowCount } = await on().query<Record<string, unknown>>(sql, parameters as unknown[]);
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    },
  } as Transaction);
  return em;
}
