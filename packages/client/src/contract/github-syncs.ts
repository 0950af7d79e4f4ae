// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { ChangedSecretSyncOptions, CreateSecretSyncFields, GithubSecretSync, SecretSyncOptionsInput, UpdateSecretSyncFields } from './shared.ts';

export type GithubSyncConfigInput = { scope: 'repository'; owner: string; repo: string } | { scope: 'repository-environment'; owner: string; repo: string; env: string } | {
  scope: 'organization';
  org: string;
  /** Default: `'private'` */ visibility?: 'all' | 'private' | 'selected';
  /** Default: `[]` */ selectedRepositoryIds?: number[];
};

export interface GithubSyncsApi {
  /** Create a secret sync to GitHub. `POST /api/v1/secret-syncs/github`. Needs `create` on `secret-syncs`. */
  create: Mutation<
    CreateSecretSyncFields & {
      /** A connection to GitHub, of the project or the organization */ connectionId: string;
      syncOptions: SecretSyncOptionsInput;
      destinationConfig: GithubSyncConfigInput;
    },
    { /** A secret sync to GitHub */ secretSync: GithubSecretSync }
  >;
  /**
   * Update a secret sync to GitHub; omitted fields stay unchanged.
   * `PATCH /api/v1/secret-syncs/github/{syncId}`. Needs `edit` on `secret-syncs`.
   */
  update: Mutation<
    UpdateSecretSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedSecretSyncOptions;
      /** Replaces the present one */ destinationConfig?: GithubSyncConfigInput;
    },
    { /** A secret sync to GitHub */ secretSync: GithubSecretSync }
  >;
}
