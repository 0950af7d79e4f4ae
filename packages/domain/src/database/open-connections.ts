import type { Pool, PoolClient } from 'pg';

/** Milliseconds that a statement of a call may take, and some more. */
const PATIENCE_MS = 35_000;

interface Opened {
  readonly at: number;
  isIdle: boolean;
}

/**
 * The connections of a process. One whose other end is lost, with its machine or behind its network, cannot say so: whoever
 * waits for its answer would wait for a quarter of an hour, after which the operating system gives up.
 */
export class OpenConnections {
  readonly #opened = new Map<PoolClient, Opened>();
  readonly #patience: number;

  constructor(patience = PATIENCE_MS) {
    this.#patience = patience;
  }

  /** From now on, those of this pool as well. */
  follow(pool: Pool): void {
    const note = (client: PoolClient, isIdle: boolean) => {
      const opened = this.#opened.get(client);
      if (opened) opened.isIdle = isIdle;
    };
    pool.on('connect', (client) => {
      this.#opened.set(client, { at: performance.now(), isIdle: false });
      client.once('end', () => this.#opened.delete(client));
    });
    pool.on('acquire', (client) => note(client, false)).on('release', (_error, client) => note(client, true));
  }

  /** Ends those that were opened before this time (`performance.now()`): their server is gone. Returns their number. */
  endOlder(time: number): number {
    const older = this.#older(time);
    for (const [client] of older) this.#end(client);
    return older.length;
  }

  /**
   * Ends those of them that are idle, and the others unless they answer in time: the server is there, but they may have
   * been lost on the way to it.
   */
  verifyOlder(time: number): void {
    for (const [client, { isIdle }] of this.#older(time)) {
      if (isIdle) this.#end(client);
      else {
        const timer = setTimeout(() => this.#end(client), this.#patience).unref();
        // After what is asked there now. Any answer will do.
        client.query('select 1').then(
          () => clearTimeout(timer),
          () => clearTimeout(timer),
        );
      }
    }
  }

  /** One that is idle leaves its pool at once, which would hand it out until its socket reports the end. */
  #end(client: PoolClient): void {
    if (this.#opened.get(client)?.isIdle) client.emit('error', new Error('The connection may be lost'));
    client.connection.stream.destroy();
  }

  #older(time: number): [PoolClient, Opened][] {
    return [...this.#opened].filter(([, { at }]) => at < time);
  }
}
