import { randomBytes } from 'node:crypto';
import { createDataKey } from '../../crypto/index.ts';
import { newId, slugify, type Transaction } from '../../kernel/index.ts';
import { OrganizationEntity } from './organization.entity.ts';

/** A slug from a name, made unique by four random letters and digits: `acme-x7k2`. */
export const slugFor = (name: string, length = 60): string => {
  const suffix = randomBytes(8).readUInt32BE().toString(36).padStart(6, '0').slice(-4);
  return [slugify(name).slice(0, length), suffix].filter(Boolean).join('-');
};

/** A new organization with its data key; its first member comes separately. */
export async function createOrganizationRow(tx: Transaction, name: string): Promise<OrganizationEntity> {
  const organization = tx.em.create(OrganizationEntity, { id: newId(), name, slug: slugFor(name) });
  await tx.em.persist(organization).flush();
  await createDataKey(tx, organization.id);
  return organization;
}
