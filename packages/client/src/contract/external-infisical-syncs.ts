// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { ChangedSecretSyncOptions, CreateSecretSyncFields, ExternalInfisicalSecretSync, SecretSyncOptionsInput, UpdateSecretSyncFields } from './shared.ts';

export type ExternalInfisicalSyncConfigInput = { projectId: string; environment: string; /** Default: `'/'` */ secretPath?: string };

export interface ExternalInfisicalSyncsApi {
  /** Create a secret sync to External Infisical. `POST /api/v1/secret-syncs/external-infisical`. Needs `create` on `secret-syncs`. */
  create: Mutation<
    CreateSecretSyncFields & {
      /** A connection to External Infisical, of the project or the organization */ connectionId: string;
      syncOptions: SecretSyncOptionsInput;
      destinationConfig: ExternalInfisicalSyncConfigInput;
    },
    { /** A secret sync to External Infisical */ secretSync: ExternalInfisicalSecretSync }
  >;
  /**
   * Update a secret sync to External Infisical; omitted fields stay unchanged.
   * `PATCH /api/v1/secret-syncs/external-infisical/{syncId}`. Needs `edit` on `secret-syncs`.
   */
  update: Mutation<
    UpdateSecretSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedSecretSyncOptions;
      /** Replaces the present one */ destinationConfig?: ExternalInfisicalSyncConfigInput;
    },
    { /** A secret sync to External Infisical */ secretSync: ExternalInfisicalSecretSync }
  >;
}
