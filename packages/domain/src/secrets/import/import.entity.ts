import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import { FolderEntity } from '../folder/folder.entity.ts';

export const SecretImportEntity = defineEntity({
  name: 'SecretImport',
  tableName: 'secret_imports',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    folderId: () => p.manyToOne(FolderEntity).mapToPk().fieldName('folder_id'),
    importEnvironmentId: p.uuid(),
    importPath: p.text(),
    position: p.integer(),
    version: p.integer().default(1),
    isReplication: p.boolean().default(false),
    isReplicationSuccess: p.boolean().nullable(),
    replicationStatus: p.text().nullable(),
    lastReplicated: p.datetime().nullable(),
    isReserved: p.boolean().default(false),
  },
});
export type SecretImportEntity = InferEntity<typeof SecretImportEntity>;
