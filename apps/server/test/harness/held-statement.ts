import { AsyncLocalStorage } from 'node:async_hooks';
import { onEveryQuery, type Query } from './every-query.ts';
import type { TestServer } from './test-server.ts';

interface Held {
  readonly matches: RegExp;
  /** How many matching statements go on before. */
  left: number;
  readonly reached: PromiseWithResolvers<void>;
  readonly go: Promise<void>;
}

/** Milliseconds: longer than it takes until another process knows of a change, and than a request goes on without comparing rights. */
const KNOWN_MS = 300;

export interface Holding {
  /** How many matching statements go on before that; default: 0. */
  readonly after?: number;
  /** For a statement that several calls share, and that runs outside of each of them. */
  readonly isShared?: boolean;
}

/** Holds statements of single requests at a server, as a connection or a lock does that others hold. */
export class HeldStatements {
  readonly #requests = new AsyncLocalStorage<Held>();
  readonly #pool: TestServer['coffer']['pool'];
  #shared: Held | undefined;

  constructor({ coffer }: TestServer) {
    this.#pool = coffer.pool;
    onEveryQuery(coffer, () => (query, send) => this.#ask(query, send));
  }

  #ask({ text }: Query, send: () => unknown): unknown {
    const held = this.#shared ?? this.#requests.getStore();
    if (!held || !held.matches.test(text) || held.left-- !== 0) return send();
    held.reached.resolve();
    return held.go.then(send);
  }

  /** The answer to a request whose statement waits during a change. */
  async during<T>(
    matches: RegExp,
    request: () => Promise<T>,
    change: () => Promise<unknown>,
    { after = 0, isShared = false }: Holding = {},
  ): Promise<T> {
    const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = { matches, left: after, reached, go: go.promise };
    if (isShared) this.#shared = held;
    const answer = this.#requests.run(held, request);
    const isHeld = await Promise.race([reached.promise.then(() => true), answer.then(() => false)]);
    this.#shared = undefined;
    if (!isHeld) throw new Error(`No statement of the request matches ${matches}: ${JSON.stringify(await answer)}`);
    try {
      await change();
      await new Promise((resolve) => setTimeout(resolve, KNOWN_MS));
    } finally {
      go.resolve();
    }
    return answer;
  }

  /** The same for a change that may wait for the request; with its result, and whether it came before the statement. */
  async beside<T, U>(matches: RegExp, request: () => Promise<T>, change: () => Promise<U>): Promise<[T, U, boolean]> {
    let changing: Promise<U> | undefined;
    let [isDone, isBefore] = [false, false];
    const begin = async () => {
      changing = change().finally(() => {
        isDone = true;
      });
      await Promise.race([changing, this.untilAwaited(() => isDone)]);
      isBefore = isDone;
    };
    const answer = await this.during(matches, request, begin, { isShared: true });
    return [answer, await changing!, isBefore];
  }

  /** Until something waits for a lock, or is over. */
  async untilAwaited(isOver = (): boolean => false): Promise<void> {
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    while (!isOver() && (await this.#pool.query(waiting)).rowCount === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
