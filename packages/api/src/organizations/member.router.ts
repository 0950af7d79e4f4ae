import {
  getMember,
  listMemberProjects,
  listMembers,
  MemberDetails,
  MemberProject,
  MemberRef,
  OrganizationMember,
  OrganizationMembership,
  organizationPermissions,
  OrganizationRef,
  removeMembers,
  RemoveMembers,
  UpdateMember,
  updateMember,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const members = organizationPermissions('member');
const Wrapped = z.object({ membership: OrganizationMembership });

export const organizationMemberRouter = router({
  list: procedure
    .meta(
      rest(
        'GET',
        '/api/v2/organizations/{organizationId}/memberships',
        members.read,
        'List the members of the organization',
        {
          aliases: ['/api/v1/organization/{organizationId}/users'],
        },
      ),
    )
    .input(OrganizationRef)
    .output(z.object({ users: z.array(OrganizationMember) }))
    .query(async ({ ctx, input }) => ({ users: await listMembers(ctx, input) })),
  get: procedure
    .meta(
      rest(
        'GET',
        '/api/v2/organizations/{organizationId}/memberships/{membershipId}',
        members.read,
        'Read a member of the organization',
      ),
    )
    .input(MemberRef)
    .output(z.object({ membership: MemberDetails }))
    .query(async ({ ctx, input }) => ({ membership: await getMember(ctx, input) })),
  projects: procedure
    .meta(
      rest(
        'GET',
        '/api/v2/organizations/{organizationId}/memberships/{membershipId}/project-memberships',
        members.read,
        'List the projects of a member',
      ),
    )
    .input(MemberRef)
    .output(z.object({ memberships: z.array(MemberProject) }))
    .query(async ({ ctx, input }) => ({ memberships: await listMemberProjects(ctx, input) })),
  update: procedure
    .meta(
      rest(
        'PATCH',
        '/api/v2/organizations/{organizationId}/memberships/{membershipId}',
        members.edit,
        'Update the role of a member, or disable or enable its access',
        { plannable: true },
      ),
    )
    .input(UpdateMember)
    .output(Wrapped)
    .mutation(async ({ ctx, input }) => ({ membership: await updateMember(ctx, input) })),
  remove: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v2/organizations/{organizationId}/memberships/{membershipId}',
        members.delete,
        'Remove a member from the organization',
        { plannable: true },
      ),
    )
    .input(MemberRef)
    .output(Wrapped)
    .mutation(async ({ ctx, input: { organizationId, membershipId } }) => {
      const [membership] = await removeMembers(ctx, { organizationId, membershipIds: [membershipId] });
      return { membership: membership! };
    }),
  removeMany: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v2/organizations/{organizationId}/memberships',
        members.delete,
        'Remove several members from the organization; all or none',
        { plannable: true },
      ),
    )
    .input(RemoveMembers)
    .output(z.object({ memberships: z.array(OrganizationMembership) }))
    .mutation(async ({ ctx, input }) => ({ memberships: await removeMembers(ctx, input) })),
});
