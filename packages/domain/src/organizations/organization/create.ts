import { createDataKey } from '../../crypto/index.ts';
import { newId, slugFrom, type Transaction } from '../../kernel/index.ts';
import { OrganizationEntity } from './organization.entity.ts';

/** A new organization with its data key; its first member comes separately. */
export async function createOrganizationRow(tx: Transaction, name: string): Promise<OrganizationEntity> {
  const organization = tx.em.create(OrganizationEntity, { id: newId(), name, slug: slugFrom(name, 64) });
  await tx.em.persist(organization).flush();
  await createDataKey(tx, organization.id);
  return organization;
}
