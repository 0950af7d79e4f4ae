import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base, type Metadata } from '../../kernel/index.ts';
import { OrganizationEntity } from '../../organizations/organization/organization.entity.ts';

export const IdentityEntity = defineEntity({
  name: 'Identity',
  tableName: 'identities',
  properties: {
    ...base,
    organizationId: () => p.manyToOne(OrganizationEntity).mapToPk().fieldName('organization_id'),
    name: p.text(),
    metadata: p.json().$type<Metadata>(),
    hasDeleteProtection: p.boolean().default(false),
    isSuperAdmin: p.boolean().default(false),
  },
});
export type IdentityEntity = InferEntity<typeof IdentityEntity>;
