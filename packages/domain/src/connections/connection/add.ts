import type { RequiredEntityData } from '@mikro-orm/core';
import { fewIn, type Transaction } from '../../kernel/index.ts';
import { AppConnectionEntity } from './connection.entity.ts';

const FEW = { table: 'app_connections', most: 1_000, code: 'app_connection.too_many', of: 'connections' };
const requireFewInProject = fewIn('project', FEW);
const requireFewInOrganization = fewIn('organization', FEW, 'project_id is null');

/** Adds a connection. The right was checked before. */
export async function addConnection(
  tx: Transaction,
  connection: RequiredEntityData<AppConnectionEntity>,
): Promise<AppConnectionEntity> {
  const row = tx.em.create(AppConnectionEntity, connection);
  await tx.em.persist(row).flush();
  const { organizationId, projectId } = row;
  await (projectId ? requireFewInProject(tx, projectId) : requireFewInOrganization(tx, organizationId));
  return row;
}
