// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { ChangedSecretSyncOptions, CreateSecretSyncFields, HumanitecSecretSync, HumanitecSyncConfig, SecretSyncOptionsInput, UpdateSecretSyncFields } from './shared.ts';

export interface HumanitecSyncsApi {
  /** Create a secret sync to Humanitec. `POST /api/v1/secret-syncs/humanitec`. Needs `create` on `secret-syncs`. */
  create: Mutation<
    CreateSecretSyncFields & {
      /** A connection to Humanitec, of the project or the organization */ connectionId: string;
      syncOptions: SecretSyncOptionsInput;
      destinationConfig: HumanitecSyncConfig;
    },
    { /** A secret sync to Humanitec */ secretSync: HumanitecSecretSync }
  >;
  /**
   * Update a secret sync to Humanitec; omitted fields stay unchanged.
   * `PATCH /api/v1/secret-syncs/humanitec/{syncId}`. Needs `edit` on `secret-syncs`.
   */
  update: Mutation<
    UpdateSecretSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedSecretSyncOptions;
      /** Replaces the present one */ destinationConfig?: HumanitecSyncConfig;
    },
    { /** A secret sync to Humanitec */ secretSync: HumanitecSecretSync }
  >;
}
