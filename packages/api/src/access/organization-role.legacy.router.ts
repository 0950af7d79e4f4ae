import {
  createRole,
  CreateOrganizationRole,
  deleteRole,
  getRole,
  listOrganizationRoles,
  OrganizationRef,
  OrganizationRole,
  organizationRolePermissions as permissions,
  ownOrganization,
  RoleById,
  updateOrganizationRole,
  UpdateOrganizationRole,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const base = '/api/v1/organization/{organizationId}/roles';
const ofOrganization = OrganizationRef;
const byId = ofOrganization.extend(RoleById.shape);
const One = z.object({ role: OrganizationRole });

/** The roles of an organization, whose id was in their paths. Another organization's is not found. */
export const organizationRoleLegacyRouter = router({
  list: procedure
    .meta(rest('GET', base, permissions.read, 'List the roles of the organization', { deprecated: true }))
    .input(ofOrganization)
    .output(z.object({ data: z.object({ roles: z.array(OrganizationRole) }) }))
    .query(async ({ ctx, input }) => {
      ownOrganization(ctx, input.organizationId);
      return { data: { roles: await listOrganizationRoles(ctx) } };
    }),
  create: procedure
    .meta(
      rest('POST', base, permissions.create, 'Create an organization role', {
        plannable: true,
        deprecated: true,
      }),
    )
    .input(CreateOrganizationRole.extend(ofOrganization.shape))
    .output(One)
    .mutation(async ({ ctx, input: { organizationId, ...role } }) => {
      ownOrganization(ctx, organizationId);
      return { role: await createRole(ctx, role) };
    }),
  get: procedure
    .meta(rest('GET', `${base}/{roleId}`, permissions.read, 'Read an organization role', { deprecated: true }))
    .input(byId)
    .output(One)
    .query(async ({ ctx, input: { organizationId, roleId } }) => {
      ownOrganization(ctx, organizationId);
      return { role: await getRole(ctx, { roleId }) };
    }),
  update: procedure
    .meta(
      rest('PATCH', `${base}/{roleId}`, permissions.edit, 'Update an organization role', {
        plannable: true,
        deprecated: true,
      }),
    )
    .input(UpdateOrganizationRole.extend(byId.shape))
    .output(One)
    .mutation(async ({ ctx, input: { organizationId, ...change } }) => {
      ownOrganization(ctx, organizationId);
      return { role: await updateOrganizationRole(ctx, change) };
    }),
  delete: procedure
    .meta(
      rest('DELETE', `${base}/{roleId}`, permissions.delete, 'Delete an organization role that is not assigned', {
        plannable: true,
        deprecated: true,
      }),
    )
    .input(byId)
    .output(One)
    .mutation(async ({ ctx, input: { organizationId, roleId } }) => {
      ownOrganization(ctx, organizationId);
      return { role: await deleteRole(ctx, { roleId }) };
    }),
});
