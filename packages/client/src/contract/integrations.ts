// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type CreateIntegration = {
  integrationAuthId: string;
  /** Default: `true` */ isActive?: boolean;
  /** The slug of an environment */ sourceEnvironment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
  /** Informational. Credentials are sent to the address of the authentication */ url?: string;
  app?: string;
  appId?: string;
  targetEnvironment?: string;
  targetEnvironmentId?: string;
  targetService?: string;
  targetServiceId?: string;
  owner?: string;
  path?: string;
  region?: string;
  scope?: string;
  metadata?: IntegrationSettings;
};

export type DeleteIntegration = {
  integrationId: string;
  /** Also removes at the target what the integration has put there, and first (default: `false`) */
  shouldDeleteIntegrationSecrets?: boolean;
};

export type Integration = {
  id: string;
  isActive: boolean;
  url: string | null;
  app: string | null;
  appId: string | null;
  targetEnvironment: string | null;
  targetEnvironmentId: string | null;
  targetService: string | null;
  targetServiceId: string | null;
  owner: string | null;
  path: string | null;
  region: string | null;
  scope: string | null;
  integration: string;
  metadata: IntegrationSettings;
  integrationAuthId: string;
  envId: string;
  secretPath: string;
  createdAt: string;
  updatedAt: string;
  /** When it last reached for its target */ lastUsed: string | null;
  /** Whether the last sync succeeded */ isSynced: boolean | null;
  /** Why the last sync did not succeed */ syncMessage: string | null;
  lastSyncJobId: string | null;
};

export type IntegrationSettings = {
  /** What the first sync does with what is at the target before it */
  initialSyncBehavior?: 'overwrite-target' | 'prefer-target' | 'prefer-source';
  /** Put before each name at the target */ secretPrefix?: string;
  /** Put after each name at the target */ secretSuffix?: string;
  /** One item per secret, or all secrets in one item */ mappingBehavior?: 'one-to-one' | 'many-to-one';
  shouldAutoRedeploy?: boolean;
  secretGCPLabel?: { labelName: string; labelValue: string };
  /** Tags of new resources at AWS */ secretAWSTag?: { key: string; value: string }[];
  azureLabel?: string;
  githubVisibility?: 'all' | 'private' | 'selected';
  githubVisibilityRepoIds?: string[];
  /** The key of AWS KMS under which secrets are stored there */ kmsKeyId?: string;
  /** Nothing is removed at the target */ shouldDisableDelete?: boolean;
  /** For destinations that do not delete by default: enables deletion */ shouldEnableDelete?: boolean;
  shouldMaskSecrets?: boolean;
  shouldProtectSecrets?: boolean;
  metadataSyncMode?: 'custom' | 'secret-metadata';
  octopusDeployScopeValues?: Record<string, string[]>;
};

export type IntegrationWithEnvironment = Integration & { environment: { id: string; name: string; slug: string } };

export type UpdateIntegration = {
  integrationId: string;
  isActive?: boolean;
  /** The slug of another source environment */ environment?: string;
  /** The path of a folder, for example /app/config */ secretPath?: string;
  app?: string;
  appId?: string;
  targetEnvironment?: string;
  owner?: string;
  path?: string;
  region?: string;
  /** What it does not name stays */ metadata?: IntegrationSettings;
};

export interface IntegrationsApi {
  /** List the integrations of a project. `GET /api/v1/workspace/{workspaceId}/integrations`. Needs `read` on `integrations`. */
  list: Query<{ workspaceId: string }, { integrations: IntegrationWithEnvironment[] }>;
  /**
   * Create an integration that syncs the secrets of a folder to a service.
   * `POST /api/v1/integration`. Needs `create` on `integrations`.
   */
  create: Mutation<CreateIntegration, { integration: IntegrationWithEnvironment }>;
  /** Read an integration with the result of its last sync. `GET /api/v1/integration/{integrationId}`. Needs `read` on `integrations`. */
  get: Query<{ integrationId: string }, { integration: IntegrationWithEnvironment }>;
  /** Update an integration; omitted fields stay unchanged. `PATCH /api/v1/integration/{integrationId}`. Needs `edit` on `integrations`. */
  update: Mutation<UpdateIntegration, { integration: IntegrationWithEnvironment }>;
  /** Delete an integration. `DELETE /api/v1/integration/{integrationId}`. Needs `delete` on `integrations`. */
  delete: Mutation<DeleteIntegration, { integration: Integration }>;
  /** Start a sync of an integration. `POST /api/v1/integration/{integrationId}/sync`. Needs `edit` on `integrations`. */
  sync: Mutation<{ integrationId: string }, { integration: Integration }>;
}
