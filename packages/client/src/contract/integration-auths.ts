// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';

export type CreateIntegrationAuth = {
  workspaceId: string;
  integration: string;
  /** The ID of the credential, if it has one: an access key, a role */ accessId?: string;
  /** The credential itself: a token, or the secret of the access key */ accessToken?: string;
  /** A role that the access key assumes: whatever is done is done as this role */ awsAssumeIamRoleArn?: string;
  /** The address of the service, if it is configurable */ url?: string;
  namespace?: string;
  /** Exchanged for a token where the other service offers that */ refreshToken?: string;
};

export type CreateIntegrationAuthByCode = {
  workspaceId: string;
  integration: string;
  code: string;
  installationId?: string;
  /** The address of the service, if it is configurable */ url?: string;
};

export type DuplicateIntegrationAuth = { integrationAuthId: string; /** The project that gets the copy */ projectId: string };

export type IntegrationAuth = {
  id: string;
  projectId: string;
  integration: string;
  teamId: string | null;
  url: string | null;
  namespace: string | null;
  accountId: string | null;
  metadata?: unknown;
  createdAt: string;
  updatedAt: string;
};

export type UpdateIntegrationAuth = {
  integrationAuthId: string;
  integration?: string;
  /** The ID of the credential, if it has one: an access key, a role */ accessId?: string;
  /** The credential itself: a token, or the secret of the access key */ accessToken?: string;
  /** A role that the access key assumes: whatever is done is done as this role */ awsAssumeIamRoleArn?: string;
  /** The address of the service, if it is configurable */ url?: string;
  namespace?: string;
  /** Exchanged for a token where the other service offers that */ refreshToken?: string;
};

export interface IntegrationAuthsApi {
  /** List the available integrations. `GET /api/v1/integration-auth/integration-options`. */
  options: Query<
    NoInput,
    {
      integrationOptions: {
        name: string;
        slug: string;
        syncSlug: string | null;
        clientSlug: string | null;
        image: string;
        /** Whether secrets can be synced to this service */ isAvailable: boolean;
        type: string;
        clientId: string | null;
        docsLink: string | null;
      }[];
    }
  >;
  /** Store credentials for an integration. `POST /api/v1/integration-auth/access-token`. Needs `create` on `integrations`. */
  createWithToken: Mutation<CreateIntegrationAuth, { integrationAuth: IntegrationAuth }>;
  /**
   * Store credentials for an integration by an OAuth code; OAuth is not configured.
   * `POST /api/v1/integration-auth/oauth-token`. Needs `create` on `integrations`.
   */
  createWithCode: Mutation<CreateIntegrationAuthByCode, { integrationAuth: IntegrationAuth }>;
  /**
   * List the integration credentials of a project.
   * `GET /api/v1/workspace/{workspaceId}/authorizations`. Needs `read` on `integrations`.
   */
  list: Query<{ workspaceId: string }, { authorizations: IntegrationAuth[] }>;
  /**
   * List the integration credentials of all projects in which the caller may read them.
   * `GET /api/v1/organization/{organizationId}/integration-authorizations`.
   */
  listOfOrganization: Query<{ organizationId: string }, { authorizations: IntegrationAuth[] }>;
  /**
   * Read integration credentials, without secret values.
   * `GET /api/v1/integration-auth/{integrationAuthId}`. Needs `read` on `integrations`.
   */
  get: Query<{ integrationAuthId: string }, { integrationAuth: IntegrationAuth }>;
  /**
   * Update integration credentials; omitted fields stay unchanged.
   * `PATCH /api/v1/integration-auth/{integrationAuthId}`. Needs `edit` on `integrations`.
   */
  update: Mutation<UpdateIntegrationAuth, { integrationAuth: IntegrationAuth }>;
  /**
   * Delete integration credentials and the integrations that use them.
   * `DELETE /api/v1/integration-auth/{integrationAuthId}`. Needs `delete` on `integrations`.
   */
  delete: Mutation<{ integrationAuthId: string }, { integrationAuth: IntegrationAuth }>;
  /** Delete all credentials of one service in a project. `DELETE /api/v1/integration-auth`. Needs `delete` on `integrations`. */
  deleteMany: Mutation<{ integration: string; projectId: string }, { integrationAuth: IntegrationAuth[] }>;
  /**
   * Copy integration credentials to another project.
   * `POST /api/v1/integration-auth/{integrationAuthId}/duplicate`. Needs `create` on `integrations`.
   */
  duplicate: Mutation<DuplicateIntegrationAuth, { integrationAuth: IntegrationAuth }>;
}
