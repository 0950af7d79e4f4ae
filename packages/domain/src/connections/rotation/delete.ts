import type { Claim } from '../../jobs/index.ts';
import { badRequest, dryRun, inTransaction, type Context, type Transaction } from '../../kernel/index.ts';
import { lockRotation, requireMay, requireRotation, toRotation, type RotationRow } from './find.ts';
import { isRunning } from './perform.ts';
import { removeRotation, revokeAll } from './revoke.ts';
import type { DeleteSecretRotation, SecretRotation } from './secret-rotation.ts';
import { claimNow, rotationWork } from './work.ts';

/**
 * Deletes a rotation. Its credentials go on to work unless they are to be revoked first; its secrets stay as they are unless
 * they are to be deleted, too.
 *
 * @throws DomainError 404, 403, also without the right to delete its secrets; 400 where the credentials cannot be revoked, and
 * `secret_rotation.running`.
 */
export async function deleteSecretRotation(
  ctx: Context,
  { deleteSecrets, revokeGeneratedCredentials, ...ref }: DeleteSecretRotation,
): Promise<SecretRotation> {
  const found = await requireRotation(ctx, ref, 'delete');
  const claimed = await claimNow(ctx, found);
  if (!claimed) throw isRunning();
  const remove = async (tx: Transaction): Promise<SecretRotation> => {
    const row = await lockRotation(tx, found);
    await requireMay(tx, row, 'delete');
    await removeRotation(tx, row, { deleteSecrets, revokeGeneratedCredentials });
    return toRotation(row);
  };
  try {
    if (revokeGeneratedCredentials) {
      // Nothing ends at the other system before everything that can refuse was asked.
      await dryRun(ctx, remove, () => Promise.resolve());
      await revoke(ctx, claimed.claim, found);
    }
    return await inTransaction(ctx, remove);
  } catch (error) {
    await rotationWork.release(ctx, claimed.claim);
    throw error;
  }
}

async function revoke(ctx: Context, claim: Claim, row: RotationRow): Promise<void> {
  const failure = await revokeAll(ctx, claim, row);
  if (failure)
    throw badRequest('secret_rotation.not_revoked', `The credentials could not be revoked: ${failure.message}`);
}
