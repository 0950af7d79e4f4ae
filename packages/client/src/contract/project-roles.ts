// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ProjectRole, ProjectRoleSummary, ProjectRules } from './shared.ts';

export interface ProjectRolesApi {
  /** List the roles of a project, built-in roles first. `GET /api/v1/projects/{projectId}/roles`. Needs `read` on `role`. */
  list: Query<{ projectId: string }, { roles: ProjectRoleSummary[] }>;
  /** Create a project role. `POST /api/v1/projects/{projectId}/roles`. Needs `create` on `role`. */
  create: Mutation<
    { name: string; description?: string | null; slug: string; permissions: ProjectRules; projectId: string },
    { role: ProjectRole }
  >;
  /** Read a project role by its slug. `GET /api/v1/projects/{projectId}/roles/slug/{roleSlug}`. Needs `read` on `role`. */
  getBySlug: Query<{ roleSlug: string; projectId: string }, { role: ProjectRole }>;
  /**
   * Update a project role; the change applies from the next request.
   * `PATCH /api/v1/projects/{projectId}/roles/{roleId}`. Needs `edit` on `role`.
   */
  update: Mutation<
    {
      name?: string;
      description?: string | null;
      slug?: string;
      permissions?: ProjectRules;
      roleId: string;
      projectId: string;
    },
    { role: ProjectRole }
  >;
  /** Delete a project role that is not assigned. `DELETE /api/v1/projects/{projectId}/roles/{roleId}`. Needs `delete` on `role`. */
  delete: Mutation<{ roleId: string; projectId: string }, { role: ProjectRole }>;
}
