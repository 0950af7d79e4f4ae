import type { Context } from '../../kernel/index.ts';
import { requireRotation, rotationById, toRotation } from './find.ts';
import { isRunning, perform } from './perform.ts';
import type { HowRotated } from './rotate.ts';
import type { SecretRotation, SecretRotationRef } from './secret-rotation.ts';
import { rotationWork } from './work.ts';

/**
 * Rotates now, whatever the schedule says.
 *
 * @throws DomainError 404, 403; 400 with the error of the other system, after which it is tried again, and
 * `secret_rotation.running`.
 */
export async function rotateSecrets(
  ctx: Context,
  ref: SecretRotationRef,
  how: HowRotated = { isManual: true },
): Promise<SecretRotation> {
  const find = () => requireRotation(ctx, ref, 'rotate-secrets');
  const row = await find();
  const claimed = await rotationWork.claimAsCaller(ctx, row, find);
  if (!claimed) throw isRunning();
  const failure = await perform(ctx, claimed.claim, how);
  if (failure) throw failure.error;
  return toRotation((await rotationById(ctx, row.organizationId, row.id)) ?? row);
}
