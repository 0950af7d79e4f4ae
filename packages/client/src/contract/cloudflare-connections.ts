// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { CloudflareConnection, CreateAppConnectionFields, UpdateAppConnectionFields } from './shared.ts';

export interface CloudflareConnectionsApi {
  /**
   * Create a connection to Cloudflare.
   * `POST /api/v1/app-connections/cloudflare`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'api-token';
      credentials: { accountId: string; apiToken: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Cloudflare */ appConnection: CloudflareConnection }
  >;
  /**
   * Update a connection to Cloudflare; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/cloudflare/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { accountId?: string | null; apiToken?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Cloudflare */ appConnection: CloudflareConnection }
  >;
  /**
   * List the zones that a connection to Cloudflare reaches.
   * `GET /api/v1/app-connections/cloudflare/{connectionId}/cloudflare-zones`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listCloudflareZones: Query<{ connectionId: string }, { id: string; name: string }[]>;
}
