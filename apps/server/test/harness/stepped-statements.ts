import { AsyncLocalStorage } from 'node:async_hooks';
import { onEveryQuery, type Query } from './every-query.ts';
import { LOCKS } from './recorded-locks.ts';
import type { Answer, TestServer } from './test-server.ts';

interface Statement {
  readonly name: string;
  readonly locks: boolean;
}

/** What is done beside a request, and decides nothing: its token and the uses of that, holding its place, its events. */
const BESIDE = /^(?:identity_access_tokens\.find|places\.hold|audit_events\.\w+|.*\.add_uses)$/;
const FRAME = /^\s*(?:begin|commit|rollback|set|savepoint|release)\b/i;

interface Held {
  readonly at: number;
  readonly statements: Statement[];
  readonly reached: PromiseWithResolvers<void>;
  readonly go: PromiseWithResolvers<void>;
}

export interface Stepped {
  readonly answer: Answer;
  /** Whether it had so many statements. */
  readonly isHeld: boolean;
  /** Whether the change waited for the request, which came first. */
  readonly isBefore: boolean;
  /** The statements before the held one, and from it. */
  readonly before: readonly Statement[];
  readonly after: readonly Statement[];
}

/** How long a change is waited for that waits for the held request, and how long until rows are asked again. In milliseconds. */
const [BLOCKED_MS, ASKED_AGAIN_MS] = [1000, 150];
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Holds single requests at one of their statements, by its number. */
export class SteppedStatements {
  readonly #requests = new AsyncLocalStorage<Held>();

  constructor({ coffer }: TestServer) {
    onEveryQuery(coffer, () => (query, send) => this.#ask(query, send));
  }

  #ask({ name, text }: Query, send: () => unknown): unknown {
    const held = this.#requests.getStore();
    if (!held || FRAME.test(text) || BESIDE.test(name)) return send();
    const index = held.statements.push({ name, locks: LOCKS.test(text) }) - 1;
    if (index === held.at) held.reached.resolve();
    // Those that are sent together with the held one come after it.
    return index < held.at ? send() : held.go.promise.then(send);
  }

  /** The answer to a request whose statement of this number waits during a change. */
  async during(at: number, request: () => Promise<Answer>, change: () => Promise<unknown>): Promise<Stepped> {
    const held: Held = { at, statements: [], reached: Promise.withResolvers(), go: Promise.withResolvers() };
    const answering = this.#requests.run(held, request);
    const isHeld = await Promise.race([held.reached.promise.then(() => true), answering.then(() => false)]);
    const changing = isHeld ? change() : Promise.resolve();
    const isBefore = await Promise.race([changing.then(() => false), sleep(BLOCKED_MS).then(() => true)]);
    if (isHeld && !isBefore) await sleep(ASKED_AGAIN_MS);
    held.go.resolve();
    const answer = await answering;
    await changing;
    return { answer, isHeld, isBefore, before: held.statements.slice(0, at), after: held.statements.slice(at) };
  }
}
