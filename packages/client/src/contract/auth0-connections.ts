// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { Auth0Connection, CreateAppConnectionFields, UpdateAppConnectionFields } from './shared.ts';

export interface Auth0ConnectionsApi {
  /**
   * Create a connection to Auth0.
   * `POST /api/v1/app-connections/auth0`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'client-credentials';
      credentials: { domain: string; clientId: string; clientSecret: string; audience: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Auth0 */ appConnection: Auth0Connection }
  >;
  /**
   * Update a connection to Auth0; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/auth0/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { domain?: string | null; clientId?: string | null; clientSecret?: string | null; audience?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Auth0 */ appConnection: Auth0Connection }
  >;
  /**
   * List the applications that a connection to Auth0 reaches.
   * `GET /api/v1/app-connections/auth0/{connectionId}/clients`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listClients: Query<{ connectionId: string }, { clients: { id: string; name: string }[] }>;
}
