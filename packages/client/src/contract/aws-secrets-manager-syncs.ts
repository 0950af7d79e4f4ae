// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { AwsSecretsManagerSecretSync, AwsSecretsManagerSyncConfig, CreateSecretSyncFields, UpdateSecretSyncFields } from './shared.ts';

export type AwsSecretsManagerSyncOptionsInput = {
  /** What the first sync does with what is at the destination before it (default: `'overwrite-destination'`) */
  initialSyncBehavior?: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
  /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
  keySchema?: string;
  /** Nothing is removed at the destination (default: `false`) */ disableSecretDeletion?: boolean;
  keyId?: string;
  tags?: { key: string; value: string }[];
  /** Whether the tags of each item are the metadata of its secret, and `tags`, which take precedence */
  syncSecretMetadataAsTags?: boolean;
};

export type ChangedAwsSecretsManagerSyncOptions = {
  initialSyncBehavior?: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination' | null;
  keySchema?: string | null;
  disableSecretDeletion?: boolean | null;
  keyId?: string | null;
  tags?: { key: string; value: string }[] | null;
  syncSecretMetadataAsTags?: boolean | null;
};

export interface AwsSecretsManagerSyncsApi {
  /** Create a secret sync to AWS Secrets Manager. `POST /api/v1/secret-syncs/aws-secrets-manager`. Needs `create` on `secret-syncs`. */
  create: Mutation<
    CreateSecretSyncFields & {
      /** A connection to AWS, of the project or the organization */ connectionId: string;
      syncOptions: AwsSecretsManagerSyncOptionsInput;
      destinationConfig: AwsSecretsManagerSyncConfig;
    },
    { /** A secret sync to AWS Secrets Manager */ secretSync: AwsSecretsManagerSecretSync }
  >;
  /**
   * Update a secret sync to AWS Secrets Manager; omitted fields stay unchanged.
   * `PATCH /api/v1/secret-syncs/aws-secrets-manager/{syncId}`. Needs `edit` on `secret-syncs`.
   */
  update: Mutation<
    UpdateSecretSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedAwsSecretsManagerSyncOptions;
      /** Replaces the present one */ destinationConfig?: AwsSecretsManagerSyncConfig;
    },
    { /** A secret sync to AWS Secrets Manager */ secretSync: AwsSecretsManagerSecretSync }
  >;
}
