import {
  addProjectMembers,
  AddProjectMembers,
  ChangedProjectRoles,
  getProjectMember,
  getProjectMemberByUsername,
  listProjectMembers,
  MembersOfProject,
  ProjectMember,
  ProjectMemberByUsername,
  projectMemberPermissions as permissions,
  ProjectMemberRef,
  ProjectMembershipById,
  removeProjectMember,
  removeProjectMembers,
  RemoveProjectMembers,
  updateProjectMemberRoles,
  UpdateProjectMemberRoles,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const base = '/api/v1/projects/{projectId}/memberships';
const One = z.object({ membership: ProjectMember });
const Refs = z.object({ memberships: z.array(ProjectMemberRef) });

/** The people of a project. */
export const projectMemberRouter = router({
  list: procedure
    .meta(rest('GET', base, permissions.read, 'List the members of a project'))
    .input(MembersOfProject)
    .output(z.object({ memberships: z.array(ProjectMember) }))
    .query(async ({ ctx, input }) => ({ memberships: await listProjectMembers(ctx, input) })),
  add: procedure
    .meta(
      rest('POST', base, permissions.create, 'Add users of the organization to a project', {
        plannable: true,
        aliases: ['/api/v2/workspace/{projectId}/memberships'],
      }),
    )
    .input(AddProjectMembers)
    .output(Refs)
    .mutation(async ({ ctx, input }) => ({ memberships: await addProjectMembers(ctx, input) })),
  get: procedure
    .meta(rest('GET', `${base}/{membershipId}`, permissions.read, 'Read a project membership'))
    .input(ProjectMembershipById)
    .output(One)
    .query(async ({ ctx, input }) => ({ membership: await getProjectMember(ctx, input) })),
  getByUsername: procedure
    .meta(rest('POST', `${base}/details`, permissions.read, 'Read the membership of a user in a project'))
    .input(ProjectMemberByUsername)
    .output(z.object({ membership: ProjectMember.omit({ createdAt: true }) }))
    .mutation(async ({ ctx, input }) => ({ membership: await getProjectMemberByUsername(ctx, input) })),
  update: procedure
    .meta(
      rest('PATCH', `${base}/{membershipId}`, permissions.edit, 'Update the roles of a project member', {
        plannable: true,
      }),
    )
    .input(UpdateProjectMemberRoles)
    .output(ChangedProjectRoles)
    .mutation(async ({ ctx, input }) => ({ roles: await updateProjectMemberRoles(ctx, input) })),
  remove: procedure
    .meta(
      rest('DELETE', `${base}/{membershipId}`, permissions.delete, 'Remove a user from a project', {
        plannable: true,
      }),
    )
    .input(ProjectMembershipById)
    .output(z.object({ membership: ProjectMemberRef }))
    .mutation(async ({ ctx, input }) => ({ membership: await removeProjectMember(ctx, input) })),
  removeMany: procedure
    .meta(
      rest('DELETE', base, permissions.delete, 'Remove users from a project; all or none', {
        plannable: true,
        aliases: ['/api/v2/workspace/{projectId}/memberships'],
      }),
    )
    .input(RemoveProjectMembers)
    .output(Refs)
    .mutation(async ({ ctx, input }) => ({ memberships: await removeProjectMembers(ctx, input) })),
});
