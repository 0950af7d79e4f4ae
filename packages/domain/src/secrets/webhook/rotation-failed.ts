import { globOf } from '../../access/index.ts';
import { atOrNull, newId, statement, type Transaction } from '../../kernel/index.ts';
import { revisionOf, type Scope } from '../commit/index.ts';
import { HOOKS, type Hook } from './collect.ts';
import { webhooks } from './deliver.ts';
import type { RotationFailure } from './message.ts';

/** As if it was tried: it is not merged with later changes of the folder. */
const DELIVER = statement(
  'webhook_deliveries.add_rotation_failed',
  `insert into webhook_deliveries (id, organization_id, webhook_id, revision, secret_path, actor, is_tried, event, details, created_at)
   values ($1, $2, $3, $4::bigint, $5, 'null'::jsonb, true, 'secrets.rotation-failed', $6::jsonb, $7)`,
);

interface Failed extends Scope {
  readonly environmentId: string;
  readonly secretPath: string;
  readonly details: RotationFailure;
}

/** Notifies the webhooks of a folder of a rotation that failed, after the commit. */
export async function notifyOfFailedRotation(
  tx: Transaction,
  { organizationId, projectId, environmentId, secretPath, details }: Failed,
): Promise<void> {
  const hooks = (await tx.sql<Hook>(HOOKS, [projectId])).filter(
    (hook) => hook.environmentId === environmentId && globOf(hook.secretPath)?.matches(secretPath) === true,
  );
  if (hooks.length === 0) return;
  const revision = await revisionOf(tx, projectId);
  for (const { id, restsUntil } of hooks) {
    await tx.sql(DELIVER, [newId(), organizationId, id, revision, secretPath, JSON.stringify(details), tx.now()]);
    webhooks.enqueue(tx, { id, organizationId, dueAt: atOrNull(restsUntil) });
  }
}
