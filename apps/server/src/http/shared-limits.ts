import type { LimitNews, Peers } from './peers.ts';

/** For so long news are collected: a caller is counted by all processes a few milliseconds later. */
const COLLECT_MS = 20;

/** Sends what this process counts to its peers, many counts at a time. */
export class SharedLimits {
  readonly #send: (news: LimitNews) => void;
  /** By counter and caller. */
  #counts = new Map<string, Map<string, number>>();
  #verified: [token: string, caller: string][] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(peers: Peers, receive: (news: LimitNews) => void) {
    this.#send = peers.shareLimits(receive);
  }

  count(counter: string, caller: string, amount: number): void {
    const counts = this.#counts.get(counter) ?? new Map<string, number>();
    this.#counts.set(counter, counts.set(caller, (counts.get(caller) ?? 0) + amount));
    this.#sendSoon();
  }

  verified(token: string, caller: string): void {
    this.#verified.push([token, caller]);
    this.#sendSoon();
  }

  #sendSoon(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      const counts = [...this.#counts].flatMap(([counter, callers]) =>
        Array.from(callers, ([caller, amount]) => [counter, caller, amount] as const),
      );
      const news = { counts, verified: this.#verified };
      this.#timer = undefined;
      this.#counts = new Map();
      this.#verified = [];
      this.#send(news);
    }, COLLECT_MS).unref();
  }
}
