import type { EntityManager } from '@mikro-orm/postgresql';
import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { asQuery, PATIENTLY, type BoundStatement, type Statement } from '../kernel/index.ts';
import { entityManager, type Database } from './database.ts';

interface OpenOptions {
  readonly isolation?: 'read committed' | 'repeatable read';
  /** Waits for locks as long as a statement may take, not only for `lockTimeout`. */
  readonly isPatient?: boolean;
}

/** A statement that is sent together with the commit. */
export interface LastStatement extends BoundStatement {
  /** The error that callers get for one of the database. */
  readonly explain?: (error: unknown) => unknown;
}

/** Statements that may be sent before `begin` is confirmed: without a transaction, nothing of them would be kept. */
const READS = /^\s*select\b/i;

/**
 * One connection between begin and commit, for a caller. It always returns to the pool, or is closed if it is broken.
 * (The entity manager's own transactions leak a connection that breaks before the end, until the pool is empty.)
 *
 * What is sent in one turn of the event loop is sent in one packet, in its order, and `begin` with the first statement:
 * a write costs a few round trips instead of one for each statement.
 */
export class TransactionConnection {
  readonly #database: Database;
  readonly #client: PoolClient;
  readonly #options: OpenOptions;
  #begun: Promise<unknown> | undefined;
  #hasBegun = false;
  #isOpen = true;

  private constructor(database: Database, client: PoolClient, options: OpenOptions) {
    this.#database = database;
    this.#client = client;
    this.#options = options;
  }

  /** `caller`: see `callerKeyOf`. */
  static async open(database: Database, caller: string, options: OpenOptions = {}): Promise<TransactionConnection> {
    return new TransactionConnection(database, await database.of(caller).connect(), options);
  }

  /** Runs a prepared statement with bound values. */
  readonly query = async <Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> =>
    (await this.#send<Row>(asQuery(statement, values))).rows;

  /** An entity manager that works in this transaction. */
  entityManager(): EntityManager {
    return entityManager(this.#database, (text, values) => this.#send({ text, values: values as unknown[] }));
  }

  /**
   * Commits after the last statements, which are sent with it: their locks are held for no round trip.
   *
   * @throws the first error; then nothing is committed.
   */
  async commit(last: readonly LastStatement[] = []): Promise<void> {
    if (last.length > 0) await this.#begin();
    const sent = last.map(({ statement, values, explain = (error) => error }) =>
      this.#inPacket(asQuery(statement, values)).catch((error: unknown) => {
        throw explain(error);
      }),
    );
    const results = await Promise.allSettled([...sent, this.#end('commit')]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /** Never throws: the caller should get the original error. */
  async rollback(): Promise<void> {
    if (this.#isOpen) await this.#end('rollback').catch(() => undefined);
  }

  async #send<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
    // The connection may be that of another transaction.
    if (!this.#isOpen) throw new Error('A statement comes after the end of its transaction');
    if (this.#hasBegun) return this.#inPacket<Row>(query);
    const begun = this.#begin();
    if (!READS.test(query.text)) await begun;
    const [result] = await Promise.all([this.#inPacket<Row>(query), begun]);
    return result;
  }

  #begin(): Promise<unknown> {
    const { isolation, isPatient } = this.#options;
    const begin = isolation === 'repeatable read' ? 'begin isolation level repeatable read' : 'begin';
    return (this.#begun ??= this.#started(isPatient ? `${begin}; ${PATIENTLY}` : begin));
  }

  async #started(text: string): Promise<void> {
    await this.#inPacket({ text });
    this.#hasBegun = true;
  }

  #inPacket<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    return this.#client.query<Row>(query);
  }

  /** @throws also where the transaction had failed: PostgreSQL confirms the end of one, not that it is committed. */
  async #end(text: 'commit' | 'rollback'): Promise<void> {
    this.#isOpen = false;
    if (!this.#begun) return this.#client.release();
    let command: string;
    try {
      ({ command } = await this.#inPacket({ text }));
      this.#client.release();
    } catch (error) {
      this.#client.release(error as Error);
      throw error;
    }
    if (command !== text.toUpperCase())
      throw new Error('Nothing was committed: a statement of the transaction had failed');
  }
}
