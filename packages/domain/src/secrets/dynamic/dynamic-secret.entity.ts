import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base, type Metadata } from '../../kernel/index.ts';
import { FolderEntity } from '../folder/folder.entity.ts';

/** A dynamic secret. The configuration of its provider is encrypted as a whole. */
export const DynamicSecretEntity = defineEntity({
  name: 'DynamicSecret',
  tableName: 'dynamic_secrets',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    folderId: () => p.manyToOne(FolderEntity).mapToPk().fieldName('folder_id'),
    name: p.text(),
    type: p.text(),
    version: p.integer().default(1),
    defaultTTL: p.text().fieldName('default_ttl'),
    maxTTL: p.text().fieldName('max_ttl').nullable(),
    usernameTemplate: p.text().nullable(),
    metadata: p.json().$type<Metadata>(),
    inputs: p.blob().hidden(),
    status: p.text().nullable(),
    statusDetails: p.text().nullable(),
  },
});
export type DynamicSecretEntity = InferEntity<typeof DynamicSecretEntity>;
