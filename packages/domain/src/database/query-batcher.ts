import { databaseFault, type Statement } from '../kernel/index.ts';

/** A row of a batched statement: with the index of its key, counted from 1. */
type Placed<Row> = Row & { ordinal: number };

interface Waiting {
  readonly key: readonly unknown[];
  readonly resolve: (row: object | undefined) => void;
  readonly reject: (error: unknown) => void;
}

type Query = <Row extends object>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>;

const LIMIT = 200;
/** Maximum number of running statements; further keys wait for the next. */
const AT_ONCE = 3;

interface Options {
  /** Called when nothing waits or runs any more. */
  readonly ended?: () => unknown;
  /** Whether calls that wait for the same key share its row; for statements that only read. A key of several parts is not looked up. */
  readonly sharesRows?: boolean;
}

/**
 * Runs a statement for single rows once for many calls: all that is asked in one turn of the event loop is one query, at
 * a fraction of the cost for both sides.
 *
 * The statement takes one array for each part of the key and returns each row with the `ordinal` of its key. If PostgreSQL
 * rejects a key, nothing of it is written, and it runs for each key alone, so that one key cannot fail others.
 */
export class QueryBatcher {
  readonly #statement: Statement;
  readonly #query: Query;
  readonly #ended: (() => unknown) | undefined;
  /** The rows of keys that wait, by key. */
  #shared: Map<unknown, Promise<object | undefined>> | undefined;
  #waiting: Waiting[] = [];
  #underWay = 0;
  #isScheduled = false;

  constructor(statement: Statement, query: Query, { ended, sharesRows = false }: Options = {}) {
    this.#statement = statement;
    this.#query = query;
    this.#ended = ended;
    this.#shared = sharesRows ? new Map() : undefined;
  }

  /** The row of a key, if any. */
  one<Row extends object>(key: readonly unknown[]): Promise<Row | undefined> {
    if (!this.#shared || key.length > 1) return this.#wait<Row>(key);
    let row = this.#shared.get(key[0]);
    if (!row) this.#shared.set(key[0], (row = this.#wait(key)));
    return row as Promise<Row | undefined>;
  }

  #wait<Row extends object>(key: readonly unknown[]): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve: resolve as Waiting['resolve'], reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#underWay >= AT_ONCE || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const batch = this.#waiting.splice(0, LIMIT);
      // Who asks from now on gets what is there from now on. A new map: V8 chains the tables of one that is cleared.
      if (this.#shared) this.#shared = new Map();
      this.#underWay++;
      this.#ask(batch).catch(() => undefined);
      this.#schedule();
    });
  }

  async #ask(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#answer(batch);
    } finally {
      this.#underWay--;
      this.#schedule();
      if (this.#underWay === 0 && this.#waiting.length === 0) this.#ended?.();
    }
  }

  async #answer(batch: readonly Waiting[]): Promise<void> {
    try {
      const rows = await this.#query<Placed<object>>(this.#statement, columns(batch));
      const byKey = new Map(rows.map((row) => [row.ordinal, row]));
      for (const [index, waiting] of batch.entries()) waiting.resolve(byKey.get(index + 1));
    } catch (error) {
      // Without PostgreSQL's answer, it is unknown whether something was written; locks would be waited for one after another.
      if (batch.length === 1 || !isOfKeys(error)) for (const { reject } of batch) reject(error);
      else for (const waiting of batch) await this.#answer([waiting]);
    }
  }
}

/** Data exceptions (class 22), violated constraints (23), and a NUL in a text (08P01). */
const isOfKeys = (error: unknown): boolean => /^(?:22|23|08P01)/.test(databaseFault(error)?.sqlState ?? '');

/** The keys of a batch as one array for each part. */
const columns = (batch: readonly Waiting[]): unknown[][] =>
  batch[0]!.key.map((_, part) => batch.map(({ key }) => key[part]));
