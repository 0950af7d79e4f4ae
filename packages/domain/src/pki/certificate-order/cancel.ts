import { organizationOf } from '../../access/index.ts';
import { inTransaction, record, statement, type Context } from '../../kernel/index.ts';
import { certificateOrderCancelled, type CertificateOrderStatus } from './certificate-order.ts';
import { endOrder } from './store.ts';
import { eventDataOf, lockOrder } from './stored.ts';
import { orders } from './work.ts';

const DUE = statement('certificate_orders.due_now', 'update certificate_orders set due_at = $2 where id = $1');

/**
 * Cancels a pending order; what was made for it elsewhere is removed afterwards. The rights of the caller were checked.
 *
 * @returns The status before; `undefined` if there is no such order.
 */
export async function cancelOrder(ctx: Context, orderId: string): Promise<CertificateOrderStatus | undefined> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockOrder(tx, organizationOf(tx), orderId);
    if (row?.status !== 'pending') return row?.status;
    await endOrder(tx, row, 'cancelled', 'Cancelled');
    await tx.sql(DUE, [row.id, tx.now()]);
    orders.enqueue(tx, row);
    record(tx, certificateOrderCancelled, eventDataOf(row), { projectId: row.projectId });
    return row.status;
  });
}
