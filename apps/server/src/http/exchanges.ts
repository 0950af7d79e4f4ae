import type { ServerResponse } from 'node:http';
import { Members, type Member } from './members.ts';

/** Milliseconds between two looks at the responses that are being sent. */
const SWEEP_MS = 1_000;
/** Maximum time in milliseconds that a client may leave a response unread. */
const PATIENCE_MS = 30_000;

/** One request and its response, from its arrival until the response is closed. */
export class Exchange implements Member {
  position = -1;
  readonly since = performance.now();
  readonly raw: ServerResponse;
  /** Whether its response is complete and being sent; streams have limits of their own. */
  isSending = false;
  isTimed = false;

  constructor(raw: ServerResponse) {
    this.raw = raw;
  }
}

/**
 * The requests under way. A client that does not read its response is disconnected. Node does that by a timer of the socket;
 * to set one for each response would cost as much as to route it, and nearly all are sent at once, so only responses get one
 * that a sweep finds unsent. Node destroys the socket after so long without progress, and sets another time after the response.
 */
export class Exchanges {
  readonly #patienceMs: number;
  readonly #all = new Members<Exchange>();
  #sweeper: NodeJS.Timeout | undefined;

  /** `patienceMs`: milliseconds without progress. */
  constructor(patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  get size(): number {
    return this.#all.size;
  }

  begin(raw: ServerResponse): Exchange {
    const exchange = new Exchange(raw);
    this.#all.add(exchange);
    this.#sweeper ??= setInterval(() => this.#sweep(), Math.min(SWEEP_MS, this.#patienceMs)).unref();
    return exchange;
  }

  end(exchange: Exchange): void {
    this.#all.delete(exchange);
  }

  /** A complete response is being sent from now on. One without an exchange, of a probe, gets its timer at once. */
  sending(raw: ServerResponse, exchange: Exchange | undefined): void {
    if (exchange) exchange.isSending = true;
    else this.#time(raw);
  }

  /** Whether it has a timer now: a pipelined response has no socket before its turn. */
  #time({ socket }: ServerResponse): boolean {
    socket?.setTimeout?.(this.#patienceMs);
    return socket !== null;
  }

  #sweep(): void {
    for (const one of this.#all) if (one.isSending && !one.isTimed) one.isTimed = this.#time(one.raw);
    if (this.#all.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}
