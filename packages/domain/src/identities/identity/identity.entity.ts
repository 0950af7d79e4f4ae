import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base, type Metadata } from '../../kernel/index.ts';
import { OrganizationEntity } from '../../organizations/organization/organization.entity.ts';
import { ProjectEntity } from '../../projects/project/project.entity.ts';

export const IdentityEntity = defineEntity({
  name: 'Identity',
  tableName: 'identities',
  properties: {
    ...base,
    organizationId: () => p.manyToOne(OrganizationEntity).mapToPk().fieldName('organization_id'),
    /** The project that it belongs to; none where it belongs to the organization. */
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName('project_id').nullable(),
    name: p.text(),
    metadata: p.json().$type<Metadata>(),
    hasDeleteProtection: p.boolean().default(false),
    isSuperAdmin: p.boolean().default(false),
  },
});
export type IdentityEntity = InferEntity<typeof IdentityEntity>;
