import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';

export const OrganizationEntity = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    ...base,
    name: p.text(),
    slug: p.text(),
    defaultMembershipRole: p.text().default('member'),
    userTokenExpiration: p.text().nullable(),
    auditLogsRetentionDays: p.integer().nullable(),
  },
});
export type OrganizationEntity = InferEntity<typeof OrganizationEntity>;
