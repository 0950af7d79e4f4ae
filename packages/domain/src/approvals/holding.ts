import { isPermitted, type Transaction } from '../kernel/index.ts';
import { actingAs, actorOf, organizationOf, requireNoEscalation, spanOfWindow } from '../access/index.ts';
import { windowOf, type RequestRow } from './row.ts';

/**
 * No one grants what they do not hold, nor for longer than they hold it. Checks the actor of this transaction, for the
 * window that the privilege would have if granted now.
 *
 * @throws DomainError 403 `PermissionBoundaryError` with the missing rights.
 */
export async function requireHolds(tx: Transaction, row: RequestRow): Promise<void> {
  const { projectId, permissions: rules } = row;
  const { end: until } = spanOfWindow(windowOf(row.temporaryRange, tx.now()));
  await requireNoEscalation(tx, { organizationId: organizationOf(tx), projectId, until, rules });
}

/** Whether an earlier approver still holds what the request would grant. */
export async function holds(tx: Transaction, row: RequestRow, userId: string): Promise<boolean> {
  const actor = await actorOf(tx, userId);
  return actor !== undefined && isPermitted(() => requireHolds(actingAs(tx, actor), row));
}
