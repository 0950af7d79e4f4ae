import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { authorship, base } from '../../kernel/index.ts';
import { ProjectEntity } from '../project/project.entity.ts';

export const TagEntity = defineEntity({
  name: 'Tag',
  tableName: 'tags',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName('project_id'),
    slug: p.text(),
    color: p.text().nullable(),
    ...authorship,
  },
});
export type TagEntity = InferEntity<typeof TagEntity>;
