// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ListProjects, ListedProjectRole, Project } from './shared.ts';

export interface ProjectsV1Api {
  /**
   * List the projects that the caller is a member of.
   * `GET /api/v1/workspace`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  list: Query<ListProjects, { workspaces: (Project & { roles?: ListedProjectRole[] })[] }>;
  /**
   * Read a project.
   * `GET /api/v1/workspace/{workspaceId}`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  get: Query<{ /** The ID of the project */ workspaceId: string }, { workspace: Project }>;
  /**
   * Update a project.
   * `PATCH /api/v1/workspace/{workspaceId}`. Needs `edit` on `settings`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  update: Mutation<
    {
      name?: string;
      description?: string | null;
      /** Secret names are in capital letters only */ autoCapitalization?: boolean;
      hasDeleteProtection?: boolean;
      /** Changing the slug needs `workspace: edit`, because machines name projects by slug */ slug?: string;
      secretSharing?: boolean;
      showSnapshotsLegacy?: boolean;
      secretDetectionIgnoreValues?: string[];
      /** Number of versions of a secret that are kept */ pitVersionLimit?: number;
      /** Seconds, at most 30 days; 0 (the default): command lines keep no values */ offlineCacheMaxAge?: number;
      /** The ID of the project */ workspaceId: string;
    },
    { workspace: Project }
  >;
  /**
   * Delete a project and all its data.
   * `DELETE /api/v1/workspace/{workspaceId}`. Needs `delete` on `workspace`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  delete: Mutation<{ /** The ID of the project */ workspaceId: string }, { workspace: Project }>;
  /**
   * Rename a project.
   * `POST /api/v1/workspace/{workspaceId}/name`. Needs `edit` on `settings`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  rename: Mutation<
    { name: string; /** The ID of the project */ workspaceId: string },
    { message: string; workspace: Project }
  >;
  /**
   * Set whether secret names are capitalized.
   * `POST /api/v1/workspace/{workspaceId}/auto-capitalization`. Needs `edit` on `settings`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  setAutoCapitalization: Mutation<
    {
      /** Secret names are in capital letters only */ autoCapitalization: boolean;
      /** The ID of the project */ workspaceId: string;
    },
    { message: string; workspace: Project }
  >;
  /** Set how many versions of a secret are kept. `PUT /api/v1/workspace/{workspaceSlug}/version-limit`. Needs `edit` on `workspace`. */
  setVersionLimit: Mutation<
    { /** Number of versions of a secret that are kept */ pitVersionLimit: number; workspaceSlug: string },
    { message: string; workspace: Project }
  >;
  /** Set the retention of audit events. `PUT /api/v1/workspace/{workspaceSlug}/audit-logs-retention`. Needs `edit` on `workspace`. */
  setAuditLogsRetention: Mutation<
    { /** Days */ auditLogsRetentionDays: number; workspaceSlug: string },
    { message: string; workspace: Project }
  >;
  /**
   * Update a project.
   * `PATCH /api/v2/workspace/{slug}`. Needs `edit` on `settings`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  updateBySlug: Mutation<
    {
      name?: string;
      description?: string | null;
      /** Secret names are in capital letters only */ autoCapitalization?: boolean;
      slug: string;
    },
    Project
  >;
  /**
   * Delete a project and all its data.
   * `DELETE /api/v2/workspace/{slug}`. Needs `delete` on `workspace`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  deleteBySlug: Mutation<{ slug: string }, Project>;
}
