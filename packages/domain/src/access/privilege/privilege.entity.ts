import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import { MembershipEntity } from '../membership/membership.entity.ts';
import { rulesWithSize } from '../rule-columns.ts';
import { windowColumns } from '../window-columns.ts';

/** Rules of one member of a project, a user or machine identity, in addition to its roles. */
export const PrivilegeEntity = defineEntity({
  name: 'Privilege',
  tableName: 'additional_privileges',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    membershipId: () => p.manyToOne(MembershipEntity).mapToPk().fieldName('membership_id'),
    slug: p.text(),
    ...rulesWithSize,
    ...windowColumns,
  },
});
export type PrivilegeEntity = InferEntity<typeof PrivilegeEntity>;
