import {
  at,
  inTransaction,
  newId,
  statement,
  type Context,
  type JobOptions,
  type Statement,
  type Transaction,
} from '../../kernel/index.ts';
import type { Due, WorkDescription } from './description.ts';
import type { Next } from './next.ts';
import { statementsOf, type WorkStatements } from './statements.ts';

/** The right to work on a row, until it lapses. */
export interface Claim {
  readonly id: string;
  readonly organizationId: string;
  /** Null where the row is locked instead (see `claimMs`). */
  readonly claimId: string | null;
  readonly failures: number;
  /** What the row excluded others by when it was claimed (see `exclusiveBy`). */
  readonly exclusive?: string | null;
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

/** Serializes claims of one exclusion key in an organization, so that no two miss each other's uncommitted claim. */
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

  /** Enqueues the job of a row, replacing a waiting one. The same transaction must mark the row as due. */
  enqueue(tx: Transaction, due: Due): void {
    const { name, idName } = this.job;
    const payload = { organizationId: due.organizationId, [idName]: due.id };
    tx.outbox.jobs.push({ name, payload, options: this.#optionsOf(due, tx.now()) });
  }

  #optionsOf(due: Due, now: Date): JobOptions {
    const { key, priority, laterPriority = priority, maxAttempts, queueOf } = this.job;
    const queue = queueOf?.(due) ?? due.queue;
    const runAt = due.dueAt ?? now;
    const isLater = runAt > now;
    return {
      key: `${key}:${due.id}`,
      priority: isLater ? laterPriority : priority,
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
    const { exclusive } = this.#statements;
    if (!exclusive) return this.#claim(ctx, due, isAlways);
    return inTransaction(ctx, async (tx) => {
      const [found] = await tx.sql<{ text: string }>(exclusive.text, [due.organizationId, due.id]);
      if (!found) return undefined;
      await tx.sql(LOCK, [`${this.#work.table} ${due.organizationId} ${found.text}`]);
      return this.#claim(tx, due, isAlways, found.text);
    });
  }

  async #claim(
    ctx: Context,
    { id, organizationId }: Due,
    isAlways: boolean,
    exclusive: string | null = null,
  ): Promise<Claimed<Row> | undefined> {
    const now = ctx.now();
    const claimId = newId();
    const values = [organizationId, id, claimId, new Date(now.getTime() + this.#work.claimMs!), now, isAlways];
    const [claimed] = await ctx.sql<Row & { claimFailures: number }>(
      this.#claims.claim,
      exclusive === null ? values : [...values, exclusive],
    );
    if (!claimed) return undefined;
    const { claimFailures: failures, ...row } = claimed;
    return { claim: { id, organizationId, claimId, failures, exclusive }, row: row as unknown as Row };
  }

  /** Enqueues the job of a row that could not be claimed, for when it is due and unclaimed. */
  async enqueueAgain(ctx: Context, due: Due): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      const [row] = await tx.sql<Stored>(this.#claims.nextLook, [due.organizationId, due.id, tx.now()]);
      if (row?.dueAt) this.enqueue(tx, { ...due, queue: row.queue, dueAt: at(row.dueAt) });
    });
  }

  /** Releases a claim, and leaves the due time of the row. Returns whether the claim was still held. */
  release(ctx: Context, { id, claimId }: Claim): Promise<boolean> {
    return this.#leave(ctx, this.#claims.release, id, [id, claimId]);
  }

  /**
   * Releases a claim, and writes the outcome. Returns whether the claim was still held; if not, another worker has
   * taken over, and nothing is written. Write further results of an attempt in the same transaction, and only if it
   * was.
   */
  settle(ctx: Context, claim: Claim, { failures, dueAt }: Next): Promise<boolean> {
    const { id, organizationId, claimId, exclusive = null } = claim;
    return inTransaction(ctx, async (tx) => {
      const isHeld = await this.#leave(tx, this.#statements.settle, id, [id, claimId, failures, dueAt]);
      const { waiting } = this.#statements.exclusive ?? {};
      if (waiting && exclusive !== null)
        for (const one of await tx.sql<Due>(waiting, [organizationId, exclusive, id, tx.now()])) this.enqueue(tx, one);
      return isHeld;
    });
  }

  #leave(ctx: Context, how: Statement, id: string, values: readonly unknown[]): Promise<boolean> {
    return inTransaction(ctx, async (tx) => {
      const [row] = await tx.sql<Stored & { organizationId: string }>(how, values);
      if (row?.dueAt) this.enqueue(tx, { ...row, id, dueAt: at(row.dueAt) });
      return row !== undefined;
    });
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
