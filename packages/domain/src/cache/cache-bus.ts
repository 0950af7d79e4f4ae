import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '../kernel/index.ts';
import type { TaggedCache } from './tagged-cache.ts';

const CHANNEL = 'coffer_forget';
const HEARTBEAT_MS = 300;
const RECONNECT_MS = 200;
/** Together with the interval less than the second within which other processes' changes must hold here. */
const HEARTBEAT_TIMEOUT_MS = 600;

/** The SQL that tells every process to forget: part of the transaction that makes the change, delivered on commit. */
export const FORGET_SQL = `select pg_notify('${CHANNEL}', tags) from unnest($1::text[]) as tags`;

/**
 * Carries cache drops between processes. While the connection to the database is lost, or does not answer a heartbeat,
 * the caches are off, so that no process can go on with rights that were taken away elsewhere.
 */
export class CacheBus {
  readonly #caches: TaggedCache<never>[] = [];
  readonly #url: string;
  readonly #log: Log;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
  }

  register<Value>(cache: TaggedCache<Value>): TaggedCache<Value> {
    cache.enabled = false;
    this.#caches.push(cache as unknown as TaggedCache<never>);
    return cache;
  }

  /** Drops here; a transaction's own drops reach the others with its commit (`FORGET_SQL`). */
  forget(tags: readonly string[]): void {
    for (const cache of this.#caches) cache.forget(tags);
  }

  /** Begins to listen; resolves once it does. Reconnects by itself until it is closed. */
  async open(): Promise<void> {
    const first = await this.#connect();
    this.#running = this.#supervise(first);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.#url,
      application_name: 'coffer-cache',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: HEARTBEAT_TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    client.on('notification', ({ payload }) => {
      if (payload) this.forget([payload]);
    });
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    this.#enable(true);
    return client;
  }

  async #supervise(first: Client): Promise<void> {
    let client: Client | undefined = first;
    while (!this.#stop.signal.aborted) {
      try {
        client ??= await this.#connect();
        await this.#pause(HEARTBEAT_MS);
        if (!this.#stop.signal.aborted) await client.query('select 1');
      } catch (error) {
        this.#enable(false);
        if (client && !this.#stop.signal.aborted) {
          this.#log.warn({ reason: String(error) }, 'The cache connection is lost; caches are off until it is back');
        }
        await client?.end().catch(() => undefined);
        client = undefined;
        await this.#pause(RECONNECT_MS);
      }
    }
    await client?.end().catch(() => undefined);
  }

  /** Waits, unless it is closed. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { ref: false, signal: this.#stop.signal }).catch(() => undefined);
  }

  #enable(enabled: boolean): void {
    for (const cache of this.#caches) cache.enabled = enabled;
  }
}
