// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { CreateAppConnectionFields, GcpConnection, UpdateAppConnectionFields } from './shared.ts';

export interface GcpConnectionsApi {
  /**
   * Create a connection to Google Cloud.
   * `POST /api/v1/app-connections/gcp`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'service-account-impersonation';
      credentials: { serviceAccountEmail: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Google Cloud */ appConnection: GcpConnection }
  >;
  /**
   * Update a connection to Google Cloud; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/gcp/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { serviceAccountEmail?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Google Cloud */ appConnection: GcpConnection }
  >;
  /**
   * List the projects that a connection to Google Cloud reaches.
   * `GET /api/v1/app-connections/gcp/{connectionId}/secret-manager-projects`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listSecretManagerProjects: Query<{ connectionId: string }, { id: string; name: string }[]>;
  /**
   * List the locations of secrets that a connection to Google Cloud reaches.
   * `GET /api/v1/app-connections/gcp/{connectionId}/secret-manager-project-locations`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listSecretManagerProjectLocations: Query<{ connectionId: string; projectId: string }, { displayName: string; locationId: string }[]>;
}
