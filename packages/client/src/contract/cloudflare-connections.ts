// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export interface CloudflareConnectionsApi {
  /**
   * Create a connection to Cloudflare.
   * `POST /api/v1/app-connections/cloudflare`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    {
      /** Unique among the connections of the project or organization */ name: string;
      method: 'api-token';
      credentials: { accountId: string; apiToken: string } & Record<string, unknown>;
      /** The project that it belongs to; default: the organization */
      projectId?: string;
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to Cloudflare */
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
        app: 'cloudflare';
        method: 'api-token';
        credentials: { accountId: string };
      };
    }
  >;
  /**
   * Update a connection to Cloudflare; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/cloudflare/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    {
      /** UUID */ connectionId: string;
      /** Unique among the connections of the project or organization */
      name?: string;
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { accountId?: string | null; apiToken?: string | null };
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to Cloudflare */
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
        app: 'cloudflare';
        method: 'api-token';
        credentials: { accountId: string };
      };
    }
  >;
  /**
   * List the zones that a connection to Cloudflare reaches.
   * `GET /api/v1/app-connections/cloudflare/{connectionId}/cloudflare-zones`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listCloudflareZones: Query<
    {
      /** UUID */ connectionId: string;
    },
    { id: string; name: string }[]
  >;
}
