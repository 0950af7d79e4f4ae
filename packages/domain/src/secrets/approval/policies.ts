import { deletePolicy, type ChangePolicy } from '../../access/approval-policy/index.ts';
import { record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { requestClosed } from './approval.ts';

const CLOSE = statement(
  'secret_approvals.close_of_policy',
  `update secret_approval_requests set status = 'close', status_changed_by_user_id = $2, updated_at = $3
   where policy_id = $1 and status = 'open' returning id, slug`,
);

/** Deletes a change policy. Open requests under it are closed, because the change can now be made directly. */
export const deleteChangePolicy = (ctx: Context, ref: { policyId: string }): Promise<ChangePolicy> =>
  deletePolicy(ctx, 'change', ref, closeRequests);

async function closeRequests(tx: Transaction, { id: policyId, projectId }: ChangePolicy): Promise<void> {
  const by = tx.actor.type === 'user' ? tx.actor.id : null;
  const closed = await tx.sql<{ id: string; slug: string }>(CLOSE, [policyId, by, tx.now()]);
  for (const { id: requestId, slug } of closed) record(tx, requestClosed, { requestId, slug, policyId }, { projectId });
}
