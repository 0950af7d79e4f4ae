// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export interface DatabricksConnectionsApi {
  /**
   * Create a connection to Databricks.
   * `POST /api/v1/app-connections/databricks`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    {
      /** Unique among the connections of the project or organization */ name: string;
      method: 'service-principal';
      credentials: { workspaceUrl: string; clientId: string; clientSecret: string } & Record<string, unknown>;
      /** The project that it belongs to; default: the organization */
      projectId?: string;
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to Databricks */
      appConnection: {
        /** UUID */ id: string;
        name: string;
        description: string | null;
        /** Counts the changes of the credentials */ version: number;
        /** UUID */ orgId: string;
        /** null: the connection belongs to the organization */
        projectId: string | null;
        isPlatformManagedCredentials: boolean;
        gatewayId: null;
        /** When the app was last asked whether it accepts the credentials */
        lastCheckedAt: string | null;
        /** Why it did not accept them then; null: it did */
        lastCheckMessage: string | null;
        createdAt: string;
        updatedAt: string;
        app: 'databricks';
        method: 'service-principal';
        credentials: { workspaceUrl: string; clientId: string };
      };
    }
  >;
  /**
   * Update a connection to Databricks; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/databricks/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    {
      /** UUID */ connectionId: string;
      /** Unique among the connections of the project or organization */
      name?: string;
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { workspaceUrl?: string | null; clientId?: string | null; clientSecret?: string | null };
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to Databricks */
      appConnection: {
        /** UUID */ id: string;
        name: string;
        description: string | null;
        /** Counts the changes of the credentials */ version: number;
        /** UUID */ orgId: string;
        /** null: the connection belongs to the organization */
        projectId: string | null;
        isPlatformManagedCredentials: boolean;
        gatewayId: null;
        /** When the app was last asked whether it accepts the credentials */
        lastCheckedAt: string | null;
        /** Why it did not accept them then; null: it did */
        lastCheckMessage: string | null;
        createdAt: string;
        updatedAt: string;
        app: 'databricks';
        method: 'service-principal';
        credentials: { workspaceUrl: string; clientId: string };
      };
    }
  >;
  /**
   * List the secret scopes that a connection to Databricks reaches.
   * `GET /api/v1/app-connections/databricks/{connectionId}/secret-scopes`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listSecretScopes: Query<
    {
      /** UUID */ connectionId: string;
    },
    { secretScopes: { name: string }[] }
  >;
  /**
   * List the service principals that a connection to Databricks reaches.
   * `GET /api/v1/app-connections/databricks/{connectionId}/service-principals`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listServicePrincipals: Query<
    {
      /** UUID */ connectionId: string;
    },
    {
      servicePrincipals: {
        id: string;
        name: string;
        /** Its application ID */ clientId: string;
      }[];
    }
  >;
}
