import { statement, type Statement, type Usage } from '../../kernel/index.ts';

const FLUSH_MS = 1000;

const addUses = (table: string, count = 'num_uses = t.num_uses + u.uses, ') =>
  statement(
    `${table}.add_uses`,
    `update ${table} t set ${count}last_used_at = greatest(t.last_used_at, u.used_at)
     from unnest($1::uuid[], $2::integer[], $3::timestamptz[]) as u (id, uses, used_at) where t.id = u.id`,
  );
const ADD_TOKEN_USES = addUses('identity_access_tokens');
const ADD_LOGINS = addUses('client_secrets');
const NOTE_SERVICES = addUses('service_tokens', '');
const NOTE_SESSIONS = addUses('user_sessions', '');
const NOTE_API_KEYS = addUses('user_api_keys', '');

type Query = (statement: Statement, values: readonly unknown[]) => Promise<unknown>;

/**
 * Counts the uses of tokens and client secrets without a limit: in memory, written once a second and before counters
 * are read. (Those with a limit are counted exactly in the database on each use.)
 */
export class UsageCounter implements Usage {
  readonly #tokens: Counter;
  readonly #logins: Counter;
  readonly #services: Counter;
  readonly #sessions: Counter;
  readonly #apiKeys: Counter;
  readonly #counters: readonly Counter[];
  #timer: NodeJS.Timeout | undefined;

  constructor(query: Query) {
    this.#tokens = new Counter(query, ADD_TOKEN_USES);
    this.#logins = new Counter(query, ADD_LOGINS);
    this.#services = new Counter(query, NOTE_SERVICES);
    this.#sessions = new Counter(query, NOTE_SESSIONS);
    this.#apiKeys = new Counter(query, NOTE_API_KEYS);
    this.#counters = [this.#tokens, this.#logins, this.#services, this.#sessions, this.#apiKeys];
  }

  add(tokenId: string, usedAt: Date): void {
    this.#count(this.#tokens, tokenId, usedAt);
  }

  addLogin(clientSecretId: string, usedAt: Date): void {
    this.#count(this.#logins, clientSecretId, usedAt);
  }

  addService(serviceTokenId: string, usedAt: Date): void {
    this.#count(this.#services, serviceTokenId, usedAt);
  }

  addSession(sessionId: string, usedAt: Date): void {
    this.#count(this.#sessions, sessionId, usedAt);
  }

  addApiKey(apiKeyId: string, usedAt: Date): void {
    this.#count(this.#apiKeys, apiKeyId, usedAt);
  }

  unwritten(): (id: string) => boolean {
    const unwritten = this.#counters.flatMap((counter) => counter.unwritten());
    return (id) => unwritten.some((uses) => uses.has(id));
  }

  /**
   * Writes the counts, including those that another flush has begun to write; on failure they are kept for the next
   * flush.
   */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await Promise.all(this.#counters.map((counter) => counter.flush()));
  }

  async close(): Promise<void> {
    await this.flush().catch(() => undefined);
    clearTimeout(this.#timer);
  }

  #count(counter: Counter, id: string, usedAt: Date): void {
    counter.add(id, usedAt);
    this.#flushSoon();
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.flush().catch(() => this.#flushSoon());
    }, FLUSH_MS).unref();
  }
}

type Uses = Map<string, { uses: number; usedAt: Date }>;

class Counter {
  readonly #query: Query;
  readonly #write: Statement;
  #uses: Uses = new Map();
  /** Those that are being written. */
  #underWay: Uses = new Map();
  #writing: Promise<void> = Promise.resolve();

  constructor(query: Query, write: Statement) {
    this.#query = query;
    this.#write = write;
  }

  add(id: string, usedAt: Date, uses = 1): void {
    const known = this.#uses.get(id);
    if (known) {
      known.uses += uses;
      if (usedAt > known.usedAt) known.usedAt = usedAt;
    } else this.#uses.set(id, { uses, usedAt });
  }

  /** The counts that may not be written yet; later ones may be added to them. */
  unwritten(): readonly ReadonlyMap<string, unknown>[] {
    return [this.#uses, this.#underWay].filter((uses) => uses.size > 0);
  }

  /** Flushes run in sequence, so that a caller that waits for its own has also waited for earlier ones. */
  flush(): Promise<void> {
    const flushed = this.#writing.then(() => this.#flush());
    this.#writing = flushed.catch(() => undefined);
    return flushed;
  }

  async #flush(): Promise<void> {
    if (this.#uses.size === 0) return;
    // In the order of their ids, so that two processes never wait for each other.
    const counted = [...this.#uses].toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.#underWay = this.#uses;
    this.#uses = new Map();
    try {
      await this.#query(this.#write, [
        counted.map(([id]) => id),
        counted.map(([, { uses }]) => uses),
        counted.map(([, { usedAt }]) => usedAt),
      ]);
    } catch (error) {
      for (const [id, { uses, usedAt }] of counted) this.add(id, usedAt, uses);
      throw error;
    } finally {
      this.#underWay = new Map();
    }
  }
}
