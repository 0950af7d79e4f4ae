// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Query } from '../call.ts';
import type { IntegrationAuthRef } from './shared.ts';

export type ListIntegrationEnvironments = {
  /** UUID */ integrationAuthId: string;
  repoOwner: string;
  repoName: string;
};

export type ListIntegrationKeys = {
  /** UUID */ integrationAuthId: string;
  region: string;
};

export interface IntegrationListsApi {
  /**
   * List the repositories that integration credentials reach.
   * `GET /api/v1/integration-auth/{integrationAuthId}/apps`. Needs `read` on `integrations`.
   */
  apps: Query<IntegrationAuthRef, { apps: { name: string; appId: string; owner: string }[] }>;
  /**
   * List the GitHub organizations that integration credentials reach.
   * `GET /api/v1/integration-auth/{integrationAuthId}/github/orgs`. Needs `read` on `integrations`.
   */
  organizations: Query<IntegrationAuthRef, { orgs: { name: string; orgId: string }[] }>;
  /**
   * List the environments of a GitHub repository.
   * `GET /api/v1/integration-auth/{integrationAuthId}/github/envs`. Needs `read` on `integrations`.
   */
  environments: Query<ListIntegrationEnvironments, { envs: { name: string; envId: string }[] }>;
  /**
   * List the keys of AWS KMS in a region.
   * `GET /api/v1/integration-auth/{integrationAuthId}/aws-secrets-manager/kms-keys`. Needs `read` on `integrations`.
   */
  kmsKeys: Query<ListIntegrationKeys, { kmsKeys: { id: string; alias: string }[] }>;
}
