import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import { ProjectEntity } from '../project/project.entity.ts';

export const TrustedIpEntity = defineEntity({
  name: 'TrustedIp',
  tableName: 'trusted_ips',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName('project_id'),
    ipAddress: p.text(),
    type: p.text().$type<'ipv4' | 'ipv6'>(),
    prefix: p.integer().nullable(),
    isActive: p.boolean(),
    comment: p.text().nullable(),
  },
});
export type TrustedIpEntity = InferEntity<typeof TrustedIpEntity>;
