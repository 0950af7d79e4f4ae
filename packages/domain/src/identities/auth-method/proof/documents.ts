import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, badRequest, isRecent, type OutboundFetch } from '../../../kernel/index.ts';

const SECOND = 1000;

/** Limits of the cache of published documents. Times in milliseconds. */
export const BOUNDS = {
  /** Size of one document. */
  documentBytes: 256 * 1024,
  /** Of all together. */
  bytes: 32 * 1024 * 1024,
  documents: 1000,
  /** Maximum age: keys that the publisher has removed are no longer accepted after this. */
  age: 600 * SECOND,
  /** A failure is cached for this long, for whose turn it was. */
  failureAge: 5 * SECOND,
  /** Minimum interval between two requests of one owner for a cached document, whatever is missing in it. */
  refreshInterval: 10 * SECOND,
  /** Deadline of one request. */
  timeout: 5 * SECOND,
  /** How long a reader waits for a request in the turn of others before it asks in its own. */
  patience: SECOND / 4,
};

/** The address of a document, the roots for its host, and its parser. */
export interface Source<Value> {
  readonly url: string;
  /** PEM of the only trusted roots; default: those of the system. */
  readonly ca?: string | undefined;
  /** Whose turn a fetch of it is: see `OutboundRequest`. */
  readonly whose?: string | undefined;
  /** Parses the document, once per fetch; throws if it is invalid. */
  readonly read: (document: unknown) => Value;
  /** Distinguishes documents at the same address with different parsers. */
  readonly as: string;
}

/** What one owner has asked for. */
interface Turn {
  asked: number;
  pending?: Promise<Found>;
  failure?: DomainError;
}

interface Found {
  readonly value: unknown;
  readonly at: number;
}

interface Entry {
  kept?: Found;
  /** 0 while nothing is cached. */
  bytes: number;
  readonly turns: Map<string, Turn>;
  /** Who is told of the next document that arrives, in whose turn it may be. */
  readonly waiting: Set<(found: Found) => void>;
  isDropped?: true;
}

/**
 * A cache of published JSON documents, with one fetch for all concurrent readers, unless that takes long: then each owner has its own, since
 * that of another one may wait for its turn behind many others, and fail by that. What arrives first is for all. Least recently used ones are evicted
 * first, and before them failed ones: requests for missing documents do not evict existing ones. A publisher that is
 * slow, unreachable or malicious delays its own readers by at most `BOUNDS.timeout`.
 */
export class Documents {
  readonly #fetch: OutboundFetch;
  readonly #now: () => Date;
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(fetch: OutboundFetch, now: () => Date) {
    this.#fetch = fetch;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @throws DomainError 400 `outbound.*` if the document cannot be fetched, `provider.bad_answer` if it is invalid. */
  async get<Value>(source: Source<Value>): Promise<Value> {
    const entry = this.#entryOf(source);
    const now = this.#now().getTime();
    if (entry.kept && isRecent(entry.kept.at, BOUNDS.age, now)) return entry.kept.value as Value;
    const { asked, failure } = turnOf(entry, source, now);
    if (failure && isRecent(asked, BOUNDS.failureAge, now)) throw failure;
    return this.#ask(entry, source) as Promise<Value>;
  }

  /** The current document, for a reader that misses something in it; or the cached one if it is recent. */
  async getAnew<Value>(source: Source<Value>): Promise<Value> {
    const entry = this.#entryOf(source);
    const now = this.#now().getTime();
    const { asked, pending } = turnOf(entry, source, now);
    const isYoung = isRecent(Math.max(asked, entry.kept?.at ?? -Infinity), BOUNDS.refreshInterval, now);
    return isYoung && !pending ? this.get(source) : (this.#ask(entry, source) as Promise<Value>);
  }

  #entryOf({ url, ca = '', as }: Source<unknown>): Entry {
    const key = createHash('sha256')
      .update(JSON.stringify([as, url, ca]))
      .digest('base64');
    const entry = this.#entries.get(key) ?? { bytes: 0, turns: new Map(), waiting: new Set() };
    this.#entries.delete(key);
    if (this.#entries.size >= BOUNDS.documents) this.#dropOldest(({ kept }) => !kept);
    if (this.#entries.size >= BOUNDS.documents) this.#dropOldest();
    this.#entries.set(key, entry);
    return entry;
  }

  async #ask(entry: Entry, source: Source<unknown>): Promise<unknown> {
    const turn = turnOf(entry, source, this.#now().getTime());
    const { promise: next, resolve } = Promise.withResolvers<Found>();
    entry.waiting.add(resolve);
    try {
      return (await this.#firstOf(entry, turn, { source, next })).value;
    } finally {
      entry.waiting.delete(resolve);
    }
  }

  async #firstOf(
    entry: Entry,
    turn: Turn,
    { source, next }: { source: Source<unknown>; next: Promise<Found> },
  ): Promise<Found> {
    const others = [...entry.turns.values()].flatMap(({ pending }) => pending ?? []);
    if (!turn.pending && others.length > 0) {
      const inTime = sleep(BOUNDS.patience, undefined, { ref: false });
      const found = await Promise.race([next, Promise.allSettled(others).then(() => undefined), inTime]);
      if (found) return found;
    }
    turn.pending ??= this.#load(entry, turn, source).finally(() => delete turn.pending);
    return Promise.race([turn.pending, next]);
  }

  async #load(entry: Entry, turn: Turn, { url, ca, whose, read }: Source<unknown>): Promise<Found> {
    const at = this.#now().getTime();
    turn.asked = at;
    delete turn.failure;
    try {
      const answer = await this.#fetch(url, {
        headers: { accept: 'application/json' },
        timeoutMs: BOUNDS.timeout,
        maxBytes: BOUNDS.documentBytes,
        ...(ca && { ca }),
        ...(whose !== undefined && { whose }),
      });
      if (answer.status !== 200) throw badAnswer(url, `status ${answer.status}`);
      const found = { value: read(answer.json()), at };
      this.#keep(entry, found, answer.body.length);
      return found;
    } catch (error) {
      if (error instanceof DomainError) turn.failure = error;
      throw error;
    }
  }

  #keep(entry: Entry, found: Found, bytes: number): void {
    for (const tell of entry.waiting) tell(found);
    // Another one was asked for later, and has arrived.
    if (entry.kept && entry.kept.at > found.at) return;
    entry.kept = found;
    // Invalidated during the fetch: its readers get it, but it is not cached.
    if (entry.isDropped) return;
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    while (this.#bytes > BOUNDS.bytes) this.#dropOldest(({ kept }) => kept !== undefined);
  }

  #dropOldest(fits: (entry: Entry) => boolean = () => true): void {
    for (const [key, entry] of this.#entries) {
      if (!fits(entry)) continue;
      this.#entries.delete(key);
      entry.isDropped = true;
      this.#bytes -= entry.bytes;
      return;
    }
  }
}

/** The turn of the owner of a source. Those of others that say nothing any more are forgotten. */
function turnOf({ turns }: Entry, { whose = '' }: Source<unknown>, now: number): Turn {
  const turn = turns.get(whose);
  if (turn) return turn;
  for (const [other, { asked, pending }] of turns)
    if (!pending && !isRecent(asked, BOUNDS.refreshInterval, now)) turns.delete(other);
  const made = { asked: -Infinity };
  turns.set(whose, made);
  return made;
}

/** An invalid response of a host: 400, because the configuration names it. */
export const badAnswer = (url: string, what: string) => {
  const { host } = new URL(url);
  return badRequest('provider.bad_answer', `${host} answered ${what}`, { host });
};
