import { record, statement, type Transaction } from '../../kernel/index.ts';
import { requestClosed } from './approval.ts';

const CLOSE = statement(
  'secret_approvals.withdraw',
  `update secret_approval_requests set status = 'close', status_changed_by_user_id = $2, updated_at = $3
   where project_id = (select project_id from secret_imports where id = $1::uuid) and replicates = $1::text and status = 'open'
   returning id as "requestId", slug, policy_id as "policyId", project_id as "projectId"`,
);

interface Closed {
  requestId: string;
  slug: string;
  policyId: string;
  projectId: string;
}

/** Closes requests of Coffer to replicate an existing import, if there is nothing left to request. */
export async function withdrawReplication(tx: Transaction, importId: string): Promise<void> {
  const by = tx.actor.type === 'user' ? tx.actor.id : null;
  for (const { projectId, ...closed } of await tx.sql<Closed>(CLOSE, [importId, by, tx.now()]))
    record(tx, requestClosed, closed, { projectId });
}
