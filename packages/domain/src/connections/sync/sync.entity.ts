import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import type { RunAs } from '../../secrets/import/replication/index.ts';
import { AppConnectionEntity } from '../connection/connection.entity.ts';
import type { NamedPlace } from './named-places.ts';
import type { ImportBehavior, SyncOptions } from './sync.ts';

/** The configuration and the visible outcome. The schedule is in the queue's columns of the same row (`queue.ts`). */
export const SecretSyncEntity = defineEntity({
  name: 'SecretSync',
  tableName: 'secret_syncs',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    connectionId: () => p.manyToOne(AppConnectionEntity).mapToPk().fieldName('connection_id'),
    destination: p.text(),
    /** Of a sync that was made as such; null where it was made as an integration, which has `given`. */
    name: p.text().nullable(),
    description: p.text().nullable(),
    version: p.integer().default(1),
    isActive: p.boolean(),
    /** Whether it follows changes of its source. */
    isAutoSyncEnabled: p.boolean().default(true),
    environmentId: p.uuid(),
    folderId: p.uuid().nullable(),
    secretPath: p.text(),
    /** The slug of its environment when it was saved: what its key schema makes of `{{environment}}`. */
    keyEnvironment: p.text().nullable(),
    runAs: p.json().$type<RunAs>().nullable(),
    config: p.json().$type<object>(),
    options: p.json().$type<SyncOptions>(),
    given: p.json().$type<object>().nullable(),
    hashKey: p.blob().hidden(),
    target: p.text(),
    isInitialized: p.boolean().default(false),
    lastUsed: p.datetime().nullable(),
    isSynced: p.boolean().nullable(),
    syncMessage: p.text().nullable(),
    lastSyncJobId: p.text().nullable(),
    importRequested: p.text().$type<ImportBehavior>().nullable(),
    isImported: p.boolean().nullable(),
    importMessage: p.text().nullable(),
    lastImportedAt: p.datetime().nullable(),
    lastImportJobId: p.text().nullable(),
    removeRequested: p.boolean().default(false),
    isRemoved: p.boolean().nullable(),
    removeMessage: p.text().nullable(),
    lastRemovedAt: p.datetime().nullable(),
    lastRemoveJobId: p.text().nullable(),
    namedPlaces: p.json().$type<readonly NamedPlace[]>().nullable(),
  },
});
export type SecretSyncEntity = InferEntity<typeof SecretSyncEntity>;
