import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import { rulesWithSize } from '../rule-columns.ts';

/** A custom role of an organization, or of one of its projects. */
export const RoleEntity = defineEntity({
  name: 'Role',
  tableName: 'roles',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid().nullable(),
    slug: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    ...rulesWithSize,
    version: p.integer().default(1),
  },
});
export type RoleEntity = InferEntity<typeof RoleEntity>;
