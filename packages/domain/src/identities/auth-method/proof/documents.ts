import { createHash } from 'node:crypto';
import { DomainError, badRequest, type OutboundFetch } from '../../../kernel/index.ts';

const SECOND = 1000;

/** What is kept of what others publish, and for how long. Times in milliseconds. */
export const BOUNDS = {
  /** Of one document. */
  documentBytes: 256 * 1024,
  /** Of all together. */
  bytes: 32 * 1024 * 1024,
  documents: 1000,
  /** A document is asked for again after this: what its publisher takes out of it counts no longer. */
  age: 600 * SECOND,
  /** A failure is cached for this long. */
  failureAge: 5 * SECOND,
  /** A document that is there is not asked for more often than this, whatever is missing in it. */
  refreshInterval: 10 * SECOND,
  /** For one exchange. */
  timeout: 5 * SECOND,
};

/** Where a document is, who vouches for its host, and what it is read as. */
export interface Source<Value> {
  readonly url: string;
  /** PEM of the only roots to trust; the system's where absent. */
  readonly ca: string | undefined;
  /** Makes of the document what is kept, once for each time that it is fetched; throws where it is none. */
  readonly read: (document: unknown) => Value;
  /** Tells documents apart that are at the same place and read differently. */
  readonly as: string;
}

interface Entry {
  kept?: { readonly value: unknown; readonly at: number };
  /** 0 while nothing is kept. */
  bytes: number;
  asked: number;
  pending?: Promise<unknown>;
  failure?: DomainError;
  isDropped?: true;
}

/**
 * JSON documents that others publish, each fetched once for all who want it at the same time. Those that were not used for
 * longest are dropped first, and before them what could not be had: whoever names documents that are not there pushes out
 * none that are. A publisher that is slow, gone or lying costs its own readers at most `BOUNDS.timeout`.
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

  /** @throws DomainError 400 `outbound.*` where the document cannot be had, `provider.bad_answer` where it is none. */
  async get<Value>(source: Source<Value>): Promise<Value> {
    const entry = this.#entryOf(source);
    const now = this.#now().getTime();
    if (entry.kept && now - entry.kept.at < BOUNDS.age) return entry.kept.value as Value;
    if (entry.failure && now - entry.asked < BOUNDS.failureAge) throw entry.failure;
    return this.#ask(entry, source) as Promise<Value>;
  }

  /** The document as it is now, for whoever misses something in it; or the one that is kept, where that is young. */
  async getAnew<Value>(source: Source<Value>): Promise<Value> {
    const entry = this.#entryOf(source);
    const isYoung = this.#now().getTime() - entry.asked < BOUNDS.refreshInterval;
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

  async #load(entry: Entry, { url, ca, read }: Source<unknown>): Promise<unknown> {
    entry.asked = this.#now().getTime();
    delete entry.failure;
    try {
      const answer = await this.#fetch(url, {
        headers: { accept: 'application/json' },
        timeoutMs: BOUNDS.timeout,
        maxBytes: BOUNDS.documentBytes,
        ...(ca && { ca }),
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
    // Dropped while it was fetched: its readers have it, and nobody else.
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

/** A host that answers what it should not: 400, since the configuration names it. */
export const badAnswer = (url: string, what: string) => {
  const { host } = new URL(url);
  return badRequest('provider.bad_answer', `${host} answered ${what}`, { host });
};
