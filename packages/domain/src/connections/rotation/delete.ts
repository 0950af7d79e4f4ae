import { inTransaction, badRequest, type Context } from '../../kernel/index.ts';
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
  try {
    if (revokeGeneratedCredentials) await revoke(ctx, found);
    return await inTransaction(ctx, async (tx) => {
      const row = await lockRotation(tx, found);
      await requireMay(tx, row, 'delete');
      await removeRotation(tx, row, { deleteSecrets, revokeGeneratedCredentials });
      return toRotation(row);
    });
  } catch (error) {
    await rotationWork.release(ctx, claimed.claim);
    throw error;
  }
}

async function revoke(ctx: Context, row: RotationRow): Promise<void> {
  const failure = await revokeAll(ctx, row);
  if (failure)
    throw badRequest('secret_rotation.not_revoked', `The credentials could not be revoked: ${failure.message}`);
}
