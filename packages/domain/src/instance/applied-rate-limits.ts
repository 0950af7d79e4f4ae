import type { BusListener } from '../cache/index.ts';
import type { Context, Log } from '../kernel/index.ts';
import { readRateLimits, type StoredRateLimits } from './rate-limit.ts';

export const RATE_LIMIT_TAG = 'rate-limits';
const RETRY_MS = 1_000;

interface AppliedRateLimitsDeps extends Pick<Context, 'sql'> {
  readonly log: Log;
}

type Apply = (stored: StoredRateLimits) => void;

/**
 * Keeps the limiters up to date with the stored rate limits: reads them at the start, after a change in any process,
 * and after reconnecting. Requests never wait for it. If a read fails, the last limits stay in force.
 */
export class AppliedRateLimits implements BusListener {
  readonly #deps: AppliedRateLimitsDeps;
  readonly #followers = new Set<Apply>();
  #isStale = false;
  #reading: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(deps: AppliedRateLimitsDeps) {
    this.#deps = deps;
  }

  /** Resolves once the limits are applied, or could not be read; the answer ends it. */
  async follow(apply: Apply): Promise<() => void> {
    this.#followers.add(apply);
    await this.#refresh();
    return () => void this.#followers.delete(apply);
  }

  invalidate(tags: Iterable<string>): void {
    for (const tag of tags) if (tag === RATE_LIMIT_TAG) this.#refreshSoon();
  }

  set enabled(isHearing: boolean) {
    if (isHearing) this.#refreshSoon();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#reading;
  }

  #refreshSoon(): void {
    this.#refresh().catch((error: unknown) =>
      this.#deps.log.error({ err: error }, 'The rate limits cannot be applied'),
    );
  }

  /** One read at a time; after a change during a read, it reads again. */
  #refresh(): Promise<void> {
    if (this.#isClosed || this.#followers.size === 0) return Promise.resolve();
    this.#isStale = true;
    return (this.#reading ??= this.#read());
  }

  async #read(): Promise<void> {
    clearTimeout(this.#retry);
    try {
      while (this.#isStale && !this.#isClosed) {
        this.#isStale = false;
        const stored = await readRateLimits(this.#deps);
        for (const apply of this.#followers) apply(stored);
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'The stored rate limits cannot be read; the previous ones stay in force');
      this.#retry = setTimeout(() => this.#refreshSoon(), RETRY_MS).unref();
    } finally {
      this.#reading = undefined;
    }
  }
}
