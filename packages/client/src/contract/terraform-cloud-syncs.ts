// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { ChangedSecretSyncOptions, CreateSecretSyncFields, SecretSyncOptionsInput, TerraformCloudSecretSync, UpdateSecretSyncFields } from './shared.ts';

export type TerraformCloudSyncConfigInput = {
  scope: 'workspace';
  workspaceId: string;
  /** the name of the workspace, for people (default: `''`) */ workspaceName?: string;
  /** the name of the organization, for people (default: `''`) */ org?: string;
  /** What the variables are: of the environment, or of Terraform */ category: 'env' | 'terraform';
} | {
  scope: 'variable-set';
  variableSetId: string;
  /** the name of the variable set, for people (default: `''`) */ variableSetName?: string;
  /** the name of the organization, for people (default: `''`) */ org?: string;
  /** What the variables are: of the environment, or of Terraform */ category: 'env' | 'terraform';
};

export interface TerraformCloudSyncsApi {
  /** Create a secret sync to Terraform Cloud. `POST /api/v1/secret-syncs/terraform-cloud`. Needs `create` on `secret-syncs`. */
  create: Mutation<
    CreateSecretSyncFields & {
      /** A connection to Terraform Cloud, of the project or the organization */ connectionId: string;
      syncOptions: SecretSyncOptionsInput;
      destinationConfig: TerraformCloudSyncConfigInput;
    },
    { /** A secret sync to Terraform Cloud */ secretSync: TerraformCloudSecretSync }
  >;
  /**
   * Update a secret sync to Terraform Cloud; omitted fields stay unchanged.
   * `PATCH /api/v1/secret-syncs/terraform-cloud/{syncId}`. Needs `edit` on `secret-syncs`.
   */
  update: Mutation<
    UpdateSecretSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedSecretSyncOptions;
      /** Replaces the present one */ destinationConfig?: TerraformCloudSyncConfigInput;
    },
    { /** A secret sync to Terraform Cloud */ secretSync: TerraformCloudSecretSync }
  >;
}
