// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { AzureAppConfigurationSecretSync, ChangedSecretSyncOptions, CreateSecretSyncFields, SecretSyncOptionsInput, UpdateSecretSyncFields } from './shared.ts';

export type AzureAppConfigurationSyncConfigInput = { configurationUrl: string; /** The label of the key-values; default: none (default: `''`) */ label?: string };

export interface AzureAppConfigurationSyncsApi {
  /**
   * Create a secret sync to Azure App Configuration.
   * `POST /api/v1/secret-syncs/azure-app-configuration`. Needs `create` on `secret-syncs`.
   */
  create: Mutation<
    CreateSecretSyncFields & {
      /** A connection to Azure App Configuration, of the project or the organization */ connectionId: string;
      syncOptions: SecretSyncOptionsInput;
      destinationConfig: AzureAppConfigurationSyncConfigInput;
    },
    { /** A secret sync to Azure App Configuration */ secretSync: AzureAppConfigurationSecretSync }
  >;
  /**
   * Update a secret sync to Azure App Configuration; omitted fields stay unchanged.
   * `PATCH /api/v1/secret-syncs/azure-app-configuration/{syncId}`. Needs `edit` on `secret-syncs`.
   */
  update: Mutation<
    UpdateSecretSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedSecretSyncOptions;
      /** Replaces the present one */ destinationConfig?: AzureAppConfigurationSyncConfigInput;
    },
    { /** A secret sync to Azure App Configuration */ secretSync: AzureAppConfigurationSecretSync }
  >;
}
