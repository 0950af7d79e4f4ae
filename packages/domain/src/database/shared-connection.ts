import { NotTogether, type RecordStatement, type Statement } from '../kernel/index.ts';
import { READS, type TransactionConnection } from './transaction-connection.ts';

/** A statement that is run once for all that ask for it, with the inputs of all: each of these once. */
interface Asked {
  /** By their text. */
  readonly inputs: Map<string, Input>;
  readonly rows: Promise<object[]>;
  readonly send: () => void;
}

interface Input {
  readonly value: readonly unknown[];
  readonly index: number;
}

/** What is asked for in one turn of the event loop: the first statements of all seats, after these their second ones. */
type Waves = Map<string, Asked>[];

/**
 * The connection of a transaction in which several calls work, each in a seat of its own. What they ask for in one turn of
 * the event loop is one packet, in which the same statement is run once for all. The statements of one seat keep their
 * order: what it reads after it has locked something is read under the lock.
 */
export class SharedConnection {
  readonly connection: TransactionConnection;
  /** A statement has failed, and with it the transaction. */
  hasFailed = false;
  #waves: Waves = [];

  constructor(connection: TransactionConnection) {
    this.connection = connection;
  }

  /** The statements of the present turn. */
  get waves(): Waves {
    if (this.#waves.length === 0) setImmediate(() => this.#send());
    return this.#waves;
  }

  #send(): void {
    const waves = this.#waves;
    this.#waves = [];
    for (const wave of waves) for (const { send } of wave.values()) send();
  }
}

/** The place of one call in a shared transaction, used as its connection. */
export class Seat {
  readonly isShared = true;
  readonly #shared: SharedConnection;
  #waves: Waves | undefined;
  /** How many statements it has asked for in the present turn. */
  #asked = 0;
  #isOpen = true;
  #hasWritten = false;

  constructor(shared: SharedConnection) {
    this.#shared = shared;
  }

  /** Whether the others can go on without this call: it has changed nothing. */
  get mayLeave(): boolean {
    return !this.#hasWritten && !this.#shared.hasFailed;
  }

  /** The call asks for nothing more. */
  close(): void {
    this.#isOpen = false;
  }

  /** Reads with the same values are run once. */
  readonly query = <Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> => {
    const isRead = READS.test(statement.text);
    if (!isRead) this.#hasWritten = true;
    const key = isRead ? `${statement.name} ${JSON.stringify(values)}` : undefined;
    return this.#ask<Row>(key, '', [], () => this.#shared.connection.query<Row>(statement, values)).rows;
  };

  /** See `Context.one`. */
  readonly one = async <Row extends object>(
    statement: Statement,
    key: readonly unknown[],
  ): Promise<Row | undefined> => {
    const { rows, index } = this.#ask<Row & { ordinal: number }>(statement.name, JSON.stringify(key), key, (keys) =>
      this.#shared.connection.query(
        statement,
        key.map((_, part) => keys.map((one) => one[part])),
      ),
    );
    return (await rows).find(({ ordinal }) => ordinal === index + 1);
  };

  /** See `Transaction.write`. */
  readonly write = <Row extends object, Written>(
    statement: RecordStatement<Written>,
    records: readonly Written[],
    values: readonly unknown[],
  ): Promise<Row[]> => {
    this.#hasWritten = true;
    return this.#ask<Row>(`${statement.name} ${JSON.stringify(values)}`, undefined, records, (all) =>
      this.#shared.connection.write(statement, all.flat() as Written[], values),
    ).rows;
  };

  hold(place: string): void {
    this.#shared.connection.hold(place);
  }

  /** It does not say what its statements do. */
  entityManager(): never {
    throw new NotTogether();
  }

  /** Asks once for all that ask by this key; without one, alone. Equal texts are equal inputs. */
  #ask<Row extends object>(
    key: string | undefined,
    text: string | undefined,
    value: readonly unknown[],
    run: (inputs: readonly (readonly unknown[])[]) => Promise<Row[]>,
  ): { rows: Promise<Row[]>; index: number } {
    if (!this.#isOpen) throw new Error('A statement comes after the end of its transaction');
    const { waves } = this.#shared;
    if (this.#waves !== waves) [this.#waves, this.#asked] = [waves, 0];
    const wave = (waves[this.#asked++] ??= new Map<string, Asked>());
    const name = key ?? `alone ${wave.size}`;
    let asked = wave.get(name);
    if (!asked) {
      const inputs = new Map<string, Input>();
      const { promise: rows, resolve, reject } = Promise.withResolvers<Row[]>();
      const send = () =>
        void run(Array.from(inputs.values(), (input) => input.value)).then(resolve, (error: unknown) => {
          this.#shared.hasFailed = true;
          reject(error);
        });
      asked = { inputs, rows, send };
      wave.set(name, asked);
    }
    const { inputs, rows } = asked;
    const input = text ?? `${inputs.size}`;
    let known = inputs.get(input);
    if (!known) {
      known = { value, index: inputs.size };
      inputs.set(input, known);
    }
    return { rows: rows as Promise<Row[]>, index: known.index };
  }
}
