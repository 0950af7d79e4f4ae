import { abilityIn, organizationOf } from '../../access/index.ts';
import { DomainError, inSharedTransaction, inTransaction, type Context, type Transaction } from '../../kernel/index.ts';
import type { Conflicts } from './write.ts';

/** How often names are looked up again that others took between the look and the write. */
const ATTEMPTS = 3;

export interface Changing {
  /** Whether a name may be taken or free: where others take one that was free, the change is made anew. */
  readonly takesNames?: boolean | undefined;
  /** Whether it asks for unlisted conflicts: where there is one, the change is made anew, to list them. */
  readonly listsConflicts?: boolean | undefined;
  /** What is written, where it is little and may be written together with what others write; see `inSharedTransaction`. */
  readonly together?: { readonly kind: string; readonly names: readonly string[] } | undefined;
}

/**
 * Runs a change of a project's secrets in a transaction. The caller's rights and the project's keys are loaded before:
 * loads inside a transaction are not cached, and reserving uses of a key takes another connection.
 *
 * @throws DomainError 404 if the caller is not a member of the project.
 */
export async function changingSecrets<T>(
  ctx: Context,
  projectId: string,
  work: (tx: Transaction, conflicts: Conflicts) => Promise<T>,
  { takesNames = false, listsConflicts = false, together }: Changing = {},
): Promise<T> {
  if (!ctx.outbox) {
    await abilityIn(ctx, projectId);
    await ctx.keys.sealing(organizationOf(ctx), projectId);
  }
  for (let attempt = 1; ; attempt++) {
    const areUnlisted = listsConflicts && !ctx.outbox && attempt === 1;
    const change = (tx: Transaction) => work(tx, { areUnlisted });
    try {
      if (together && attempt === 1)
        return await inSharedTransaction(
          ctx,
          { group: `${together.kind} ${projectId}`, names: together.names },
          change,
        );
      return await inTransaction(ctx, change);
    } catch (error) {
      const isRepeated = (takesNames && isTaken(error) && !ctx.outbox) || (areUnlisted && isUnlisted(error));
      if (!isRepeated || attempt === ATTEMPTS) throw error;
    }
  }
}

const isTaken = (error: unknown): boolean => hasCode(error, 'secret.exists') || isUnlisted(error);
const isUnlisted = (error: unknown): boolean => hasCode(error, 'secrets_key_unique');
const hasCode = (error: unknown, code: string): boolean => error instanceof DomainError && error.code === code;
