import { abilityIn, organizationOf } from '../../access/index.ts';
import { inTransaction, type Context, type Transaction } from '../../kernel/index.ts';

/**
 * Runs a change of a project's secrets in a transaction. The caller's rights and the project's keys are loaded before:
 * loads inside a transaction are not cached, and reserving uses of a key takes another connection.
 *
 * @throws DomainError 404 if the caller is not a member of the project.
 */
export async function changingSecrets<T>(
  ctx: Context,
  projectId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (!ctx.outbox) {
    await abilityIn(ctx, projectId);
    await ctx.keys.sealing(organizationOf(ctx), projectId);
  }
  return inTransaction(ctx, work);
}
