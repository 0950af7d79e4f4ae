import { statement, type Statement } from '../../kernel/index.ts';

const FLUSH_MS = 1000;

const ADD_USES = statement(
  'identity_access_tokens.add_uses',
  `update identity_access_tokens t set num_uses = t.num_uses + u.uses, last_used_at = greatest(t.last_used_at, u.used_at)
   from unnest($1::uuid[], $2::integer[], $3::timestamptz[]) as u (id, uses, used_at) where t.id = u.id`,
);

/**
 * Counts the uses of tokens that have no limit: in memory, written once a second and before anyone reads the counter.
 * (Tokens with a limit are counted in the database on each use, where the limit is exact.)
 */
export class UsageCounter {
  readonly #query: (statement: Statement, values: readonly unknown[]) => Promise<unknown>;
  #uses = new Map<string, { uses: number; usedAt: Date }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(query: (statement: Statement, values: readonly unknown[]) => Promise<unknown>) {
    this.#query = query;
  }

  add(tokenId: string, usedAt: Date): void {
    const known = this.#uses.get(tokenId);
    if (known) {
      known.uses++;
      known.usedAt = usedAt;
    } else this.#uses.set(tokenId, { uses: 1, usedAt });
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), FLUSH_MS).unref();
  }

  /** Writes what was counted; on failure it is kept for the next time. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#uses.size === 0) return;
    const counted = [...this.#uses].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#uses = new Map();
    try {
      await this.#query(ADD_USES, [counted.map(([id]) => id), counted.map(([, { uses }]) => uses), counted.map(([, { usedAt }]) => usedAt)]);
    } catch (error) {
      for (const [id, { uses, usedAt }] of counted) {
        const newer = this.#uses.get(id);
        this.#uses.set(id, { uses: uses + (newer?.uses ?? 0), usedAt: newer?.usedAt ?? usedAt });
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.flush().catch(() => undefined);
    clearTimeout(this.#timer);
  }
}
