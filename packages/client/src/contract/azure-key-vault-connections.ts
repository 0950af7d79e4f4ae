// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { AzureKeyVaultConnection, CreateAppConnectionFields, UpdateAppConnectionFields } from './shared.ts';

export interface AzureKeyVaultConnectionsApi {
  /**
   * Create a connection to Azure Key Vault.
   * `POST /api/v1/app-connections/azure-key-vault`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'oauth' | 'client-secret';
      credentials: { code: string; /** The tenant of the user; default: that of their account */ tenantId?: string } & Record<string, unknown> | { tenantId: string; clientId: string; clientSecret: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Azure Key Vault */ appConnection: AzureKeyVaultConnection }
  >;
  /**
   * Update a connection to Azure Key Vault; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/azure-key-vault/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { code?: string | null; tenantId?: string | null; clientId?: string | null; clientSecret?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Azure Key Vault */ appConnection: AzureKeyVaultConnection }
  >;
}
