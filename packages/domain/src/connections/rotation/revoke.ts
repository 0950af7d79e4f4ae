import type { Claim } from '../../jobs/index.ts';
import { DomainError, inTransaction, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { deleteRotated, releaseRotated } from '../../secrets/secret/index.ts';
import { beginWork } from '../connection/index.ts';
import { rotations } from '../registry.ts';
import { ClaimLost, credentialsOf, discard, noteRevoking } from './credentials.ts';
import { endCredential, exists } from './end-credential.ts';
import { eventData, fieldsOf, type RotationRow } from './find.ts';
import { isRunning } from './perform.ts';
import { revocationStarted, rotationDeleted } from './secret-rotation.ts';
import { hideSecrets, openTarget } from './target.ts';

const REVOKED =
  'Its credentials were revoked, so the secrets hold none that works: delete the rotation, or rotate to get another credential';

/** Milliseconds: a caller waits for it. */
const REVOKE_MS = 25_000;

/**
 * Ends all credentials of a claimed rotation at the other system, and drops each that has ended: whatever happens then, none
 * of them counts as active.
 *
 * @param isNothing Those that the other system has not been known to have are not there.
 * @returns Why that failed, redacted.
 * @throws DomainError 400 `secret_rotation.running` where another worker has taken it over.
 */
export async function revokeAll(
  ctx: Context,
  claim: Claim,
  row: RotationRow,
  { isNothing = false } = {},
): Promise<DomainError | undefined> {
  using session = beginWork(ctx, REVOKE_MS);
  try {
    const rotation = rotations.require(row.type);
    const stored = await credentialsOf(ctx, row);
    const left = stored.filter((one) => exists(one) || !isNothing);
    if (left.length === 0) return undefined;
    hideSecrets(session, rotation, stored);
    const target = await openTarget(ctx, row, rotation, { session, stored, isEnding: true });
    await inTransaction(ctx, async (tx) => {
      await noteRevoking(tx, claim, REVOKED);
      record(tx, revocationStarted, eventData(row), { projectId: row.projectId });
    });
    for (const one of left) {
      await endCredential(rotation, target, one);
      await discard(ctx, claim, one);
    }
    return undefined;
  } catch (error) {
    if (error instanceof ClaimLost) throw isRunning();
    if (!(error instanceof DomainError)) throw error;
    const message = await session.redact(error.message);
    await noteRevoking(ctx, claim, `The credentials could not be revoked, or not all of them: ${message}`);
    return new DomainError('bad_request', error.code, message);
  }
}

const DELETE = statement('secret_rotation.delete', 'delete from secret_rotations where id = $1');

interface HowRemoved {
  readonly deleteSecrets: boolean;
  readonly revokeGeneratedCredentials: boolean;
}

/**
 * Deletes a rotation with its stored credentials. Its secrets are deleted as the caller, or stay as they are.
 *
 * @throws DomainError as for deleting secrets.
 */
export async function removeRotation(tx: Transaction, row: RotationRow, how: HowRemoved): Promise<void> {
  const of = { rotationId: row.id, place: fieldsOf(row) };
  await (how.deleteSecrets ? deleteRotated(tx, of) : releaseRotated(tx, of));
  await tx.sql(DELETE, [row.id]);
  record(tx, rotationDeleted, { ...eventData(row), ...how }, { projectId: row.projectId });
}
