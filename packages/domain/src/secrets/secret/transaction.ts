import { abilityIn, organizationOf } from '../../access/index.ts';
import { inTransaction, type Context, type Transaction } from '../../kernel/index.ts';

/**
 * Runs a change of a project's secrets in a transaction. The caller's rights and the project's keys are looked up before:
 * what a transaction looks up is kept for nobody else, and reserving uses of a key there takes another connection.
 *
 * @throws DomainError 404 where the caller is no member of the project.
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
