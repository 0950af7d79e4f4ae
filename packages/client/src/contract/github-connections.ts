// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export interface GithubConnectionsApi {
  /**
   * Create a connection to GitHub.
   * `POST /api/v1/app-connections/github`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    {
      /** Unique among the connections of the project or organization */ name: string;
      method: 'pat' | 'oauth' | 'github-app';
      credentials: {
        /** server: host names it */ instanceType?: 'cloud' | 'server';
        /** The host name of a GitHub Enterprise server; default: github.com */
        host?: string;
        /** Instead of host, for a server below a path */ instanceUrl?: string;
        personalAccessToken: string;
      } & Record<string, unknown> | { code: string } & Record<string, unknown> | {
        code: string;
        installationId: string;
        /** The IDs of the repositories that it reaches: those of the installation when it was saved */
        repositoryIds?: number[];
        /** Whether it reaches secrets of the organization: who saved it owns that */
        isOwner?: boolean;
      } & Record<string, unknown>;
      /** The project that it belongs to; default: the organization */
      projectId?: string;
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to GitHub */
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
        app: 'github';
        method: 'pat';
        credentials: {
          /** server: host names it */ instanceType?: 'cloud' | 'server';
          /** The host name of a GitHub Enterprise server; default: github.com */
          host?: string;
          /** Instead of host, for a server below a path */ instanceUrl?: string;
        };
      } | {
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
        app: 'github';
        method: 'oauth';
        credentials: Record<string, never>;
      } | {
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
        app: 'github';
        method: 'github-app';
        credentials: {
          installationId: string;
          /** The IDs of the repositories that it reaches: those of the installation when it was saved */
          repositoryIds?: number[];
          /** Whether it reaches secrets of the organization: who saved it owns that */
          isOwner?: boolean;
        };
      };
    }
  >;
  /**
   * Update a connection to GitHub; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/github/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    {
      /** UUID */ connectionId: string;
      /** Unique among the connections of the project or organization */
      name?: string;
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
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to GitHub */
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
        app: 'github';
        method: 'pat';
        credentials: {
          /** server: host names it */ instanceType?: 'cloud' | 'server';
          /** The host name of a GitHub Enterprise server; default: github.com */
          host?: string;
          /** Instead of host, for a server below a path */ instanceUrl?: string;
        };
      } | {
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
        app: 'github';
        method: 'oauth';
        credentials: Record<string, never>;
      } | {
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
        app: 'github';
        method: 'github-app';
        credentials: {
          installationId: string;
          /** The IDs of the repositories that it reaches: those of the installation when it was saved */
          repositoryIds?: number[];
          /** Whether it reaches secrets of the organization: who saved it owns that */
          isOwner?: boolean;
        };
      };
    }
  >;
  /**
   * List the repositories that a connection to GitHub reaches.
   * `GET /api/v1/app-connections/github/{connectionId}/repositories`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listRepositories: Query<
    {
      /** UUID */ connectionId: string;
    },
    { repositories: { id: number; name: string; owner: { id: number; login: string } }[] }
  >;
  /**
   * List the organizations that a connection to GitHub reaches.
   * `GET /api/v1/app-connections/github/{connectionId}/organizations`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listOrganizations: Query<
    {
      /** UUID */ connectionId: string;
    },
    { organizations: { id: number; login: string }[] }
  >;
  /**
   * List the environments of a repository that a connection to GitHub reaches.
   * `GET /api/v1/app-connections/github/{connectionId}/environments`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listEnvironments: Query<
    {
      /** UUID */ connectionId: string;
      /** The owner of the repository */ owner: string;
      /** The name of the repository */ repo: string;
    },
    { environments: { id: number; name: string }[] }
  >;
}
