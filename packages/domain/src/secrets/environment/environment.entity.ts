import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';

export const EnvironmentEntity = defineEntity({
  name: 'Environment',
  tableName: 'environments',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    name: p.text(),
    slug: p.text(),
    position: p.integer(),
  },
});
export type EnvironmentEntity = InferEntity<typeof EnvironmentEntity>;
