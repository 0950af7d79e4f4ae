import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base, type Metadata } from '../../kernel/index.ts';

export const IdentityEntity = defineEntity({
  name: 'Identity',
  tableName: 'identities',
  properties: {
    ...base,
    organizationId: p.uuid(),
    /** The project that it belongs to; absent if it belongs to the organization. */
    projectId: p.uuid().nullable(),
    name: p.text(),
    metadata: p.json().$type<Metadata>(),
    hasDeleteProtection: p.boolean().default(false),
    isSuperAdmin: p.boolean().default(false),
  },
});
export type IdentityEntity = InferEntity<typeof IdentityEntity>;
