import type { RequiredEntityData } from '@mikro-orm/core';
import { fewIn, statement, type Transaction } from '../../kernel/index.ts';
import { SecretSyncEntity } from './sync.entity.ts';

const requireFewSyncs = fewIn('project', {
  table: 'secret_syncs',
  most: 1_000,
  code: 'integration.too_many',
  of: 'integrations',
});

/** Adds a sync. The right was checked before. */
export async function addSync(tx: Transaction, sync: RequiredEntityData<SecretSyncEntity>): Promise<SecretSyncEntity> {
  const row = tx.em.create(SecretSyncEntity, sync);
  await tx.em.persist(row).flush();
  await requireFewSyncs(tx, row.projectId);
  return row;
}

const DEACTIVATE = statement(
  'secret_syncs.deactivate',
  `update secret_syncs set is_active = name is not null, is_auto_sync_enabled = name is null, due_at = null
   where organization_id = $1 and id = $2 and is_active and is_auto_sync_enabled returning id`,
);

/** Ends that a sync follows changes; an integration is then disabled. @returns Whether it did. */
export const deactivateSync = async (
  tx: Transaction,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<boolean> => (await tx.sql(DEACTIVATE, [organizationId, id])).length > 0;
