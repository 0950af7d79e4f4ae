import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import { ProjectEntity } from '../../projects/project/project.entity.ts';

export const PkiCollectionEntity = defineEntity({
  name: 'PkiCollection',
  tableName: 'pki_collections',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName('project_id'),
    name: p.text(),
    description: p.text().default(''),
  },
});
export type PkiCollectionEntity = InferEntity<typeof PkiCollectionEntity>;
