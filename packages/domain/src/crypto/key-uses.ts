import { statement, unavailable } from '../kernel/index.ts';

/** A way to run a read: the pool's prepared statements, or a transaction's own connection. */
export type Query = <Row extends object>(
  statement: { name: string; text: string },
  values: readonly unknown[],
) => Promise<Row[]>;

/**
 * How often one data key may encrypt. With random nonces of 96 bits, AES-GCM allows 2^32 encryptions under one key
 * (NIST SP 800-38D, section 8.3).
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

const RESERVE = statement(
  'data_keys.reserve',
  'update data_keys set uses = uses + $2 where id = $1 and uses + $2 <= $3 returning 1',
);

/** What is left of the uses of one key that this process has reserved. */
class Reserved {
  left = 0;
  reserving: Promise<void> | undefined;
}

/** Keys whose reservations are kept; what is left of one that is dropped is lost, which counts too much, never too little. */
const MAX_KEYS = 50_000;

/**
 * Counts the encryptions under each data key, persistently and in blocks: a block is added to the count in the database
 * before the first use of it, so that a crash counts too much and never too little, whatever other processes do.
 */
export class KeyUses {
  readonly #limits: KeyUseLimits;
  readonly #query: Query;
  readonly #reserved = new Map<string, Reserved>();

  /** @param query Runs outside of every transaction: what was reserved stays so when one fails. */
  constructor(limits: KeyUseLimits, query: Query) {
    this.#limits = limits;
    this.#query = query;
  }

  /** Counts one use of a key for which `reserve` was called. @throws DomainError 503 where a burst has used up its block. */
  use(keyId: string): void {
    const reserved = this.#reserved.get(keyId);
    if (!reserved || reserved.left === 0)
      throw unavailable('keys.uses_not_reserved', 'Too many encryptions at once: try again');
    reserved.left--;
  }

  /**
   * Sees to it that at least half a block is there for a key.
   *
   * @param within The transaction that asks, which may have made the key itself: nobody else sees that yet.
   * @throws DomainError 503 `keys.exhausted` where the key must not be used any more.
   */
  async reserve(keyId: string, within?: Query): Promise<void> {
    let reserved = this.#reserved.get(keyId);
    if (!reserved) {
      if (this.#reserved.size >= MAX_KEYS) this.#reserved.delete(this.#reserved.keys().next().value!);
      this.#reserved.set(keyId, (reserved = new Reserved()));
    }
    if (reserved.left * 2 >= this.#limits.block) return;
    reserved.reserving ??= this.#add(keyId, reserved, within).finally(() => (reserved.reserving = undefined));
    await reserved.reserving;
  }

  async #add(keyId: string, reserved: Reserved, within: Query | undefined): Promise<void> {
    const { block, limit } = this.#limits;
    const values = [keyId, block, limit];
    const isReserved =
      (await this.#query(RESERVE, values)).length > 0 ||
      (within !== undefined && (await within(RESERVE, values)).length > 0);
    if (isReserved) reserved.left += block;
    else if (reserved.left === 0)
      throw unavailable(
        'keys.exhausted',
        'The data key has reached its limit of encryptions: rotate the keys (npm run coffer -- keys rotate)',
      );
  }
}
