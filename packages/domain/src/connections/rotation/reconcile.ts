import type { Claim } from '../../jobs/index.ts';
import { conflict, inTransaction, record, requireStillPermitted, type Context } from '../../kernel/index.ts';
import { whileWaiting } from '../connection/index.ts';
import { rotations } from '../registry.ts';
import { isAccepted } from './accepted.ts';
import { credentialsOf } from './credentials.ts';
import { eventData, requireRotation, rotationById, toRotation, type RotationRow } from './find.ts';
import { isRunning, perform } from './perform.ts';
import { secretsReconciled, type ReconciledRotation, type SecretRotationRef } from './secret-rotation.ts';
import { hideSecrets, openTarget } from './target.ts';
import { rotationWork } from './work.ts';

/**
 * Checks that the other system accepts the active credential. Where it does not, since others have changed it there, a new
 * one takes its place, set by the rights of the connection.
 *
 * @throws DomainError 404, 403; 400 with the error of the other system, `secret_rotation.running`, and
 * `secret_rotation.not_reconcilable` where the type cannot replace a credential that no longer works.
 */
export async function reconcileSecretRotation(ctx: Context, ref: SecretRotationRef): Promise<ReconciledRotation> {
  const find = () => requireRotation(ctx, ref, 'rotate-secrets');
  const claimed = await rotationWork.claimAsCaller(ctx, await find(), find);
  if (!claimed) throw isRunning();
  const row = claimed.granted;
  const isInOrder = await check(ctx, row, claimed.claim, find);
  if (!isInOrder) {
    const failure = await perform(ctx, claimed.claim, { isManual: true, isReconciling: true });
    if (failure) throw failure.error;
  }
  const secretRotation = toRotation((await rotationById(ctx, row.organizationId, row.id)) ?? row);
  const message = isInOrder
    ? 'The system accepts the active credential: nothing was changed'
    : 'The system did not accept the active credential: a new one has taken its place';
  return { reconciled: !isInOrder, message, secretRotation };
}

/** Whether the other system accepts the active credential. The claim is held on if it does not, and released if it does. */
async function check(ctx: Context, row: RotationRow, claim: Claim, find: () => Promise<RotationRow>): Promise<boolean> {
  try {
    const isInOrder = await isActiveAccepted(ctx, row);
    await requireStillPermitted(ctx);
    // It may have got another place.
    const present = await find();
    if (!isInOrder) requireReconcilable(present);
    else await noteUnchanged(ctx, present, claim);
    return isInOrder;
  } catch (error) {
    await rotationWork.release(ctx, claim);
    throw error;
  }
}

const isActiveAccepted = (ctx: Context, row: RotationRow): Promise<boolean> =>
  whileWaiting(ctx, 'The active credential could not be checked', async (session) => {
    const rotation = rotations.require(row.type);
    const stored = await credentialsOf(ctx, row);
    const active = stored.find(({ state }) => state === 'active');
    if (!active?.credential) return false;
    hideSecrets(session, rotation, stored);
    const target = await openTarget(ctx, row, rotation, { session, stored });
    const { credential, parameters } = active;
    return isAccepted(() => rotation.verify(target, credential, { parameters, isNew: false }));
  });

function requireReconcilable({ type }: RotationRow): void {
  const { canReconcile, title } = rotations.require(type);
  if (!canReconcile)
    throw conflict(
      'secret_rotation.not_reconcilable',
      `The system does not accept the active credential, and a rotation of ${title} cannot replace one that does not work: set the former value there again`,
    );
}

async function noteUnchanged(ctx: Context, row: RotationRow, claim: Claim): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await rotationWork.release(tx, claim);
    record(tx, secretsReconciled, { ...eventData(row), isRepaired: false }, { projectId: row.projectId });
  });
}
