import {
  at,
  inReleasingTransaction,
  inTransaction,
  newId,
  statement,
  type Context,
  type JobOptions,
  type Statement,
  type Transaction,
} from '../../kernel/index.ts';
import type { Due, WorkDescription } from './description.ts';
import { behindBy } from '../fair-turn.ts';
import type { Next } from './next.ts';
import { statementsOf, type WorkStatements } from './statements.ts';

/** The right to work on a row, until it lapses. */
export interface Claim {
  readonly id: string;
  readonly organizationId: string;
  /** Null where the row is locked instead (see `claimMs`). */
  readonly claimId: string | null;
  readonly failures: number;
  /** What the row shared with others when it was claimed. */
  readonly shared?: Shared | undefined;
}

/** What a row shares with others (see `exclusiveBy` and `account`). */
interface Shared {
  readonly exclusive: string | null;
  readonly account: string | null;
}

export interface Claimed<Row> {
  readonly claim: Claim;
  /** What the table is `returning`. */
  readonly row: Row;
}

interface Stored {
  dueAt: string | null;
  queue: string | null;
}

/** Serializes what is done with rows that share something, so that no two miss each other's uncommitted claim. */
const LOCK = statement('work.lock', 'select pg_advisory_xact_lock(hashtextextended($1, 50))');

/**
 * Durable work: rows with what is to be done and when, claimed, processed and settled by one process at a time. A row
 * and its job are written in one transaction. If the job, or the process with the claim, is lost, the row is requeued.
 * For the use in a feature, see `reconcileJob`.
 */
export class WorkTable<Row extends object = object> {
  readonly #work: WorkDescription;
  readonly #statements: WorkStatements;

  constructor(work: WorkDescription) {
    this.#work = work;
    this.#statements = statementsOf(work);
  }

  get #claims() {
    const { claims } = this.#statements;
    if (!claims) throw new Error(`The rows of ${this.#work.table} are locked, not claimed`);
    return claims;
  }

  get job() {
    return this.#work.job;
  }

  /**
   * Enqueues the job of a row, replacing a waiting one. The same transaction must mark the row as due. `isBehind`: see
   * `inFairTurn`.
   */
  enqueue(tx: Transaction, due: Due, { isBehind = false } = {}): void {
    const { name, idName } = this.job;
    const payload = { organizationId: due.organizationId, [idName]: due.id };
    tx.outbox.jobs.push({ name, payload, options: this.#optionsOf(due, tx.now(), isBehind) });
  }

  #optionsOf(due: Due, now: Date, isBehind: boolean): JobOptions {
    const { key, priority, laterPriority = priority, maxAttempts, isUrgent, queueOf } = this.job;
    const queue = queueOf?.(due) ?? due.queue;
    const runAt = due.dueAt ?? now;
    const isLater = runAt > now;
    return {
      key: `${key}:${due.id}`,
      priority: (isLater ? laterPriority : priority) + (isBehind ? behindBy(isUrgent) : 0),
      maxAttempts,
      ...(queue && { queue }),
      ...(isLater && { runAt }),
    };
  }

  /**
   * Claims a due row for the caller; with `isAlways`, also one that is not due. `undefined` if it is not due, or
   * claimed by another worker.
   */
  claim(ctx: Context, due: Due, { isAlways = false } = {}): Promise<Claimed<Row> | undefined> {
    if (!this.#statements.shared) return this.#claim(ctx, due, isAlways);
    return inTransaction(ctx, async (tx) => {
      const shared = await this.#sharedBy(tx, due);
      if (!shared) return undefined;
      // Whoever is not limited by its account may hold other locks.
      await this.#lock(tx, due, isAlways ? { ...shared, account: null } : shared);
      return this.#claim(tx, due, isAlways, shared);
    });
  }

  /**
   * Claims a row for a caller, due or not, and then asks again for the right by which it is claimed: the claim may have waited for a
   * change of what that right is about. `undefined` if another worker has the row.
   *
   * @throws whatever `granted` throws; the claim is released then.
   */
  async claimAsCaller<T>(
    ctx: Context,
    { id, organizationId }: Pick<Due, 'id' | 'organizationId'>,
    granted: () => Promise<T>,
  ): Promise<(Claimed<Row> & { readonly granted: T }) | undefined> {
    const claimed = await this.claim(ctx, { id, organizationId }, { isAlways: true });
    if (!claimed) return undefined;
    try {
      return { ...claimed, granted: await granted() };
    } catch (error) {
      await this.release(ctx, claimed.claim);
      throw error;
    }
  }

  async #sharedBy(tx: Transaction, { organizationId, id }: Due): Promise<Shared | undefined> {
    const { shared } = this.#statements;
    return shared && (await tx.sql<Shared>(shared, [organizationId, id]))[0];
  }

  async #lock(tx: Transaction, { organizationId }: Pick<Due, 'organizationId'>, shared?: Shared): Promise<void> {
    const { account = null, exclusive = null } = shared ?? {};
    const names = [account === null ? null : `account ${account}`, exclusive];
    for (const name of names) if (name !== null) await tx.sql(LOCK, [`${this.#work.table} ${organizationId} ${name}`]);
  }

  /** Takes the locks that `settle` takes. In a transaction that locks the row before it settles it, this comes first. */
  lock(tx: Transaction, claim: Claim): Promise<void> {
    return this.#lock(tx, claim, claim.shared);
  }

  async #claim(
    ctx: Context,
    { id, organizationId }: Due,
    isAlways: boolean,
    shared?: Shared,
  ): Promise<Claimed<Row> | undefined> {
    const now = ctx.now();
    const claimId = newId();
    const values = [organizationId, id, claimId, new Date(now.getTime() + this.#work.claimMs!), now, isAlways];
    const [claimed] = await ctx.sql<Row & { claimFailures: number }>(
      this.#claims.claim,
      this.#work.exclusiveBy === undefined ? values : [...values, shared?.exclusive],
    );
    if (!claimed) return undefined;
    const { claimFailures: failures, ...row } = claimed;
    return { claim: { id, organizationId, claimId, failures, shared }, row: row as unknown as Row };
  }

  /** Enqueues the job of a row that was not claimed, for when it is due and unclaimed. `isBehind`: see `inFairTurn`. */
  async enqueueAgain(ctx: Context, due: Due, { isBehind = false, delayMs = 0 } = {}): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      await this.#lock(tx, due, await this.#sharedBy(tx, due));
      const [row] = await tx.sql<Stored>(this.#claims.nextLook, [due.organizationId, due.id, tx.now()]);
      if (!row?.dueAt) return;
      const dueAt = new Date(Math.max(at(row.dueAt).getTime(), tx.now().getTime() + delayMs));
      this.enqueue(tx, { ...due, queue: row.queue, dueAt }, { isBehind });
    });
  }

  /** Releases a claim, and leaves the due time of the row. Returns whether the claim was still held. */
  release(ctx: Context, claim: Claim): Promise<boolean> {
    return this.#end(ctx, claim, this.#claims.release, [claim.id, claim.claimId]);
  }

  /**
   * Releases a claim, and writes the outcome. Returns whether the claim was still held; if not, another worker has
   * taken over, and nothing is written. Write further results of an attempt in the same transaction, and only if it
   * was.
   */
  settle(ctx: Context, claim: Claim, { failures, dueAt }: Next): Promise<boolean> {
    return this.#end(ctx, claim, this.#statements.settle, [claim.id, claim.claimId, failures, dueAt]);
  }

  #end(ctx: Context, claim: Claim, how: Statement, values: readonly unknown[]): Promise<boolean> {
    return inReleasingTransaction(ctx, async (tx) => {
      await this.lock(tx, claim);
      const [row] = await tx.sql<Stored & { organizationId: string }>(how, values);
      for (const one of await this.#waitingFor(tx, claim)) this.enqueue(tx, one);
      if (row?.dueAt) this.enqueue(tx, { ...row, id: claim.id, dueAt: at(row.dueAt) });
      return row !== undefined;
    });
  }

  /** The rows that waited for what this one shares with them. Of an account, only as many as it takes. */
  async #waitingFor(tx: Transaction, { id, organizationId, shared }: Claim): Promise<Due[]> {
    const { waiting, nextOfAccount } = this.#statements;
    const { exclusive = null, account = null } = shared ?? {};
    const values = [organizationId, exclusive, id, tx.now()];
    const alike = waiting && exclusive !== null ? await tx.sql<Due>(waiting, values) : [];
    const next =
      nextOfAccount && account !== null
        ? await tx.sql<Due & { dueAt: string }>(nextOfAccount, [account, tx.now()])
        : [];
    return [...alike, ...next.map((one) => ({ ...one, dueAt: at(one.dueAt) }))];
  }

  /** Requeues rows whose job, or whose claiming process, was lost. Returns their number. */
  requeueOrphaned(ctx: Context): Promise<number> {
    return inTransaction(ctx, async (tx) => {
      const now = tx.now();
      const before = new Date(now.getTime() - this.#work.orphanedAfterMs);
      const rows = await tx.sql<Due>(this.#statements.orphaned, [before, now]);
      for (const row of rows) this.enqueue(tx, row);
      return rows.length;
    });
  }
}
