// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { ChangedSecretSyncOptions, CreateSecretSyncFields, DatabricksSecretSync, SecretSyncOptionsInput, UpdateSecretSyncFields } from './shared.ts';

export interface DatabricksSyncsApi {
  /** Create a secret sync to Databricks. `POST /api/v1/secret-syncs/databricks`. Needs `create` on `secret-syncs`. */
  create: Mutation<
    CreateSecretSyncFields & {
      /** A connection to Databricks, of the project or the organization */ connectionId: string;
      syncOptions: SecretSyncOptionsInput;
      destinationConfig: { scope: string };
    },
    { /** A secret sync to Databricks */ secretSync: DatabricksSecretSync }
  >;
  /**
   * Update a secret sync to Databricks; omitted fields stay unchanged.
   * `PATCH /api/v1/secret-syncs/databricks/{syncId}`. Needs `edit` on `secret-syncs`.
   */
  update: Mutation<
    UpdateSecretSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedSecretSyncOptions;
      /** Replaces the present one */ destinationConfig?: { scope: string };
    },
    { /** A secret sync to Databricks */ secretSync: DatabricksSecretSync }
  >;
}
