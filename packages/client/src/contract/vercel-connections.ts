// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { CreateAppConnectionFields, UpdateAppConnectionFields, VercelConnection } from './shared.ts';

export interface VercelConnectionsApi {
  /**
   * Create a connection to Vercel.
   * `POST /api/v1/app-connections/vercel`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'api-token';
      credentials: { apiToken: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Vercel */ appConnection: VercelConnection }
  >;
  /**
   * Update a connection to Vercel; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/vercel/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { apiToken?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Vercel */ appConnection: VercelConnection }
  >;
  /**
   * List the teams with their projects that a connection to Vercel reaches.
   * `GET /api/v1/app-connections/vercel/{connectionId}/projects`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listProjects: Query<
    { connectionId: string },
    {
      id: string;
      name: string;
      slug: string;
      apps: { id: string; name: string; /** Its custom environments */ envs: { id: string; slug: string; type: string }[] }[];
    }[]
  >;
}
