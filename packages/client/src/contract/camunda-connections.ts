// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { CamundaConnection, CreateAppConnectionFields, UpdateAppConnectionFields } from './shared.ts';

export interface CamundaConnectionsApi {
  /**
   * Create a connection to Camunda.
   * `POST /api/v1/app-connections/camunda`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'client-credentials';
      credentials: { clientId: string; clientSecret: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Camunda */ appConnection: CamundaConnection }
  >;
  /**
   * Update a connection to Camunda; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/camunda/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { clientId?: string | null; clientSecret?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Camunda */ appConnection: CamundaConnection }
  >;
  /**
   * List the clusters that a connection to Camunda reaches.
   * `GET /api/v1/app-connections/camunda/{connectionId}/clusters`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listClusters: Query<{ connectionId: string }, { clusters: { uuid: string; name: string }[] }>;
}
