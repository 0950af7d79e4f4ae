// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { OrganizationRole, OrganizationRules } from './shared.ts';

export interface OrganizationRolesV1Api {
  /**
   * List the roles of the organization.
   * `GET /api/v1/organization/{organizationId}/roles`. Needs `read` on `role`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  list: Query<{ organizationId: string }, { data: { roles: OrganizationRole[] } }>;
  /**
   * Create an organization role.
   * `POST /api/v1/organization/{organizationId}/roles`. Needs `create` on `role`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  create: Mutation<
    { name: string; description?: string | null; slug: string; permissions: OrganizationRules; organizationId: string },
    { role: OrganizationRole }
  >;
  /**
   * Read an organization role.
   * `GET /api/v1/organization/{organizationId}/roles/{roleId}`. Needs `read` on `role`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  get: Query<{ organizationId: string; roleId: string }, { role: OrganizationRole }>;
  /**
   * Update an organization role.
   * `PATCH /api/v1/organization/{organizationId}/roles/{roleId}`. Needs `edit` on `role`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  update: Mutation<
    {
      name?: string;
      description?: string | null;
      slug?: string;
      permissions?: OrganizationRules;
      organizationId: string;
      roleId: string;
    },
    { role: OrganizationRole }
  >;
  /**
   * Delete an organization role that is not assigned.
   * `DELETE /api/v1/organization/{organizationId}/roles/{roleId}`. Needs `delete` on `role`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  delete: Mutation<{ organizationId: string; roleId: string }, { role: OrganizationRole }>;
}
