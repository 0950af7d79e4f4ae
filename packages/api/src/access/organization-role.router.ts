import {
  createRole,
  CreateOrganizationRole,
  deleteRole,
  getRole,
  getRoleBySlug,
  listOrganizationRoles,
  OrganizationRole,
  organizationRolePermissions as permissions,
  RoleById,
  RoleBySlug,
  updateOrganizationRole,
  UpdateOrganizationRole,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const One = z.object({ role: OrganizationRole });

export const organizationRoleRouter = router({
  list: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/organization/roles',
        permissions.read,
        'List the roles of the organization, built-in roles first',
      ),
    )
    .input(z.object({}))
    .output(z.object({ data: z.object({ roles: z.array(OrganizationRole) }) }))
    .query(async ({ ctx }) => ({ data: { roles: await listOrganizationRoles(ctx) } })),
  create: procedure
    .meta(
      rest('POST', '/api/v1/organization/roles', permissions.create, 'Create an organization role', {
        plannable: true,
      }),
    )
    .input(CreateOrganizationRole)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ role: await createRole(ctx, input) })),
  get: procedure
    .meta(rest('GET', '/api/v1/organization/roles/{roleId}', permissions.read, 'Read an organization role'))
    .input(RoleById)
    .output(One)
    .query(async ({ ctx, input }) => ({ role: await getRole(ctx, input) })),
  getBySlug: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/organization/roles/slug/{roleSlug}',
        permissions.read,
        'Read an organization role by its slug',
      ),
    )
    .input(RoleBySlug)
    .output(One)
    .query(async ({ ctx, input }) => ({ role: await getRoleBySlug(ctx, input) })),
  update: procedure
    .meta(
      rest(
        'PATCH',
        '/api/v1/organization/roles/{roleId}',
        permissions.edit,
        'Update an organization role; the change applies from the next request',
        { plannable: true },
      ),
    )
    .input(UpdateOrganizationRole.extend(RoleById.shape))
    .output(One)
    .mutation(async ({ ctx, input }) => ({ role: await updateOrganizationRole(ctx, input) })),
  delete: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v1/organization/roles/{roleId}',
        permissions.delete,
        'Delete an organization role that is not assigned',
        { plannable: true },
      ),
    )
    .input(RoleById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ role: await deleteRole(ctx, input) })),
});
