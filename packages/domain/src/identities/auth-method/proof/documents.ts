import { createHash } from 'node:crypto';
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
  /** A failure is cached for this long. */
  failureAge: 5 * SECOND,
  /** Minimum interval between two requests for a cached document, whatever is missing in it. */
  refreshInterval: 10 * SECOND,
  /** Deadline of one request. */
  timeout: 5 * SECOND,
};

/** The address of a document, the roots for its host, and its parser. */
export interface Source<Value> {
  readonly url: string;
  /** PEM of the only trusted roots; default: those of the system. */
  readonly ca: string | undefined;
  /** Whose turn a fetch of it is: see `OutboundRequest`. */
  readonly whose?: string | undefined;
  /** Parses the document, once per fetch; throws if it is invalid. */
  readonly read: (document: unknown) => Value;
  /** Distinguishes documents at the same address with different parsers. */
  readonly as: string;
}

interface Entry {
  kept?: { readonly value: unknown; readonly at: number };
  /** 0 while nothing is cached. */
  bytes: number;
  asked: number;
  pending?: Promise<unknown>;
  failure?: DomainError;
  isDropped?: true;
}

/**
 * A cache of published JSON documents, with one fetch for all concurrent readers. Least recently used ones are evicted
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
    if (entry.failure && isRecent(entry.asked, BOUNDS.failureAge, now)) throw entry.failure;
    return this.#ask(entry, source) as Promise<Value>;
  }

  /** The current document, for a reader that misses something in it; or the cached one if it is recent. */
  async getAnew<Value>(source: Source<Value>): Promise<Value> {
    const entry = this.#entryOf(source);
    const isYoung = isRecent(entry.asked, BOUNDS.refreshInterval, this.#now().getTime());
    return isYoung && !entry.pending ? this.get(source) : (this.#ask(entry, source) as Promise<Value>);
  }

  #entryOf({ url, ca = '', as }: Source<unknown>): Entry {
    const key = createHash('sha256')
      .update(JSON.stringify([as, url, ca]))
      .digest('base64');
    const entry = this.#entries.get(key) ?? { bytes: 0, asked: -Infinity };
    this.#entries.delete(key);
    if (this.#entries.size >= BOUNDS.documents) this.#dropOldest(({ kept }) => !kept);
    if (this.#entries.size >= BOUNDS.documents) this.#dropOldest();
    this.#entries.set(key, entry);
    return entry;
  }

  #ask(entry: Entry, source: Source<unknown>): Promise<unknown> {
    entry.pending ??= this.#load(entry, source).finally(() => delete entry.pending);
    return entry.pending;
  }

  async #load(entry: Entry, { url, ca, whose, read }: Source<unknown>): Promise<unknown> {
    entry.asked = this.#now().getTime();
    delete entry.failure;
    try {
      const answer = await this.#fetch(url, {
        headers: { accept: 'application/json' },
        timeoutMs: BOUNDS.timeout,
        maxBytes: BOUNDS.documentBytes,
        ...(ca && { ca }),
        ...(whose !== undefined && { whose }),
      });
      if (answer.status !== 200) throw badAnswer(url, `status ${answer.status}`);
      const value = read(answer.json());
      this.#keep(entry, value, answer.body.length);
      return value;
    } catch (error) {
      if (error instanceof DomainError) entry.failure = error;
      throw error;
    }
  }

  #keep(entry: Entry, value: unknown, bytes: number): void {
    entry.kept = { value, at: entry.asked };
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

/** An invalid response of a host: 400, because the configuration names it. */
export const badAnswer = (url: string, what: string) => {
  const { host } = new URL(url);
  return badRequest('provider.bad_answer', `${host} answered ${what}`, { host });
};
