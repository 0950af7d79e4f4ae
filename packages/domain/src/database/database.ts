import { MikroORM, type EntityManager, type EntitySchema, type Transaction } from '@mikro-orm/postgresql';
import type { Pool, QueryResult } from 'pg';
import { asOptions, keepaliveOf, withClock } from '../kernel/index.ts';
import { markConnectionErrors } from './connection-errors.ts';
import { ConnectionTurns } from './connection-turns.ts';
import { OpenConnections } from './open-connections.ts';

export interface Database {
  readonly orm: MikroORM;
  /**
   * The only pool of calls, for the entity manager and the prepared statements. Its connections are handed out in turns
   * by caller (`ConnectionTurns`); used directly, it is in the name of the process.
   */
  readonly pool: Pool;
  /** The same pool in the name of a caller; see `callerKeyOf`. */
  of(caller: string): Pick<Pool, 'connect' | 'query'>;
  /** Those of the pool, and of others that follow. */
  readonly connections: OpenConnections;
  /** How many connections a caller has now. */
  heldBy(caller: string): number;
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
  connectTimeout?: number | undefined;
  /** Milliseconds for which a statement waits for a lock before its request is refused; see `OpenOptions.isPatient`. */
  lockTimeout?: number | undefined;
}

/** Long enough for short transactions before it, and too short to keep a connection from others. */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * Tables are reached by indexes, whatever PostgreSQL believes of their sizes, which it learns late: with wrong sizes it reads
 * whole tables. Hash joins stay: long lists that a request sends are joined with each other. A connection plans a statement once, for
 * any values: otherwise PostgreSQL would plan each call of some where tables have grown since the first calls, for
 * longer than they run. `query-plans.test.ts` explains all statements.
 */
export const PLANNING = { enable_seqscan: 'off', jit: 'off', plan_cache_mode: 'force_generic_plan' };
export const SETTINGS = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  statement_timeout: '30000',
  idle_in_transaction_session_timeout: '60000',
  ...PLANNING,
};

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
      // Statements are sent without waiting for the answers to those before them: see `TransactionConnection`.
      pipeline: true,
      options: asOptions({ ...SETTINGS, ...keepaliveOf(url), lock_timeout: String(lockTimeout) }),
    },
    logger: () => undefined,
    debug: false,
    forceUtcTimezone: true,
  });
  const pool = markConnectionErrors(await orm.em.getConnection().getNativeClient());
  const turns = new ConnectionTurns(pool);
  const connections = new OpenConnections();
  connections.follow(pool);
  return {
    orm,
    pool,
    connections,
    of: (caller) =>
      ({
        connect: () => turns.as(caller, () => pool.connect()),
        query: (...query: Parameters<Pool['query']>) => turns.as(caller, () => pool.query(...query)),
      }) as Pick<Pool, 'connect' | 'query'>,
    heldBy: (caller) => turns.heldBy(caller),
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

/** Runs a statement of an entity manager. */
type Run = (
  text: string,
  values: readonly unknown[],
) => Promise<Pick<QueryResult<Record<string, unknown>>, 'rows' | 'rowCount'>>;

/**
 * An entity manager whose statements are run by `run`: on the connection of a transaction, or of the pool in the name of
 * a caller. (For the library, both are an external transaction.) `now`: the clock of the process.
 */
export function entityManager({ orm }: Database, run: Run, now: () => Date): EntityManager {
  const em = withClock(orm.em.fork(), now);
  em.setTransactionContext({
    async executeQuery({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      const { rows, rowCount } = await run(sql, parameters);
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    },
  } as Transaction);
  return em;
}
