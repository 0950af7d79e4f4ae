// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { ChangedSecretSyncOptions, CreateSecretSyncFields, GcpSecretManagerSecretSync, GcpSecretManagerSyncConfig, SecretSyncOptionsInput, UpdateSecretSyncFields } from './shared.ts';

export interface GcpSecretManagerSyncsApi {
  /** Create a secret sync to GCP Secret Manager. `POST /api/v1/secret-syncs/gcp-secret-manager`. Needs `create` on `secret-syncs`. */
  create: Mutation<
    CreateSecretSyncFields & {
      /** A connection to Google Cloud, of the project or the organization */ connectionId: string;
      syncOptions: SecretSyncOptionsInput;
      destinationConfig: GcpSecretManagerSyncConfig;
    },
    { /** A secret sync to GCP Secret Manager */ secretSync: GcpSecretManagerSecretSync }
  >;
  /**
   * Update a secret sync to GCP Secret Manager; omitted fields stay unchanged.
   * `PATCH /api/v1/secret-syncs/gcp-secret-manager/{syncId}`. Needs `edit` on `secret-syncs`.
   */
  update: Mutation<
    UpdateSecretSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedSecretSyncOptions;
      /** Replaces the present one */ destinationConfig?: GcpSecretManagerSyncConfig;
    },
    { /** A secret sync to GCP Secret Manager */ secretSync: GcpSecretManagerSecretSync }
  >;
}
