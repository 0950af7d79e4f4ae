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

/** Claims of one text in an organization take turns, so that no two find the other's not yet made. */
const LOCK = statement('work.lock', 'select pg_advisory_xact_lock(hashtextextended($1, 50))');

/**
 * Durable work: rows that say what is to be done and when, and are claimed, worked on and settled by one process at a time.
 * A row and its job are written in one transaction. Should the job be lost, or the process that holds the claim, the row is
 * found again. `reconcileJob` says how a feature uses it.
 */
export class WorkTable<Row extends object = object> {
  readonly #work: WorkDescription;
  readonly #statements: WorkStatements;

  constructor(work: WorkDescription) {
    this.#work = work;
    this.#statements = statementsOf(work);
  }

  get job() {
    return this.#work.job;
  }

  /** Asks for the job of a row, in place of one that waits. The same transaction writes that the row is due. */
  enqueue(tx: Transaction, due: Due): void {
    const { name, idName } = this.job;
    const payload = { organizationId: due.organizationId, [idName]: due.id };
    tx.outbox.jobs.push({ name, payload, options: this.#optionsOf(due, tx.now()) });
  }

  #optionsOf(due: Due, now: Date): JobOptions {
    const { key, priority, laterPriority = priority, maxAttempts, queueOf } = this.job;
    const runAt = due.dueAt ?? now;
    const isLater = runAt > now;
    return {
      key: `${key}:${due.id}`,
      priority: isLater ? laterPriority : priority,
      maxAttempts,
      ...(queueOf && { queue: queueOf(due) }),
      ...(isLater && { runAt }),
    };
  }

  /**
   * Lets the caller alone work on a row that is due; with `isAlways`, also on one that is not. `undefined` where it is not
   * due, or somebody is at it.
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
      this.#statements.claim,
      exclusive === null ? values : [...values, exclusive],
    );
    if (!claimed) return undefined;
    const { claimFailures: failures, ...row } = claimed;
    return { claim: { id, organizationId, claimId, failures, exclusive }, row: row as unknown as Row };
  }

  /** Asks for the job of a row that could not be claimed, for when it is due and nobody is at it any more. */
  async lookAgain(ctx: Context, due: Due): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      const [row] = await tx.sql<{ dueAt: string | null }>(this.#statements.nextLook, [
        due.organizationId,
        due.id,
        tx.now(),
      ]);
      if (row?.dueAt) this.enqueue(tx, { ...due, dueAt: at(row.dueAt) });
    });
  }

  /** Gives a claim back, and leaves the row due when it was. Answers whether it was still held. */
  release(ctx: Context, { id, claimId }: Claim): Promise<boolean> {
    return this.#leave(ctx, this.#statements.release, id, [id, claimId]);
  }

  /**
   * Gives a claim back, and writes what follows. Answers whether it was still held. Where it was not, somebody else has
   * taken over, and nothing is written: what else comes of an attempt is written in the same transaction, if it was.
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
      const [row] = await tx.sql<{ organizationId: string; dueAt: string | null }>(how, values);
      if (row?.dueAt) this.enqueue(tx, { id, organizationId: row.organizationId, dueAt: at(row.dueAt) });
      return row !== undefined;
    });
  }

  /** Asks anew for the jobs of rows that have lost theirs, or the process that had claimed them. Answers how many. */
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
