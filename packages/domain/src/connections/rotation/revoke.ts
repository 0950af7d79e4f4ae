import { DomainError, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { deleteRotated, releaseRotated } from '../../secrets/secret/index.ts';
import { beginWork } from '../connection/index.ts';
import { rotations } from '../registry.ts';
import { credentialsOf } from './credentials.ts';
import { eventData, fieldsOf, type RotationRow } from './find.ts';
import { unlessRejected } from './rotate.ts';
import { rotationDeleted } from './secret-rotation.ts';
import { hideSecrets, openTarget } from './target.ts';

/** Milliseconds: a caller waits for it. */
const REVOKE_MS = 25_000;

/**
 * Ends all credentials of a claimed rotation at the other system.
 *
 * @param isNothing Those that are pending are not there.
 * @returns Why that failed, redacted.
 */
export async function revokeAll(
  ctx: Context,
  row: RotationRow,
  { isNothing = false } = {},
): Promise<DomainError | undefined> {
  const session = beginWork(ctx, REVOKE_MS);
  try {
    const rotation = rotations.require(row.type);
    const stored = await credentialsOf(ctx, row);
    const left = stored.filter(({ state, isApplied }) => state !== 'pending' || isApplied || !isNothing);
    if (left.length === 0) return undefined;
    hideSecrets(session, rotation, stored);
    const target = await openTarget(ctx, row, rotation, session);
    for (const one of left)
      await (one.isApplied ? rotation.revoke(target, one) : rotation.revoke(target, one).catch(unlessRejected));
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return new DomainError('bad_request', error.code, await session.redact(error.message));
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
