// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { CreateAppConnectionFields, DatabricksConnection, UpdateAppConnectionFields } from './shared.ts';

export interface DatabricksConnectionsApi {
  /**
   * Create a connection to Databricks.
   * `POST /api/v1/app-connections/databricks`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'service-principal';
      credentials: { workspaceUrl: string; clientId: string; clientSecret: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Databricks */ appConnection: DatabricksConnection }
  >;
  /**
   * Update a connection to Databricks; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/databricks/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { workspaceUrl?: string | null; clientId?: string | null; clientSecret?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Databricks */ appConnection: DatabricksConnection }
  >;
  /**
   * List the secret scopes that a connection to Databricks reaches.
   * `GET /api/v1/app-connections/databricks/{connectionId}/secret-scopes`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listSecretScopes: Query<{ connectionId: string }, { secretScopes: { name: string }[] }>;
  /**
   * List the service principals that a connection to Databricks reaches.
   * `GET /api/v1/app-connections/databricks/{connectionId}/service-principals`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listServicePrincipals: Query<
    { connectionId: string },
    { servicePrincipals: { id: string; name: string; /** Its application ID */ clientId: string }[] }
  >;
}
