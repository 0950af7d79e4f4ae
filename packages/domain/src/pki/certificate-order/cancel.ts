import { organizationOf } from '../../access/index.ts';
import { inTransaction, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { runAsOf } from '../../secrets/import/replication/index.ts';
import { authorizeCertificateById, certificatePermissions, requireNoCertificateGain } from '../certificate/index.ts';
import { certificateOrderCancelled, type CertificateOrderStatus } from './certificate-order.ts';
import { endOrder } from './store.ts';
import { eventDataOf, isBegun, lockOrder, type OrderRow } from './stored.ts';
import { orders } from './work.ts';

/** The failures of a pending order are no tries to withdraw it. */
const DUE = statement(
  'certificate_orders.due_now',
  'update certificate_orders set due_at = $2, failures = 0 where id = $1',
);

const CANCELLER = statement(
  'certificate_orders.canceller',
  'update certificate_orders set canceller = $2 where id = $1',
);

/**
 * Cancels a pending order for a caller who may edit its certificate. What was begun at the authority may be issued already, and is
 * revoked then: that takes the right to revoke, too.
 *
 * @returns as `cancelOrder`
 * @throws DomainError 403
 */
export const cancelOrderAsCaller = (ctx: Context, orderId: string): Promise<CertificateOrderStatus | undefined> =>
  cancelOrder(ctx, orderId, async (tx, order) => {
    if (isBegun(order)) await requireMayRevokeOrdered(tx, order);
    const canceller = runAsOf(tx);
    await tx.sql(CANCELLER, [order.id, canceller ? JSON.stringify(canceller) : null]);
  });

/** As for a revocation of the certificate that is ordered. */
async function requireMayRevokeOrdered(tx: Transaction, order: OrderRow): Promise<void> {
  const { projectId, commonName, subject, names, friendlyName } = order;
  const facts = { commonName, subject, names, friendlyName, status: 'active' };
  await authorizeCertificateById(tx, certificatePermissions.delete, projectId, facts);
  await requireNoCertificateGain(tx, projectId, facts, { ...facts, status: 'revoked' });
}

/**
 * Cancels a pending order; what was made for it elsewhere is removed afterwards. The rights of the caller were checked.
 *
 * @param first Joins the transaction, if the order is pending.
 * @returns The status before; `undefined` if there is no such order.
 */
export async function cancelOrder(
  ctx: Context,
  orderId: string,
  first?: (tx: Transaction, order: OrderRow) => Promise<void>,
): Promise<CertificateOrderStatus | undefined> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockOrder(tx, organizationOf(tx), orderId);
    if (row?.status !== 'pending') return row?.status;
    await first?.(tx, row);
    await endOrder(tx, row, 'cancelled', 'Cancelled');
    await tx.sql(DUE, [row.id, tx.now()]);
    orders.enqueue(tx, row);
    record(tx, certificateOrderCancelled, eventDataOf(row), { projectId: row.projectId });
    return row.status;
  });
}
