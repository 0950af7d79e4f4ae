import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';

export const PkiCollectionEntity = defineEntity({
  name: 'PkiCollection',
  tableName: 'pki_collections',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    name: p.text(),
    description: p.text().default(''),
  },
});
export type PkiCollectionEntity = InferEntity<typeof PkiCollectionEntity>;
