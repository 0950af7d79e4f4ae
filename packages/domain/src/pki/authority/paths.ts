import { inTransaction, statement, type Context, type Transaction } from '../../kernel/index.ts';

const LOCK = statement('certificate_authorities.lock_paths', 'select pg_advisory_xact_lock(hashtextextended($1, 66))');

/**
 * Serializes, in a project, what lets an authority issue and what ends that, until the transaction ends: an authority gets a
 * certificate or is enabled; a certificate of one is revoked, or a key becomes known as compromised. Of two at the same time,
 * one would otherwise not see the other. It is locked before any row.
 */
export const lockPaths = async (tx: Transaction, projectId: string): Promise<void> =>
  void (await tx.sql(LOCK, [projectId]));

/** A transaction that begins with this lock. */
export const inPathsTransaction = <T>(
  ctx: Context,
  projectId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> =>
  inTransaction(ctx, async (tx) => {
    await lockPaths(tx, projectId);
    return work(tx);
  });
