// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export interface Auth0ConnectionsApi {
  /**
   * Create a connection to Auth0.
   * `POST /api/v1/app-connections/auth0`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    {
      /** Unique among the connections of the project or organization */ name: string;
      method: 'client-credentials';
      credentials: { domain: string; clientId: string; clientSecret: string; audience: string } & Record<string, unknown>;
      /** The project that it belongs to; default: the organization */
      projectId?: string;
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to Auth0 */
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
        app: 'auth0';
        method: 'client-credentials';
        credentials: { domain: string; clientId: string; audience: string };
      };
    }
  >;
  /**
   * Update a connection to Auth0; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/auth0/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    {
      /** UUID */ connectionId: string;
      /** Unique among the connections of the project or organization */
      name?: string;
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { domain?: string | null; clientId?: string | null; clientSecret?: string | null; audience?: string | null };
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to Auth0 */
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
        app: 'auth0';
        method: 'client-credentials';
        credentials: { domain: string; clientId: string; audience: string };
      };
    }
  >;
  /**
   * List the applications that a connection to Auth0 reaches.
   * `GET /api/v1/app-connections/auth0/{connectionId}/clients`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listClients: Query<
    {
      /** UUID */ connectionId: string;
    },
    { clients: { id: string; name: string }[] }
  >;
}
