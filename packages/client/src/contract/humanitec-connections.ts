// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { CreateAppConnectionFields, HumanitecConnection, UpdateAppConnectionFields } from './shared.ts';

export interface HumanitecConnectionsApi {
  /**
   * Create a connection to Humanitec.
   * `POST /api/v1/app-connections/humanitec`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'api-token';
      credentials: { apiToken: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Humanitec */ appConnection: HumanitecConnection }
  >;
  /**
   * Update a connection to Humanitec; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/humanitec/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { apiToken?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Humanitec */ appConnection: HumanitecConnection }
  >;
  /**
   * List the organizations with their applications and environments that a connection to Humanitec reaches.
   * `GET /api/v1/app-connections/humanitec/{connectionId}/organizations`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listOrganizations: Query<
    { connectionId: string },
    { id: string; name: string; apps: { id: string; name: string; envs: { id: string; name: string }[] }[] }[]
  >;
}
