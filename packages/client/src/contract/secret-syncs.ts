// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { AwsParameterStoreSecretSync, AwsSecretsManagerSecretSync, AzureAppConfigurationSecretSync, AzureKeyVaultSecretSync, CamundaSecretSync, DatabricksSecretSync, ExternalInfisicalSecretSync, GcpSecretManagerSecretSync, GithubSecretSync, HashicorpVaultSecretSync, HumanitecSecretSync, TerraformCloudSecretSync, VercelSecretSync } from './shared.ts';

export type AnySecretSync = AwsParameterStoreSecretSync | AwsSecretsManagerSecretSync | AzureAppConfigurationSecretSync | AzureKeyVaultSecretSync | CamundaSecretSync | DatabricksSecretSync | ExternalInfisicalSecretSync | GcpSecretManagerSecretSync | GithubSecretSync | HashicorpVaultSecretSync | HumanitecSecretSync | TerraformCloudSecretSync | VercelSecretSync;

export type DeleteSecretSync = {
  destination: DestinationName;
  syncId: string;
  /** Also removes at the destination what the sync has written there, and first (default: `false`) */
  removeSecrets?: boolean;
};

export type DestinationName = 'aws-parameter-store' | 'aws-secrets-manager' | 'azure-app-configuration' | 'azure-key-vault' | 'camunda' | 'databricks' | 'external-infisical' | 'gcp-secret-manager' | 'github' | 'hashicorp-vault' | 'humanitec' | 'terraform-cloud' | 'vercel';

export type ImportSecrets = {
  destination: DestinationName;
  syncId: string;
  /** Which value is kept where both sides have different ones */
  importBehavior: 'prioritize-source' | 'prioritize-destination';
};

export type SecretSyncName = { destination: DestinationName; syncName: string; projectId: string };

export type SecretSyncOption = {
  /** For people */ name: string;
  /** The app of its connections */ connection: string;
  destination: string;
  canImportSecrets: boolean;
  /** The variable that the operator of this server has to set before it can be used. Absent: it can be used */
  missingSetting?: string;
};

export type SecretSyncPlan = {
  /** The items that are new at the destination */ create: string[];
  /** The items there that get another value */ change: string[];
  /** The items there that are removed */ remove: string[];
  /** The secrets that the folder gets from the destination, before anything is written */ import: string[];
  /** The secrets of the folder that the destination cannot store */ rejected: { name: string; reason: string }[];
};

export interface SecretSyncsApi {
  /** List the available destinations. `GET /api/v1/secret-syncs/options`. */
  options: Query<NoInput, { secretSyncOptions: SecretSyncOption[] }>;
  /** List the secret syncs of a project. `GET /api/v1/secret-syncs`. Needs `read` on `secret-syncs`. */
  listAll: Query<{ projectId: string }, { secretSyncs: AnySecretSync[] }>;
  /** List the secret syncs of a project to a destination. `GET /api/v1/secret-syncs/{destination}`. Needs `read` on `secret-syncs`. */
  list: Query<{ projectId: string; destination: DestinationName }, { secretSyncs: AnySecretSync[] }>;
  /**
   * Get a secret sync with the results of its last runs.
   * `GET /api/v1/secret-syncs/{destination}/{syncId}`. Needs `read` on `secret-syncs`.
   */
  get: Query<{ destination: DestinationName; syncId: string }, { secretSync: AnySecretSync }>;
  /** Get a secret sync by its name. `GET /api/v1/secret-syncs/{destination}/sync-name/{syncName}`. Needs `read` on `secret-syncs`. */
  getByName: Query<SecretSyncName, { secretSync: AnySecretSync }>;
  /** Delete a secret sync. `DELETE /api/v1/secret-syncs/{destination}/{syncId}`. Needs `delete` on `secret-syncs`. */
  delete: Mutation<DeleteSecretSync, { secretSync: AnySecretSync }>;
  /**
   * Compare both sides and list what the next sync does.
   * `POST /api/v1/secret-syncs/{destination}/{syncId}/plan`. Needs `sync-secrets` on `secret-syncs`.
   */
  plan: Mutation<{ destination: DestinationName; syncId: string }, { plan: SecretSyncPlan }>;
  /** Start a sync. `POST /api/v1/secret-syncs/{destination}/{syncId}/sync-secrets`. Needs `sync-secrets` on `secret-syncs`. */
  syncSecrets: Mutation<{ destination: DestinationName; syncId: string }, { secretSync: AnySecretSync }>;
  /**
   * Start an import of secrets from a destination.
   * `POST /api/v1/secret-syncs/{destination}/{syncId}/import-secrets`. Needs `import-secrets` on `secret-syncs`.
   */
  importSecrets: Mutation<ImportSecrets, { secretSync: AnySecretSync }>;
  /**
   * Start the removal of what a sync has written at its destination.
   * `POST /api/v1/secret-syncs/{destination}/{syncId}/remove-secrets`. Needs `remove-secrets` on `secret-syncs`.
   */
  removeSecrets: Mutation<{ destination: DestinationName; syncId: string }, { secretSync: AnySecretSync }>;
}
