// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { CreateAppConnectionFields, TerraformCloudConnection, UpdateAppConnectionFields } from './shared.ts';

export interface TerraformCloudConnectionsApi {
  /**
   * Create a connection to Terraform Cloud.
   * `POST /api/v1/app-connections/terraform-cloud`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'api-token';
      credentials: { apiToken: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Terraform Cloud */ appConnection: TerraformCloudConnection }
  >;
  /**
   * Update a connection to Terraform Cloud; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/terraform-cloud/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { apiToken?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Terraform Cloud */ appConnection: TerraformCloudConnection }
  >;
  /**
   * List the organizations with their workspaces and variable sets that a connection to Terraform Cloud reaches.
   * `GET /api/v1/app-connections/terraform-cloud/{connectionId}/organizations`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listOrganizations: Query<
    { connectionId: string },
    {
      id: string;
      name: string;
      variableSets: { id: string; name: string; description?: string; global?: boolean }[];
      workspaces: { id: string; name: string }[];
    }[]
  >;
}
