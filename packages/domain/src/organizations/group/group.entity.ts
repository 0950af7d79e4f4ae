import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import { OrganizationEntity } from '../organization/organization.entity.ts';

/** People and machine identities of an organization who are given rights together. */
export const GroupEntity = defineEntity({
  name: 'Group',
  tableName: 'groups',
  properties: {
    ...base,
    organizationId: () => p.manyToOne(OrganizationEntity).mapToPk().fieldName('organization_id'),
    name: p.text(),
    slug: p.text(),
  },
});
export type GroupEntity = InferEntity<typeof GroupEntity>;
