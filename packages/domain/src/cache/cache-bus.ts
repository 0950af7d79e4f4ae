import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { asOptions, keepaliveOf, type Log, type Statement } from '../kernel/index.ts';

const CHANNEL = 'coffer_forget';
const HEARTBEAT_MS = 300;
const RECONNECT_MS = 200;
/** For so long eventual invalidations are collected. */
const PUBLISH_MS = 20;
/** Invalidations that are queued while they cannot be sent; the affected entries expire long before. */
const MAX_MENTIONS = 10_000;
/** Together with the interval less than the second within which other processes' changes must hold here. */
const HEARTBEAT_TIMEOUT_MS = 600;

/**
 * The SQL that notifies every process of an invalidation: part of the transaction that makes the change, delivered on
 * commit.
 */
export const INVALIDATE: Statement = {
  name: 'invalidate',
  text: `select pg_notify('${CHANNEL}', tags) from unnest($1::text[]) as tags`,
};

const HEARTBEAT = `select (extract(epoch from clock_timestamp()) * 1000)::float8 as time, pg_postmaster_start_time()::text as server`;

/** A heartbeat of the database. */
export interface Heartbeat {
  /** Its time in milliseconds. */
  readonly time: number;
  /** Milliseconds that it took. */
  readonly took: number;
}

/** A cache, or another listener for invalidations; `enabled`: whether invalidations of other processes arrive. */
export interface BusListener {
  invalidate(tags: Iterable<string>): void;
  set enabled(isHearing: boolean);
  /** Set by the bus, for those that have it: whether all that others have committed a second ago is known here. */
  isCurrent?: () => boolean;
}

/** What a process does when it hears of the database. */
export interface BusEvents {
  /** A heartbeat; the first one comes before anything is cached. */
  readonly heard?: (there: Heartbeat) => void;
  /** It hears again, of another server or the same one, after the connection was lost at this time (`performance.now()`). */
  readonly restored?: (lostAt: number, isElsewhere: boolean) => void;
}

export interface BusOptions extends BusEvents {
  /** Milliseconds that a heartbeat may take. Default: 600. */
  readonly heartbeatTimeout?: number | undefined;
}

/**
 * Carries cache drops between processes. While the connection to the database is lost, or does not answer a heartbeat,
 * the caches are off, so that no process can go on with rights that were taken away elsewhere.
 */
export class CacheBus {
  readonly #listeners: BusListener[] = [];
  readonly #url: string;
  readonly #log: Log;
  readonly #events: BusEvents;
  readonly #heartbeatTimeout: number;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  /** While it exists, invalidations are received and sent. */
  #client: Client | undefined;
  /** When the last heartbeat was asked for that has come: by the clock that goes on while the machine sleeps. */
  #askedAt = 0;
  /** The server that it was listened to last. */
  #server: string | undefined;
  /** When the connection was lost, until another one listens; `performance.now()`. */
  #lostAt: number | undefined;
  readonly #eventualInvalidations = new Set<string>();
  #pending: NodeJS.Timeout | undefined;

  constructor(url: string, log: Log, { heartbeatTimeout = HEARTBEAT_TIMEOUT_MS, ...events }: BusOptions = {}) {
    this.#url = url;
    this.#log = log;
    this.#events = events;
    this.#heartbeatTimeout = heartbeatTimeout;
  }

  register(listener: BusListener): void {
    listener.enabled = false;
    if ('isCurrent' in listener) listener.isCurrent = this.#isCurrent;
    this.#listeners.push(listener);
  }

  /** Drops here; a transaction's own drops reach the others with its commit (`INVALIDATE`). */
  invalidate(tags: readonly string[]): void {
    for (const listener of this.#listeners) listener.invalidate(tags);
  }

  /** Invalidates here immediately, and in other processes soon: some milliseconds later, or after reconnecting. */
  invalidateEventually(tags: readonly string[]): void {
    this.invalidate(tags);
    for (const tag of tags) if (this.#eventualInvalidations.size < MAX_MENTIONS) this.#eventualInvalidations.add(tag);
    this.#pending ??= setTimeout(() => void this.#publish(), PUBLISH_MS).unref();
  }

  async #publish(): Promise<void> {
    this.#pending = undefined;
    const tags = [...this.#eventualInvalidations];
    if (!this.#client || tags.length === 0) return;
    this.#eventualInvalidations.clear();
    await this.#client.query(INVALIDATE.text, [tags]).catch(() => {
      for (const tag of tags) this.#eventualInvalidations.add(tag);
    });
  }

  /** Begins to listen; resolves when it does. Reconnects automatically until it is closed. */
  async open(): Promise<void> {
    const first = await this.#connect();
    this.#running = this.#supervise(first);
  }

  async close(): Promise<void> {
    clearTimeout(this.#pending);
    await this.#publish();
    this.#stop.abort();
    await this.#running;
  }

  /**
   * A process that was stopped for some time, with its machine or by itself, has heard nothing, and does not know yet that
   * its connection is lost. Caches are not used when a heartbeat is too old, though nothing has failed yet.
   */
  readonly #isCurrent = (): boolean => {
    const age = Date.now() - this.#askedAt;
    return age >= 0 && age <= HEARTBEAT_MS + this.#heartbeatTimeout;
  };

  async #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.#url,
      application_name: 'coffer-cache',
      keepAlive: true,
      options: asOptions(keepaliveOf(this.#url)),
      connectionTimeoutMillis: Math.max(5_000, this.#heartbeatTimeout),
      query_timeout: this.#heartbeatTimeout,
    });
    client.on('error', () => undefined);
    client.on('notification', ({ payload }) => {
      if (payload) this.invalidate([payload]);
    });
    client.once('end', () => this.#lost(client));
    let server: string;
    try {
      await client.connect();
      server = await this.#beat(client);
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      // The server may have admitted it, and not answer any more.
      client.connection.stream.destroy();
      throw error;
    }
    this.#restored(server);
    this.#client = client;
    this.#enable(true);
    await this.#publish();
    return client;
  }

  async #supervise(first: Client): Promise<void> {
    let client: Client | undefined = first;
    while (!this.#stop.signal.aborted) {
      try {
        client ??= await this.#connect();
        await this.#pause(HEARTBEAT_MS);
        if (!this.#stop.signal.aborted) await this.#beat(client);
      } catch (error) {
        if (client && !this.#stop.signal.aborted) {
          this.#lost(client);
          this.#log.warn(
            { reason: String(error) },
            'The cache connection is lost; caches are disabled until it is restored',
          );
        }
        await client?.end().catch(() => undefined);
        client = undefined;
        await this.#pause(RECONNECT_MS);
      }
    }
    await client?.end().catch(() => undefined);
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#lostAt = performance.now();
    this.#enable(false);
  }

  #restored(server: string): void {
    if (this.#lostAt !== undefined) this.#events.restored?.(this.#lostAt, this.#server !== server);
    this.#lostAt = undefined;
    this.#server = server;
  }

  /** Which server has answered. */
  async #beat(client: Client): Promise<string> {
    const [askedAt, asked] = [Date.now(), performance.now()];
    const { rows } = await client.query<{ time: number; server: string }>(HEARTBEAT);
    const { time, server } = rows[0]!;
    this.#askedAt = askedAt;
    this.#events.heard?.({ time, took: performance.now() - asked });
    return server;
  }

  /** Waits, unless it is closed. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { ref: false, signal: this.#stop.signal }).catch(() => undefined);
  }

  #enable(enabled: boolean): void {
    for (const listener of this.#listeners) listener.enabled = enabled;
  }
}
