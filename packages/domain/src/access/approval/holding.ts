import { DomainError, type Transaction } from '../../kernel/index.ts';
import { organizationOf } from '../access.ts';
import { actingAs, actorOf } from '../approval-policy/index.ts';
import { beyondBoundary, missingPermissions, requireNoEscalation } from '../boundary.ts';
import { rulesThroughout } from '../grants.ts';
import { spanOf, storeWindow } from '../temporary.ts';
import { windowOf, type RequestRow } from './row.ts';

/**
 * Nobody gives what it does not hold, of whoever acts in this transaction; and to itself nobody gives anything for longer
 * than it holds it.
 *
 * @throws DomainError 403 `PermissionBoundaryError` with what is missing.
 */
export async function requireHolds(tx: Transaction, row: RequestRow): Promise<void> {
  const { project_id: projectId, permissions: rules } = row;
  const place = { organizationId: organizationOf(tx), projectId };
  await requireNoEscalation(tx, { ...place, rules });
  if (!('id' in tx.actor && tx.actor.id === row.requested_by_user_id)) return;
  const { isTemporary, temporaryAccessStartTime, temporaryAccessEndTime } = storeWindow(
    windowOf(row.temporary_range, tx.now()),
  );
  const span = spanOf(isTemporary, temporaryAccessStartTime, temporaryAccessEndTime);
  const missing = missingPermissions(rules, await rulesThroughout(tx, place, span));
  if (missing.length > 0) throw beyondBoundary(missing);
}

/** Whether somebody who approved earlier still holds what it would give. */
export async function holds(tx: Transaction, row: RequestRow, userId: string): Promise<boolean> {
  const actor = await actorOf(tx, userId);
  if (!actor) return false;
  try {
    await requireHolds(actingAs(tx, actor), row);
    return true;
  } catch (error) {
    if (error instanceof DomainError && ['forbidden', 'not_found'].includes(error.kind)) return false;
    throw error;
  }
}
