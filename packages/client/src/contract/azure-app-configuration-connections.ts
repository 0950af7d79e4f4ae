// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { AzureAppConfigurationConnection, CreateAppConnectionFields, UpdateAppConnectionFields } from './shared.ts';

export interface AzureAppConfigurationConnectionsApi {
  /**
   * Create a connection to Azure App Configuration.
   * `POST /api/v1/app-connections/azure-app-configuration`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'oauth' | 'client-secret';
      credentials: { code: string; /** The tenant of the user; default: that of their account */ tenantId?: string } & Record<string, unknown> | { tenantId: string; clientId: string; clientSecret: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Azure App Configuration */ appConnection: AzureAppConfigurationConnection }
  >;
  /**
   * Update a connection to Azure App Configuration; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/azure-app-configuration/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { code?: string | null; tenantId?: string | null; clientId?: string | null; clientSecret?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Azure App Configuration */ appConnection: AzureAppConfigurationConnection }
  >;
}
