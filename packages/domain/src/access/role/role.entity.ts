import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base, type Rule } from '../../kernel/index.ts';

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
    permissions: p.json().$type<Rule[]>(),
    version: p.integer().default(1),
  },
});
export type RoleEntity = InferEntity<typeof RoleEntity>;
