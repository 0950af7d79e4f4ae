// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Query } from '../call.ts';

export type ListIntegrationEnvironments = { integrationAuthId: string; repoOwner: string; repoName: string };

export interface IntegrationListsApi {
  /**
   * List the repositories that integration credentials reach.
   * `GET /api/v1/integration-auth/{integrationAuthId}/apps`. Needs `read` on `integrations`.
   */
  apps: Query<{ integrationAuthId: string }, { apps: { name: string; appId: string; owner: string }[] }>;
  /**
   * List the GitHub organizations that integration credentials reach.
   * `GET /api/v1/integration-auth/{integrationAuthId}/github/orgs`. Needs `read` on `integrations`.
   */
  organizations: Query<{ integrationAuthId: string }, { orgs: { name: string; orgId: string }[] }>;
  /**
   * List the environments of a GitHub repository.
   * `GET /api/v1/integration-auth/{integrationAuthId}/github/envs`. Needs `read` on `integrations`.
   */
  environments: Query<ListIntegrationEnvironments, { envs: { name: string; envId: string }[] }>;
  /**
   * List the keys of AWS KMS in a region.
   * `GET /api/v1/integration-auth/{integrationAuthId}/aws-secrets-manager/kms-keys`. Needs `read` on `integrations`.
   */
  kmsKeys: Query<{ integrationAuthId: string; region: string }, { kmsKeys: { id: string; alias: string }[] }>;
}
