// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AzureClientSecretsConnection, CreateAppConnectionFields, UpdateAppConnectionFields } from './shared.ts';

export interface AzureClientSecretsConnectionsApi {
  /**
   * Create a connection to Azure Client Secrets.
   * `POST /api/v1/app-connections/azure-client-secrets`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'oauth' | 'client-secret';
      credentials: { code: string; /** The tenant of the user; default: that of their account */ tenantId?: string } & Record<string, unknown> | { tenantId: string; clientId: string; clientSecret: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Azure Client Secrets */ appConnection: AzureClientSecretsConnection }
  >;
  /**
   * Update a connection to Azure Client Secrets; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/azure-client-secrets/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { code?: string | null; tenantId?: string | null; clientId?: string | null; clientSecret?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Azure Client Secrets */ appConnection: AzureClientSecretsConnection }
  >;
  /**
   * List the applications that a connection to Azure Client Secrets reaches.
   * `GET /api/v1/app-connections/azure-client-secrets/{connectionId}/clients`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listClients: Query<
    { connectionId: string },
    {
      clients: {
        name: string;
        /** The object ID of the application */ id: string;
        /** Its client ID */ appId: string;
      }[];
    }
  >;
}
