// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AzureDnsConnection, CreateAppConnectionFields, UpdateAppConnectionFields } from './shared.ts';

export interface AzureDnsConnectionsApi {
  /**
   * Create a connection to Azure DNS.
   * `POST /api/v1/app-connections/azure-dns`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'client-secret';
      credentials: { tenantId: string; subscriptionId: string; clientId: string; clientSecret: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Azure DNS */ appConnection: AzureDnsConnection }
  >;
  /**
   * Update a connection to Azure DNS; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/azure-dns/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { tenantId?: string | null; subscriptionId?: string | null; clientId?: string | null; clientSecret?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Azure DNS */ appConnection: AzureDnsConnection }
  >;
  /**
   * List the DNS zones that a connection to Azure DNS reaches.
   * `GET /api/v1/app-connections/azure-dns/{connectionId}/azure-dns-zones`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listAzureDnsZones: Query<{ connectionId: string }, { id: string; name: string }[]>;
}
