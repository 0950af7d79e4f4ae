// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { OrganizationRole, OrganizationRules } from './shared.ts';

export type CreateOrganizationRole = { name: string; description?: string | null; slug: string; permissions: OrganizationRules };

export interface OrganizationRolesApi {
  /** List the roles of the organization, built-in roles first. `GET /api/v1/organization/roles`. Needs `read` on `role`. */
  list: Query<NoInput, { data: { roles: OrganizationRole[] } }>;
  /** Create an organization role. `POST /api/v1/organization/roles`. Needs `create` on `role`. */
  create: Mutation<CreateOrganizationRole, { role: OrganizationRole }>;
  /** Read an organization role. `GET /api/v1/organization/roles/{roleId}`. Needs `read` on `role`. */
  get: Query<{ roleId: string }, { role: OrganizationRole }>;
  /** Read an organization role by its slug. `GET /api/v1/organization/roles/slug/{roleSlug}`. Needs `read` on `role`. */
  getBySlug: Query<{ roleSlug: string }, { role: OrganizationRole }>;
  /**
   * Update an organization role; the change applies from the next request.
   * `PATCH /api/v1/organization/roles/{roleId}`. Needs `edit` on `role`.
   */
  update: Mutation<
    { name?: string; description?: string | null; slug?: string; permissions?: OrganizationRules; roleId: string },
    { role: OrganizationRole }
  >;
  /** Delete an organization role that is not assigned. `DELETE /api/v1/organization/roles/{roleId}`. Needs `delete` on `role`. */
  delete: Mutation<{ roleId: string }, { role: OrganizationRole }>;
}
