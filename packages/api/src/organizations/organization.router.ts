import {
  CreateOrganization,
  createOrganization,
  deleteOrganization,
  endOfOrganization,
  getOrganization,
  getOwnPermissions,
  listOrganizationProjects,
  ListOrganizationProjects,
  listOrganizations,
  Organization,
  OrganizationMembership,
  organizationPermissions,
  OrganizationProject,
  OrganizationRef,
  PublishedRule,
  UpdateOrganization,
  updateOrganization,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const settings = organizationPermissions('settings');
const Wrapped = z.object({ organization: Organization });

export const organizationRouter = router({
  list: procedure
    .meta(rest('GET', '/api/v1/organization', 'member', 'List the organizations of the current user'))
    .input(z.object({}))
    .output(z.object({ organizations: z.array(Organization) }))
    .query(async ({ ctx }) => ({ organizations: await listOrganizations(ctx) })),
  get: procedure
    .meta(rest('GET', '/api/v1/organization/{organizationId}', 'member', 'Read the organization'))
    .input(OrganizationRef)
    .output(Wrapped)
    .query(async ({ ctx, input }) => ({ organization: await getOrganization(ctx, input) })),
  create: procedure
    .meta(rest('POST', '/api/v2/organizations', 'member', 'Create an organization', { actors: ['user'] }))
    .input(CreateOrganization)
    .output(Wrapped)
    .mutation(async ({ ctx, input }) => ({ organization: await createOrganization(ctx, input) })),
  update: procedure
    .meta(rest('PATCH', '/api/v1/organization/{organizationId}', settings.edit, 'Update the organization'))
    .input(UpdateOrganization)
    .output(Wrapped.extend({ message: z.string() }))
    .mutation(async ({ ctx, input }) => ({
      message: 'Successfully updated organization',
      organization: await updateOrganization(ctx, input),
    })),
  delete: procedure
    .meta(
      rest('DELETE', '/api/v2/organizations/{organizationId}', 'member', 'Delete the organization and all its data'),
    )
    .input(OrganizationRef)
    .output(Wrapped)
    .mutation(async ({ ctx, input }) => ({ organization: await deleteOrganization(ctx, input, endOfOrganization) })),
  permissions: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/organization/{organizationId}/permissions',
        'member',
        'Read the membership and the rules of the current user',
      ),
    )
    .input(OrganizationRef)
    .output(z.object({ membership: OrganizationMembership, permissions: z.array(PublishedRule) }))
    .query(async ({ ctx, input }) => {
      const { membership, permissions } = await getOwnPermissions(ctx, input);
      return { membership, permissions: [...permissions] };
    }),
  projects: procedure
    .meta(
      rest(
        'GET',
        '/api/v2/organizations/{organizationId}/workspaces',
        'member',
        'List the projects of the current user',
      ),
    )
    .input(ListOrganizationProjects)
    .output(z.object({ workspaces: z.array(OrganizationProject) }))
    .query(async ({ ctx, input }) => ({ workspaces: await listOrganizationProjects(ctx, input) })),
});
