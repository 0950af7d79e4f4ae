import { setTimeout as sleep } from 'node:timers/promises';

/** An answer that a correct server does not give. */
export interface Unexpected {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** `0`: there was no answer. */
  readonly status: number;
  /** The beginning of the answer, or what was wrong with it. */
  readonly body: string;
}

/** Milliseconds of the answers of some time, by kind of request. */
export interface Answered {
  readonly byKind: ReadonlyMap<string, readonly number[]>;
  readonly unexpected: readonly Unexpected[];
}

interface Request {
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
  /** Default: 200. */
  readonly status?: number;
}

/** The work of a caller ends with an unexpected answer; the next one begins anew. */
export class Ended extends Error {}

const PATIENCE_MS = 60_000;
const MOST_CHARACTERS = 500;

/** Sends the requests of all callers at a bounded rate, and notes how they were answered. */
export class Requests {
  readonly #url: string;
  /** Milliseconds between two requests. */
  readonly #pause: number;
  #next = performance.now();
  #byKind = new Map<string, number[]>();
  #unexpected: Unexpected[] = [];

  constructor(url: string, perSecond: number) {
    this.#url = url;
    this.#pause = 1000 / perSecond;
  }

  /** What was answered since the last call. */
  take(): Answered {
    const taken = { byKind: this.#byKind, unexpected: this.#unexpected };
    this.#byKind = new Map();
    this.#unexpected = [];
    return taken;
  }

  /** The answer's body. @throws Ended if the status is not the expected one, or there is no answer */
  async ask<Body = unknown>(request: Request): Promise<Body> {
    const { kind, method, path, token, body, status = 200 } = request;
    await this.#turn();
    const started = performance.now();
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch((error: Error) => ({ status: 0, text: [error.message, (error.cause as Error)?.message].join(' ') }));
    const times = this.#byKind.get(kind) ?? [];
    times.push(performance.now() - started);
    this.#byKind.set(kind, times);
    if (answer.status !== status) throw this.note({ method, path, ...answer });
    return (answer.text === '' ? undefined : JSON.parse(answer.text)) as Body;
  }

  /** Notes an answer that is wrong in another way than by its status. */
  note({ text, ...answer }: { method: string; path: string; status: number; text: string }): Ended {
    const body = text.slice(0, MOST_CHARACTERS);
    this.#unexpected.push({ at: new Date().toISOString(), ...answer, body });
    return new Ended(`${answer.method} ${answer.path} answered ${answer.status}: ${body}`);
  }

  /** Requests that are late are not made up for: a server that was slow does not get a storm. */
  async #turn(): Promise<void> {
    const now = performance.now();
    const turn = Math.max(this.#next, now);
    this.#next = turn + this.#pause;
    if (turn > now) await sleep(turn - now);
  }
}
