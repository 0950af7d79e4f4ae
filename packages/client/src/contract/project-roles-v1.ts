// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ProjectRole, ProjectRoleSummary, ProjectRules } from './shared.ts';

export interface ProjectRolesV1Api {
  /**
   * List the roles of a project.
   * `GET /api/v1/workspace/{projectSlug}/roles`. Needs `read` on `role`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  list: Query<{ projectSlug: string }, { roles: ProjectRoleSummary[] }>;
  /**
   * Create a project role.
   * `POST /api/v1/workspace/{projectSlug}/roles`. Needs `create` on `role`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  create: Mutation<
    { name: string; description?: string | null; slug: string; permissions: ProjectRules; projectSlug: string },
    { role: ProjectRole }
  >;
  /**
   * Read a project role by its slug.
   * `GET /api/v1/workspace/{projectSlug}/roles/slug/{slug}`. Needs `read` on `role`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  getBySlug: Query<{ slug: string; projectSlug: string }, { role: ProjectRole }>;
  /**
   * Update a project role.
   * `PATCH /api/v1/workspace/{projectSlug}/roles/{roleId}`. Needs `edit` on `role`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  update: Mutation<
    {
      name?: string;
      description?: string | null;
      slug?: string;
      permissions?: ProjectRules;
      roleId: string;
      projectSlug: string;
    },
    { role: ProjectRole }
  >;
  /**
   * Delete a project role that is not assigned.
   * `DELETE /api/v1/workspace/{projectSlug}/roles/{roleId}`. Needs `delete` on `role`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  delete: Mutation<{ roleId: string; projectSlug: string }, { role: ProjectRole }>;
}
