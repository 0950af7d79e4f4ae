// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export interface HashicorpVaultConnectionsApi {
  /**
   * Create a connection to HashiCorp Vault.
   * `POST /api/v1/app-connections/hashicorp-vault`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    {
      /** Unique among the connections of the project or organization */ name: string;
      method: 'access-token' | 'app-role';
      credentials: { instanceUrl: string; namespace?: string; accessToken: string } & Record<string, unknown> | { instanceUrl: string; namespace?: string; roleId: string; secretId: string } & Record<string, unknown>;
      /** The project that it belongs to; default: the organization */
      projectId?: string;
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to HashiCorp Vault */
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
        app: 'hashicorp-vault';
        method: 'access-token';
        credentials: { instanceUrl: string; namespace?: string };
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
        app: 'hashicorp-vault';
        method: 'app-role';
        credentials: { instanceUrl: string; namespace?: string };
      };
    }
  >;
  /**
   * Update a connection to HashiCorp Vault; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/hashicorp-vault/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    {
      /** UUID */ connectionId: string;
      /** Unique among the connections of the project or organization */
      name?: string;
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: {
        instanceUrl?: string | null;
        namespace?: string | null;
        accessToken?: string | null;
        roleId?: string | null;
        secretId?: string | null;
      };
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to HashiCorp Vault */
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
        app: 'hashicorp-vault';
        method: 'access-token';
        credentials: { instanceUrl: string; namespace?: string };
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
        app: 'hashicorp-vault';
        method: 'app-role';
        credentials: { instanceUrl: string; namespace?: string };
      };
    }
  >;
  /**
   * List the secrets engines that a connection to HashiCorp Vault reaches.
   * `GET /api/v1/app-connections/hashicorp-vault/{connectionId}/mounts`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listMounts: Query<
    {
      /** UUID */ connectionId: string;
    },
    string[]
  >;
}
