import { newId, statement, type Metadata, type Transaction } from '../../kernel/index.ts';
import { IdentityEntity } from './identity.entity.ts';

export interface NewIdentity {
  readonly id?: string;
  readonly organizationId: string;
  /** Absent: it belongs to the organization. */
  readonly projectId?: string;
  readonly name: string;
  readonly metadata: Metadata;
  readonly hasDeleteProtection?: boolean;
  readonly isSuperAdmin?: boolean;
}

/** Adds an identity without a membership. The right was checked before. */
export async function addIdentity(
  tx: Transaction,
  { id = newId(), ...identity }: NewIdentity,
): Promise<IdentityEntity> {
  const row = tx.em.create(IdentityEntity, { id, ...identity });
  await tx.em.persist(row).flush();
  return row;
}

type Named = Pick<IdentityEntity, 'id' | 'name' | 'organizationId'>;
const REVOKE_SUPER_ADMIN = statement(
  'identities.revoke_super_admin',
  `update identities set is_super_admin = false, updated_at = $2 where id = $1 and is_super_admin
   returning id, name, organization_id as "organizationId"`,
);

/** Stores that an identity no longer administers the instance. @returns `undefined` if it did not. */
export async function revokeSuperAdmin(tx: Transaction, id: string): Promise<Named | undefined> {
  const [identity] = await tx.sql<Named>(REVOKE_SUPER_ADMIN, [id, tx.now()]);
  return identity;
}
