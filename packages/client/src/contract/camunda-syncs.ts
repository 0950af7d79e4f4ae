// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CamundaSecretSync, CamundaSyncConfig, ChangedSecretSyncOptions, CreateSecretSyncFields, SecretSyncOptionsInput, UpdateSecretSyncFields } from './shared.ts';

export interface CamundaSyncsApi {
  /** Create a secret sync to Camunda. `POST /api/v1/secret-syncs/camunda`. Needs `create` on `secret-syncs`. */
  create: Mutation<
    CreateSecretSyncFields & {
      /** A connection to Camunda, of the project or the organization */ connectionId: string;
      syncOptions: SecretSyncOptionsInput;
      destinationConfig: CamundaSyncConfig;
    },
    { /** A secret sync to Camunda */ secretSync: CamundaSecretSync }
  >;
  /**
   * Update a secret sync to Camunda; omitted fields stay unchanged.
   * `PATCH /api/v1/secret-syncs/camunda/{syncId}`. Needs `edit` on `secret-syncs`.
   */
  update: Mutation<
    UpdateSecretSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedSecretSyncOptions;
      /** Replaces the present one */ destinationConfig?: CamundaSyncConfig;
    },
    { /** A secret sync to Camunda */ secretSync: CamundaSecretSync }
  >;
}
