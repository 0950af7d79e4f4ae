import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import type { RunAs } from '../../secrets/import/replication/index.ts';
import type { IntegrationSettings } from './destination.ts';
import { IntegrationAuthEntity } from './integration-auth.entity.ts';

/** As people configure it and as they see what came of it. When it runs is the queue's (`queue.ts`), in the same row. */
export const IntegrationEntity = defineEntity({
  name: 'Integration',
  tableName: 'integrations',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    integrationAuthId: () => p.manyToOne(IntegrationAuthEntity).mapToPk().fieldName('integration_auth_id'),
    integration: p.text(),
    isActive: p.boolean(),
    environmentId: p.uuid(),
    folderId: p.uuid().nullable(),
    secretPath: p.text(),
    runAs: p.json().$type<RunAs>().nullable().fieldName('sponsor'),
    url: p.text().nullable(),
    app: p.text().nullable(),
    appId: p.text().nullable(),
    targetEnvironment: p.text().nullable(),
    targetEnvironmentId: p.text().nullable(),
    targetService: p.text().nullable(),
    targetServiceId: p.text().nullable(),
    owner: p.text().nullable(),
    path: p.text().nullable(),
    region: p.text().nullable(),
    scope: p.text().nullable(),
    metadata: p.json().$type<IntegrationSettings>(),
    sealed: p.blob().hidden(),
    target: p.text(),
    isInitialized: p.boolean().default(false),
    lastUsed: p.datetime().nullable(),
    isSynced: p.boolean().nullable(),
    syncMessage: p.text().nullable(),
    lastSyncJobId: p.text().nullable(),
  },
});
export type IntegrationEntity = InferEntity<typeof IntegrationEntity>;
