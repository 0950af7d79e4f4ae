import { abilityIn, organizationOf } from '../../access/index.ts';
import { DomainError, inSharedTransaction, inTransaction, type Context, type Transaction } from '../../kernel/index.ts';

/** How often names are looked up again that others took between the look and the write. */
const ATTEMPTS = 3;

export interface Changing {
  /** Whether a name may be taken or free: where others take one that was free, the change is made anew. */
  readonly takesNames?: boolean | undefined;
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
  work: (tx: Transaction) => Promise<T>,
  { takesNames = false, together }: Changing = {},
): Promise<T> {
  if (!ctx.outbox) {
    await abilityIn(ctx, projectId);
    await ctx.keys.sealing(organizationOf(ctx), projectId);
  }
  for (let attempt = 1; ; attempt++) {
    try {
      if (together)
        return await inSharedTransaction(ctx, { group: `${together.kind} ${projectId}`, names: together.names }, work);
      return await inTransaction(ctx, work);
    } catch (error) {
      if (!takesNames || !isTaken(error) || ctx.outbox || attempt === ATTEMPTS) throw error;
    }
  }
}

const isTaken = (error: unknown): boolean =>
  error instanceof DomainError && ['secret.exists', 'secrets_key_unique'].includes(error.code);
