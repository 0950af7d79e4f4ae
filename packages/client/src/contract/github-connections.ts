// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { CreateAppConnectionFields, GithubConnection, UpdateAppConnectionFields } from './shared.ts';

export interface GithubConnectionsApi {
  /**
   * Create a connection to GitHub.
   * `POST /api/v1/app-connections/github`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'pat' | 'oauth' | 'github-app';
      credentials: {
        /** server: host names it */ instanceType?: 'cloud' | 'server';
        /** The host name of a GitHub Enterprise server; default: github.com */ host?: string;
        /** Instead of host, for a server below a path */ instanceUrl?: string;
        personalAccessToken: string;
      } & Record<string, unknown> | { code: string } & Record<string, unknown> | {
        code: string;
        installationId: string;
        /** The IDs of the repositories that it reaches: those of the installation when it was saved */
        repositoryIds?: number[];
        /** Whether it reaches secrets of the organization: who saved it owns that */ isOwner?: boolean;
      } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to GitHub */ appConnection: GithubConnection }
  >;
  /**
   * Update a connection to GitHub; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/github/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: {
        instanceType?: 'cloud' | 'server' | null;
        host?: string | null;
        instanceUrl?: string | null;
        personalAccessToken?: string | null;
        code?: string | null;
        installationId?: string | null;
        repositoryIds?: number[] | null;
        isOwner?: boolean | null;
      };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to GitHub */ appConnection: GithubConnection }
  >;
  /**
   * List the repositories that a connection to GitHub reaches.
   * `GET /api/v1/app-connections/github/{connectionId}/repositories`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listRepositories: Query<
    { connectionId: string },
    { repositories: { id: number; name: string; owner: { id: number; login: string } }[] }
  >;
  /**
   * List the organizations that a connection to GitHub reaches.
   * `GET /api/v1/app-connections/github/{connectionId}/organizations`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listOrganizations: Query<{ connectionId: string }, { organizations: { id: number; login: string }[] }>;
  /**
   * List the environments of a repository that a connection to GitHub reaches.
   * `GET /api/v1/app-connections/github/{connectionId}/environments`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listEnvironments: Query<
    {
      connectionId: string;
      /** The owner of the repository */ owner: string;
      /** The name of the repository */ repo: string;
    },
    { environments: { id: number; name: string }[] }
  >;
}
