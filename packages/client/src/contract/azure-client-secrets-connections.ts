// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export interface AzureClientSecretsConnectionsApi {
  /**
   * Create a connection to Azure Client Secrets.
   * `POST /api/v1/app-connections/azure-client-secrets`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    {
      /** Unique among the connections of the project or organization */ name: string;
      method: 'oauth' | 'client-secret';
      credentials: {
        code: string;
        /** The tenant of the user; default: that of their account */ tenantId?: string;
      } & Record<string, unknown> | { tenantId: string; clientId: string; clientSecret: string } & Record<string, unknown>;
      /** The project that it belongs to; default: the organization */
      projectId?: string;
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to Azure Client Secrets */
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
        app: 'azure-client-secrets';
        method: 'oauth';
        credentials: {
          /** The tenant of the user; default: that of their account */ tenantId?: string;
        };
      } | {
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
        app: 'azure-client-secrets';
        method: 'client-secret';
        credentials: { tenantId: string; clientId: string };
      };
    }
  >;
  /**
   * Update a connection to Azure Client Secrets; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/azure-client-secrets/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    {
      /** UUID */ connectionId: string;
      /** Unique among the connections of the project or organization */
      name?: string;
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { code?: string | null; tenantId?: string | null; clientId?: string | null; clientSecret?: string | null };
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to Azure Client Secrets */
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
        app: 'azure-client-secrets';
        method: 'oauth';
        credentials: {
          /** The tenant of the user; default: that of their account */ tenantId?: string;
        };
      } | {
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
        app: 'azure-client-secrets';
        method: 'client-secret';
        credentials: { tenantId: string; clientId: string };
      };
    }
  >;
  /**
   * List the applications that a connection to Azure Client Secrets reaches.
   * `GET /api/v1/app-connections/azure-client-secrets/{connectionId}/clients`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listClients: Query<
    {
      /** UUID */ connectionId: string;
    },
    {
      clients: {
        name: string;
        /** The object ID of the application */ id: string;
        /** Its client ID */ appId: string;
      }[];
    }
  >;
}
