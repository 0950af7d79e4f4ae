import type { RequiredEntityData } from '@mikro-orm/core';
import { fewIn, type Transaction } from '../../kernel/index.ts';
import { AppConnectionEntity } from './connection.entity.ts';

const requireFewConnections = fewIn('project', {
  table: 'app_connections',
  most: 1_000,
  code: 'integration_auth.too_many',
  of: 'integration credentials',
});

/** Adds a connection. The right was checked before. */
export async function addConnection(
  tx: Transaction,
  connection: RequiredEntityData<AppConnectionEntity>,
): Promise<AppConnectionEntity> {
  const row = tx.em.create(AppConnectionEntity, connection);
  await tx.em.persist(row).flush();
  await requireFewConnections(tx, row.projectId);
  return row;
}
