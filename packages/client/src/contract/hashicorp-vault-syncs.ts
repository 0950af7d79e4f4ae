// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { ChangedSecretSyncOptions, CreateSecretSyncFields, HashicorpVaultSecretSync, SecretSyncOptionsInput, UpdateSecretSyncFields } from './shared.ts';

export interface HashicorpVaultSyncsApi {
  /** Create a secret sync to HashiCorp Vault. `POST /api/v1/secret-syncs/hashicorp-vault`. Needs `create` on `secret-syncs`. */
  create: Mutation<
    CreateSecretSyncFields & {
      /** A connection to HashiCorp Vault, of the project or the organization */ connectionId: string;
      syncOptions: SecretSyncOptionsInput;
      destinationConfig: { mount: string; path: string };
    },
    { /** A secret sync to HashiCorp Vault */ secretSync: HashicorpVaultSecretSync }
  >;
  /**
   * Update a secret sync to HashiCorp Vault; omitted fields stay unchanged.
   * `PATCH /api/v1/secret-syncs/hashicorp-vault/{syncId}`. Needs `edit` on `secret-syncs`.
   */
  update: Mutation<
    UpdateSecretSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedSecretSyncOptions;
      /** Replaces the present one */ destinationConfig?: { mount: string; path: string };
    },
    { /** A secret sync to HashiCorp Vault */ secretSync: HashicorpVaultSecretSync }
  >;
}
