import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import { OrganizationEntity } from '../organization/organization.entity.ts';

export const IncidentContactEntity = defineEntity({
  name: 'IncidentContact',
  tableName: 'incident_contacts',
  properties: {
    ...base,
    organizationId: () => p.manyToOne(OrganizationEntity).mapToPk().fieldName('organization_id'),
    email: p.text(),
  },
});
export type IncidentContactEntity = InferEntity<typeof IncidentContactEntity>;
