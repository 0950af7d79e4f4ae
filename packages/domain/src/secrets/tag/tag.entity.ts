import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { authorship, base } from '../../kernel/index.ts';

export const TagEntity = defineEntity({
  name: 'Tag',
  tableName: 'tags',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    slug: p.text(),
    color: p.text().nullable(),
    ...authorship,
  },
});
export type TagEntity = InferEntity<typeof TagEntity>;
