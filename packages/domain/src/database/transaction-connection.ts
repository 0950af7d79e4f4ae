import type { EntityManager } from '@mikro-orm/postgresql';
import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import {
  asQuery,
  databaseFault,
  LastLockHeld,
  PATIENTLY,
  type BoundStatement,
  type RecordStatement,
  type Statement,
} from '../kernel/index.ts';
import { entityManager, type Database } from './database.ts';

interface OpenOptions {
  readonly isolation?: 'read committed' | 'repeatable read';
  /** Waits for locks as long as a statement may take, not only for `lockTimeout`. */
  readonly isPatient?: boolean;
  /** Waits for locks only for `BRIEFLY_MS`, but for those of `prepareCommit`. */
  readonly waitsBriefly?: boolean;
  /** The IDs of the organization and projects in which it works: none of them is deleted meanwhile. */
  readonly places?: readonly string[];
  /** The place that it deletes: nobody else works in it meanwhile. It waits for them only for `lockTimeout`. */
  readonly ends?: string | undefined;
}

// The deletion of a place reaches rows that others lock in any order, who then wait for the place. So that no deadlock
// comes of it, others lock the place before anything else.
const HOLD: Statement = {
  name: 'places.hold',
  text: 'select pg_advisory_xact_lock_shared(hashtextextended(place, 60)) from unnest($1::text[]) place',
};
const END: Statement = { name: 'places.end', text: 'select pg_advisory_xact_lock(hashtextextended($1, 60))' };
/** Each takes memory of PostgreSQL, which is limited. */
const MAX_PLACES = 16;

/** A statement that is sent together with the commit. */
export interface LastStatement extends BoundStatement {
  /** The error that callers get for one of the database. */
  readonly explain?: (error: unknown) => unknown;
}

/** Long enough for the commits of others, and too short to let others wait. */
export const BRIEFLY_MS = 250;
const BRIEFLY = `set local lock_timeout = ${BRIEFLY_MS}`;
const NO_LONGER_BRIEFLY = 'set local lock_timeout to default';

/** Statements that may be sent before `begin` is confirmed: without a transaction, nothing of them would be kept. */
export const READS = /^\s*select\b/i;

/**
 * One connection between begin and commit, for a caller. It always returns to the pool, or is closed if it is broken.
 * (The entity manager's own transactions leak a connection that breaks before the end, until the pool is empty.)
 *
 * What is sent in one turn of the event loop is sent in one packet, in its order, and `begin` with the first statement:
 * a write costs a few round trips instead of one for each statement.
 */
export class TransactionConnection {
  readonly isShared: boolean = false;
  readonly #database: Database;
  readonly #client: PoolClient;
  readonly #options: OpenOptions;
  #begun: Promise<unknown> | undefined;
  #hasBegun = false;
  #isOpen = true;
  /** See `hold`; the first ones are held as it begins. */
  readonly #places: Set<string>;
  /** How often statements were sent before which nothing else is sent. */
  #sentFirst = 0;

  private constructor(database: Database, client: PoolClient, options: OpenOptions) {
    this.#database = database;
    this.#client = client;
    this.#options = options;
    const { places = [], ends } = options;
    this.#places = new Set(ends ? [...places, ends] : places);
  }

  /** `caller`: see `callerKeyOf`. */
  static async open(database: Database, caller: string, options: OpenOptions = {}): Promise<TransactionConnection> {
    return new TransactionConnection(database, await database.of(caller).connect(), options);
  }

  /**
   * No organization or project with this ID is deleted until the transaction ends. Nothing waits for that but the next
   * statement.
   */
  hold(place: string): void {
    if (this.#places.has(place) || this.#places.size >= MAX_PLACES) return;
    this.#places.add(place);
    if (!this.#begun || !this.#isOpen) return;
    this.#hasBegun = false;
    this.#begun = Promise.all([this.#begun, this.#beginning([asQuery(HOLD, [[place]])])]);
    this.#begun.catch(() => undefined);
  }

  /** Runs a prepared statement with bound values. */
  readonly query = async <Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> =>
    (await this.#send<Row>(asQuery(statement, values))).rows;

  /** See `Context.one`. */
  readonly one = async <Row extends object>(statement: Statement, key: readonly unknown[]): Promise<Row | undefined> =>
    (
      await this.query<Row>(
        statement,
        key.map((part) => [part]),
      )
    )[0];

  /** See `Transaction.write`. */
  readonly write = <Row extends object, Written>(
    statement: RecordStatement<Written>,
    records: readonly Written[],
    values: readonly unknown[],
  ): Promise<Row[]> => this.query<Row>(statement, [...statement.valuesOf(records), ...values]);

  /** An entity manager that works in this transaction. */
  entityManager(now: () => Date): EntityManager {
    return entityManager(this.#database, (text, values) => this.#send({ text, values: values as unknown[] }), now);
  }

  /**
   * Commits after the last statements, which are sent with it: their locks are held for no round trip.
   *
   * @param isBrief Whether it waits for each of these locks only for `BRIEFLY_MS`.
   * @throws the first error; then nothing is committed. LastLockHeld if a lock was held for longer than that.
   */
  async commit(last: readonly LastStatement[] = [], isBrief = false): Promise<void> {
    await (last.length > 0 ? this.#begin() : this.#begun);
    const { waitsBriefly, isPatient } = this.#options;
    const isLimited = isBrief && last.length > 0 && !waitsBriefly;
    // In this order: each is sent where it is named. The commit itself waits for those of others where all have notified.
    const sent: Promise<unknown>[] = isLimited ? [this.#inPacket({ text: BRIEFLY })] : [];
    sent.push(...this.#sendLast(last, isBrief));
    if (last.length > 0 && (isLimited || waitsBriefly))
      sent.push(this.#inPacket({ text: isPatient ? PATIENTLY : NO_LONGER_BRIEFLY }));
    sent.push(this.#end('commit'));
    const results = await Promise.allSettled(sent);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /** Sends the last statements before the commit, and waits for them. @throws the first error. */
  async prepareCommit(last: readonly LastStatement[]): Promise<void> {
    await this.#begin();
    const limit = this.#options.waitsBriefly ? [this.#inPacket({ text: NO_LONGER_BRIEFLY })] : [];
    const results = await Promise.allSettled([...limit, ...this.#sendLast(last, false)]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  #sendLast(last: readonly LastStatement[], isBrief: boolean): Promise<unknown>[] {
    return last.map(({ statement, values, explain = (error) => error }) =>
      this.#inPacket(asQuery(statement, values)).catch((error: unknown) => {
        const isHeld = isBrief && databaseFault(error)?.sqlState === '55P03';
        throw isHeld ? new LastLockHeld(undefined, { cause: error }) : explain(error);
      }),
    );
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
    try {
      const [result] = await Promise.all([this.#inPacket<Row>(query), begun]);
      return result;
    } catch (error) {
      // It has failed for that alone if the beginning did.
      await begun;
      throw error;
    }
  }

  #begin(): Promise<unknown> {
    return (this.#begun ??= this.#started());
  }

  async #started(): Promise<void> {
    const { isolation, isPatient, waitsBriefly, ends } = this.#options;
    const begin = isolation === 'repeatable read' ? 'begin isolation level repeatable read' : 'begin';
    const first: QueryConfig[] = [
      { text: isPatient && !ends ? `${begin}; ${PATIENTLY}` : waitsBriefly ? `${begin}; ${BRIEFLY}` : begin },
    ];
    const held = [...this.#places].filter((place) => place !== ends);
    if (held.length > 0) first.push(asQuery(HOLD, [held]));
    if (ends) first.push(asQuery(END, [ends]));
    if (isPatient && ends) first.push({ text: PATIENTLY });
    await this.#beginning(first);
  }

  /** Other statements are sent after these, and fail with them. */
  async #beginning(queries: readonly QueryConfig[]): Promise<void> {
    const sent = ++this.#sentFirst;
    await Promise.all(queries.map((query) => this.#inPacket(query)));
    if (sent === this.#sentFirst) this.#hasBegun = true;
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
