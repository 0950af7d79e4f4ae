import { z } from 'zod';
import { defineEvent, defineUpdate, flag, Id, Instant, text, Uuid } from '../../kernel/index.ts';
import { EnvironmentSlug, FolderPath, folderPath } from '../../secrets/folder/index.ts';
import { IntegrationSettings } from './settings.ts';

const field = text(1024).trim();
const shown = z.string().nullable();

/** The published form of an integration in responses without its environment. */
export const Integration = z.object({
  id: Uuid,
  isActive: z.boolean(),
  url: shown,
  app: shown,
  appId: shown,
  targetEnvironment: shown,
  targetEnvironmentId: shown,
  targetService: shown,
  targetServiceId: shown,
  owner: shown,
  path: shown,
  region: shown,
  scope: shown,
  integration: z.string(),
  metadata: IntegrationSettings,
  integrationAuthId: Uuid,
  envId: Uuid,
  secretPath: z.string(),
  createdAt: Instant,
  updatedAt: Instant,
  lastUsed: Instant.nullable().describe('When it last reached for its target'),
  isSynced: z.boolean().nullable().describe('Whether the last sync succeeded'),
  syncMessage: shown.describe('Why the last sync did not succeed'),
  lastSyncJobId: shown,
});
export type Integration = z.output<typeof Integration>;

export const IntegrationWithEnvironment = Integration.extend({
  environment: z.object({ id: Uuid, name: z.string(), slug: z.string() }),
});
export type IntegrationWithEnvironment = z.output<typeof IntegrationWithEnvironment>;

export const CreateIntegration = z.object({
  integrationAuthId: Id,
  isActive: z.boolean().default(true),
  sourceEnvironment: EnvironmentSlug,
  secretPath: folderPath(),
  url: text(2048).optional().describe('Informational. Credentials are sent to the address of the authentication'),
  app: field.optional(),
  appId: field.optional(),
  targetEnvironment: field.optional(),
  targetEnvironmentId: field.optional(),
  targetService: field.optional(),
  targetServiceId: field.optional(),
  owner: field.optional(),
  path: field.optional(),
  region: field.optional(),
  scope: field.optional(),
  metadata: IntegrationSettings.optional(),
});
export type CreateIntegration = z.output<typeof CreateIntegration>;

export const IntegrationRef = z.object({ integrationId: Id });
export type IntegrationRef = z.output<typeof IntegrationRef>;

export const UpdateIntegration = IntegrationRef.extend({
  isActive: z.boolean().optional(),
  environment: EnvironmentSlug.optional().describe('The slug of another source environment'),
  secretPath: FolderPath.optional(),
  app: field.optional(),
  appId: field.optional(),
  targetEnvironment: field.optional(),
  owner: field.optional(),
  path: field.optional(),
  region: field.optional(),
  metadata: IntegrationSettings.optional().describe('What it does not name stays'),
});
export type UpdateIntegration = z.output<typeof UpdateIntegration>;

export const DeleteIntegration = IntegrationRef.extend({
  shouldDeleteIntegrationSecrets: flag()
    .default(false)
    .describe('Also removes at the target what the integration has put there, and first'),
});
export type DeleteIntegration = z.output<typeof DeleteIntegration>;

const IntegrationEvent = z.object({
  integrationId: z.string(),
  integrationAuthId: z.string(),
  integration: z.string(),
  environment: z.string(),
  secretPath: z.string(),
});
export const integrationCreated = defineEvent('integration.created', 'create-integration', IntegrationEvent);
export const integrationUpdated = defineUpdate('integration.updated', 'update-integration', IntegrationEvent);
export const integrationDeleted = defineEvent(
  'integration.deleted',
  'delete-integration',
  IntegrationEvent.extend({ shouldDeleteIntegrationSecrets: z.boolean() }),
);
export const integrationSyncAsked = defineEvent(
  'integration.sync_asked',
  'manual-sync-integration',
  IntegrationEvent.pick({ integrationId: true, integration: true }),
);
