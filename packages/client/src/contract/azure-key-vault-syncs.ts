// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { AzureKeyVaultSecretSync, ChangedSecretSyncOptions, CreateSecretSyncFields, SecretSyncOptionsInput, UpdateSecretSyncFields } from './shared.ts';

export interface AzureKeyVaultSyncsApi {
  /** Create a secret sync to Azure Key Vault. `POST /api/v1/secret-syncs/azure-key-vault`. Needs `create` on `secret-syncs`. */
  create: Mutation<
    CreateSecretSyncFields & {
      /** A connection to Azure Key Vault, of the project or the organization */ connectionId: string;
      syncOptions: SecretSyncOptionsInput;
      destinationConfig: { vaultBaseUrl: string };
    },
    { /** A secret sync to Azure Key Vault */ secretSync: AzureKeyVaultSecretSync }
  >;
  /**
   * Update a secret sync to Azure Key Vault; omitted fields stay unchanged.
   * `PATCH /api/v1/secret-syncs/azure-key-vault/{syncId}`. Needs `edit` on `secret-syncs`.
   */
  update: Mutation<
    UpdateSecretSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedSecretSyncOptions;
      /** Replaces the present one */ destinationConfig?: { vaultBaseUrl: string };
    },
    { /** A secret sync to Azure Key Vault */ secretSync: AzureKeyVaultSecretSync }
  >;
}
