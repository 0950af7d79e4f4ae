import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';

export const FolderEntity = defineEntity({
  name: 'Folder',
  tableName: 'folders',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    environmentId: p.uuid(),
    parentId: p.uuid().nullable(),
    name: p.text(),
    path: p.text(),
    version: p.integer().default(1),
    description: p.text().nullable(),
    isReserved: p.boolean().default(false),
  },
});
export type FolderEntity = InferEntity<typeof FolderEntity>;
