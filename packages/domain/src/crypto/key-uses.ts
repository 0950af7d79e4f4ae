import {
  notFound,
  statement,
  unavailable,
  type DomainError,
  type Statement,
  type UseCounter,
} from '../kernel/index.ts';

/** A way to run a read: the pool's prepared statements, or a transaction's own connection. */
export type Query = <Row extends object>(
  statement: { name: string; text: string },
  values: readonly unknown[],
) => Promise<Row[]>;

/**
 * Maximum number of encryptions with one data key. With random nonces of 96 bits, AES-GCM allows 2^32 (NIST SP 800-38D,
 * section 8.3).
 */
export interface KeyUseLimits {
  /** Uses that a process reserves in the database at a time, and loses when it ends. */
  readonly block: number;
  /** From here on the key is rotated (`keys.rotate_used`). */
  readonly rotateAt: number;
  /** Nothing is encrypted beyond. */
  readonly limit: number;
}

export const KEY_USE_LIMITS: KeyUseLimits = { block: 2 ** 16, rotateAt: 2 ** 30, limit: 2 ** 32 };

/** The keys of one table, whose uses are counted there. */
export interface CountedKeys {
  /** Adds `$2` to the uses of the key `$1` if that is at most `$3`. */
  readonly reserve: Statement;
  readonly isThere: Statement;
  /** Of a key that has gone. */
  readonly name: string;
  readonly exhausted: () => DomainError;
}

/** The keys of a table with the columns `id` and `uses`. */
export const countedKeys = (
  table: string,
  { name, exhausted }: Pick<CountedKeys, 'name' | 'exhausted'>,
): CountedKeys => ({
  name,
  exhausted,
  reserve: statement(
    `${table}.reserve`,
    `update ${table} set uses = uses + $2 where id = $1 and uses + $2 <= $3 returning 1`,
  ),
  isThere: statement(`${table}.is_there`, `select 1 from ${table} where id = $1`),
});

/** A data key ends with its organization or project. */
const DATA_KEYS = countedKeys('data_keys', {
  name: 'data key',
  exhausted: () =>
    unavailable(
      'keys.exhausted',
      'The data key has reached its limit of encryptions: rotate the keys (npm run coffer -- keys rotate)',
    ),
});

/** The remaining reserved uses of one key in this process. */
class Reserved {
  left = 0;
  /** All that was ever added. */
  total = 0;
  reserving: Promise<void> | undefined;
}

/** Maximum number of keys with cached reservations; the rest of an evicted one counts as used. */
const MAX_KEYS = 50_000;

/**
 * Counts the encryptions under each key of a table, persistently and in blocks: a block is added to the count in the database
 * before its first use, so that after a crash the count is too high and never too low, with any number of processes.
 */
export class KeyUses implements UseCounter {
  readonly limits: KeyUseLimits;
  readonly #query: Query;
  readonly #keys: CountedKeys;
  readonly #reserved = new Map<string, Reserved>();

  /** @param query Runs outside of transactions: a reservation stays if a transaction fails. */
  constructor(limits: KeyUseLimits, query: Query, keys: CountedKeys = DATA_KEYS) {
    this.limits = limits;
    this.#query = query;
    this.#keys = keys;
  }

  /**
   * Counts one use of a key after `reserve`, of those that all callers share.
   *
   * @throws DomainError 503 if a burst has used up its block.
   */
  use(keyId: string): void {
    const reserved = this.#reserved.get(keyId);
    if (!reserved || reserved.left === 0)
      throw unavailable('keys.uses_not_reserved', 'Too many encryptions at once: try again');
    reserved.left--;
  }

  /**
   * Ensures that at least half a block is reserved for a key; `undefined` if it is already.
   *
   * @param within The calling transaction, which may have created the key: others do not see it yet.
   * @throws DomainError 503 `keys.exhausted` if the key must not be used any more, 404 if it was deleted meanwhile.
   */
  reserve(keyId: string, within?: Query): Promise<unknown> | undefined {
    const reserved = this.#reserved.get(keyId);
    return reserved && reserved.left >= this.limits.block / 2 ? undefined : this.#fill(keyId, 0, within);
  }

  /**
   * Reserves some uses of a key for one caller, so that nobody else takes them while it rests.
   *
   * @returns Counts one of them. Beyond their number it is `use`.
   * @throws DomainError 503 `keys.exhausted` if the key must not be used so often.
   */
  async take(keyId: string, count: number, within?: Query): Promise<() => void> {
    const reserved = await this.#fill(keyId, count, within);
    if (reserved.left < count) throw this.#keys.exhausted();
    reserved.left -= count;
    let own = count;
    return () => {
      if (own > 0) own--;
      else this.use(keyId);
    };
  }

  /** Adds to what is reserved until it is half a block, and at least `count` if the limit of the key allows it. */
  async #fill(keyId: string, count: number, within: Query | undefined): Promise<Reserved> {
    const { block } = this.limits;
    let reserved = this.#reserved.get(keyId);
    if (!reserved) {
      if (this.#reserved.size >= MAX_KEYS) this.#reserved.delete(this.#reserved.keys().next().value!);
      this.#reserved.set(keyId, (reserved = new Reserved()));
    }
    while (reserved.left < Math.max(block / 2, count)) {
      const { total } = reserved;
      reserved.reserving ??= this.#add(keyId, reserved, Math.max(block, count), within).finally(
        () => (reserved.reserving = undefined),
      );
      await reserved.reserving;
      if (reserved.total === total) break;
    }
    return reserved;
  }

  async #add(keyId: string, reserved: Reserved, count: number, within: Query | undefined): Promise<void> {
    const values = [keyId, count, this.limits.limit];
    const isReserved =
      (await this.#query(this.#keys.reserve, values)).length > 0 ||
      (within !== undefined && (await within(this.#keys.reserve, values)).length > 0);
    if (isReserved) {
      reserved.left += count;
      reserved.total += count;
    } else if (reserved.left === 0) {
      if ((await this.#query(this.#keys.isThere, [keyId])).length === 0) throw notFound(this.#keys.name);
      throw this.#keys.exhausted();
    }
  }
}
