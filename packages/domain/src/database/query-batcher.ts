import type { Statement } from '../kernel/index.ts';

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

/**
 * Looks up single rows for many calls with one statement: all lookups in one turn of the event loop are one query, at a
 * fraction of the cost for both sides.
 *
 * The statement takes one array for each part of the key and returns each row with the `ordinal` of its key. If it
 * fails, each key is looked up alone, so that one key cannot fail others.
 */
export class QueryBatcher {
  readonly #statement: Statement;
  readonly #query: Query;
  #waiting: Waiting[] = [];
  #underWay = 0;
  #isScheduled = false;

  constructor(statement: Statement, query: Query) {
    this.#statement = statement;
    this.#query = query;
  }

  /** The row of a key, if any. */
  one<Row extends object>(key: readonly unknown[]): Promise<Row | undefined> {
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
    }
  }

  async #answer(batch: readonly Waiting[]): Promise<void> {
    try {
      const rows = await this.#query<Placed<object>>(this.#statement, columns(batch));
      const byKey = new Map(rows.map((row) => [row.ordinal, row]));
      for (const [index, waiting] of batch.entries()) waiting.resolve(byKey.get(index + 1));
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error);
      else for (const waiting of batch) await this.#answer([waiting]);
    }
  }
}

/** The keys of a batch as one array for each part. */
const columns = (batch: readonly Waiting[]): unknown[][] =>
  batch[0]!.key.map((_, part) => batch.map(({ key }) => key[part]));
