// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export interface GcpConnectionsApi {
  /**
   * Create a connection to Google Cloud.
   * `POST /api/v1/app-connections/gcp`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    {
      /** Unique among the connections of the project or organization */ name: string;
      method: 'service-account-impersonation';
      credentials: { serviceAccountEmail: string } & Record<string, unknown>;
      /** The project that it belongs to; default: the organization */
      projectId?: string;
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to Google Cloud */
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
        app: 'gcp';
        method: 'service-account-impersonation';
        credentials: { serviceAccountEmail: string };
      };
    }
  >;
  /**
   * Update a connection to Google Cloud; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/gcp/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    {
      /** UUID */ connectionId: string;
      /** Unique among the connections of the project or organization */
      name?: string;
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { serviceAccountEmail?: string | null };
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to Google Cloud */
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
        app: 'gcp';
        method: 'service-account-impersonation';
        credentials: { serviceAccountEmail: string };
      };
    }
  >;
  /**
   * List the projects that a connection to Google Cloud reaches.
   * `GET /api/v1/app-connections/gcp/{connectionId}/secret-manager-projects`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listSecretManagerProjects: Query<
    {
      /** UUID */ connectionId: string;
    },
    { id: string; name: string }[]
  >;
  /**
   * List the locations of secrets that a connection to Google Cloud reaches.
   * `GET /api/v1/app-connections/gcp/{connectionId}/secret-manager-project-locations`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listSecretManagerProjectLocations: Query<
    {
      /** UUID */ connectionId: string;
      projectId: string;
    },
    { displayName: string; locationId: string }[]
  >;
}
