// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { ChangedSecretSyncOptions, CreateSecretSyncFields, SecretSyncOptionsInput, UpdateSecretSyncFields, VercelSecretSync } from './shared.ts';

export type VercelSyncConfigInput = {
  app: string;
  /** The name of the project, for people (default: `''`) */ appName?: string;
  env: string;
  /** With `preview`: only for deployments of this branch */ branch?: string;
  teamId: string;
};

export interface VercelSyncsApi {
  /** Create a secret sync to Vercel. `POST /api/v1/secret-syncs/vercel`. Needs `create` on `secret-syncs`. */
  create: Mutation<
    CreateSecretSyncFields & {
      /** A connection to Vercel, of the project or the organization */ connectionId: string;
      syncOptions: SecretSyncOptionsInput;
      destinationConfig: VercelSyncConfigInput;
    },
    { /** A secret sync to Vercel */ secretSync: VercelSecretSync }
  >;
  /**
   * Update a secret sync to Vercel; omitted fields stay unchanged.
   * `PATCH /api/v1/secret-syncs/vercel/{syncId}`. Needs `edit` on `secret-syncs`.
   */
  update: Mutation<
    UpdateSecretSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedSecretSyncOptions;
      /** Replaces the present one */ destinationConfig?: VercelSyncConfigInput;
    },
    { /** A secret sync to Vercel */ secretSync: VercelSecretSync }
  >;
}
