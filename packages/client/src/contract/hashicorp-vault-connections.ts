// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { CreateAppConnectionFields, HashicorpVaultConnection, UpdateAppConnectionFields } from './shared.ts';

export interface HashicorpVaultConnectionsApi {
  /**
   * Create a connection to HashiCorp Vault.
   * `POST /api/v1/app-connections/hashicorp-vault`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'access-token' | 'app-role';
      credentials: { instanceUrl: string; namespace?: string; accessToken: string } & Record<string, unknown> | { instanceUrl: string; namespace?: string; roleId: string; secretId: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to HashiCorp Vault */ appConnection: HashicorpVaultConnection }
  >;
  /**
   * Update a connection to HashiCorp Vault; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/hashicorp-vault/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: {
        instanceUrl?: string | null;
        namespace?: string | null;
        accessToken?: string | null;
        roleId?: string | null;
        secretId?: string | null;
      };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to HashiCorp Vault */ appConnection: HashicorpVaultConnection }
  >;
  /**
   * List the secrets engines that a connection to HashiCorp Vault reaches.
   * `GET /api/v1/app-connections/hashicorp-vault/{connectionId}/mounts`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listMounts: Query<{ connectionId: string }, string[]>;
}
