import type { Pool, PoolClient, PoolOptions } from 'pg';
import { CallerCounts, CallerTurns, mayHaveOneMore } from '../kernel/index.ts';

/**
 * The process itself, where a connection is asked for in nobody's name: look-ups that concurrent calls share, commits of
 * events, keys, upkeep. It serves all callers, and how much of it there is at a time is bounded where it begins.
 */
const PROCESS = '';

/** The share of the connections that only the process itself gets: at least one, wherever there are two. */
const RESERVED = 1 / 8;
const reserveOf = (connections: number): number =>
  connections < 2 ? 0 : Math.max(1, Math.floor(connections * RESERVED));

/** A caller has at most as many connections as remain for other callers. */
const PORTION = 1;

type Receive = (error: Error | undefined, client: PoolClient | undefined, release: (error?: unknown) => void) => void;

interface Waiting {
  readonly caller: string;
  readonly receive: Receive;
  readonly timer: NodeJS.Timeout;
}

/**
 * Hands out the connections of a pool in turns by caller. Some are for the process itself. Of the others a caller gets
 * another one while at least as many remain as it has then: one caller has at most half of them, however slow its
 * statements are, and the next one begins at once. Where none is free, or the caller has its share, it waits, for as long
 * as the pool itself lets wait. Without waiters, this costs two look-ups in a map.
 */
export class ConnectionTurns {
  readonly #options: PoolOptions;
  /** Free connections that callers leave to the process. */
  readonly #reserve: number;
  readonly #connect: (receive: Receive) => void;
  /** In whose name a connection is asked for, during `as`. */
  #caller = PROCESS;
  #taken = 0;
  /** The number of connections that each caller has. */
  readonly #held = new CallerCounts();
  readonly #holders = new Map<PoolClient, string>();
  readonly #waiting = new CallerTurns<string, Waiting>();
  #isScheduled = false;

  /** From now on, `connect` and `query` of the pool take turns. */
  constructor(pool: Pool) {
    this.#options = pool.options;
    this.#reserve = reserveOf(pool.options.max);
    this.#connect = pool.connect.bind(pool) as (receive: Receive) => void;
    pool.connect = ((receive?: Receive) => {
      if (receive) return this.#ask(receive);
      return new Promise<PoolClient>((resolve, reject) =>
        this.#ask((error, client) => (error ? reject(error) : resolve(client!))),
      );
    }) as Pool['connect'];
    pool.on('release', (_error, client) => {
      const caller = this.#holders.get(client);
      if (caller === undefined) return;
      this.#holders.delete(client);
      this.#returned(caller);
    });
  }

  /** `ask` calls `connect` or `query` of the pool, before its first `await`: the connection is for this caller. */
  as<T>(caller: string, ask: () => T): T {
    const before = this.#caller;
    this.#caller = caller;
    try {
      return ask();
    } finally {
      this.#caller = before;
    }
  }

  /** How many connections a caller has now. */
  heldBy(caller: string): number {
    return this.#held.of(caller);
  }

  /** How many wait for a connection now. */
  get waiting(): number {
    return this.#waiting.size;
  }

  #ask(receive: Receive): void {
    const caller = this.#caller;
    if (!this.#isScheduled && this.#waiting.sizeOf(caller) === 0 && this.#mayTake(caller)) this.#take(caller, receive);
    else this.#wait(caller, receive);
  }

  #mayTake(caller: string): boolean {
    const free = this.#options.max - this.#taken;
    if (caller === PROCESS) return free > 0;
    return mayHaveOneMore(this.#held.of(caller), free - this.#reserve, PORTION);
  }

  #take(caller: string, receive: Receive): void {
    this.#taken++;
    this.#held.add(caller);
    this.#connect((error, client, release) => {
      if (client) this.#holders.set(client, caller);
      else this.#returned(caller);
      receive(error, client, release);
    });
  }

  #returned(caller: string): void {
    this.#taken--;
    this.#held.remove(caller);
    if (this.#waiting.isEmpty || this.#isScheduled) return;
    this.#isScheduled = true;
    // The pool has it back once this event is over.
    process.nextTick(() => this.#next());
  }

  #next(): void {
    this.#isScheduled = false;
    for (let waiting = this.#takeNext(); waiting; waiting = this.#takeNext()) {
      clearTimeout(waiting.timer);
      this.#take(waiting.caller, waiting.receive);
    }
  }

  #takeNext(): Waiting | undefined {
    if (this.#taken >= this.#options.max) return undefined;
    return this.#waiting.take((caller) => this.#mayTake(caller));
  }

  #wait(caller: string, receive: Receive): void {
    const timer = setTimeout(() => {
      this.#waiting.remove(caller, waiting);
      // The same error as the pool's own.
      receive(new Error('timeout exceeded when trying to connect'), undefined, () => undefined);
    }, this.#options.connectionTimeoutMillis);
    const waiting: Waiting = { caller, receive, timer };
    this.#waiting.add(caller, waiting);
  }
}
