import {
  addOrganizationMembers,
  AddOrganizationMembers,
  ChangedProjectRoles,
  getOwnProjectAccess,
  getProjectMember,
  getProjectMemberByUsername,
  Id,
  leaveProject,
  listProjectMembers,
  listProjectUsers,
  ListProjectUsers,
  MembersOfProject,
  OwnProjectAccess,
  ProjectMember,
  ProjectMemberByUsername,
  projectMemberPermissions as permissions,
  ProjectMemberRef,
  ProjectUser,
  removeProjectMember,
  updateProjectMemberRoles,
  UpdateProjectMemberRoles,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router, Workspace } from '../kernel/index.ts';

const base = '/api/v1/workspace/{workspaceId}';
const byId = Workspace.extend({ membershipId: Id });
const One = z.object({ membership: ProjectMember });
const Ref = z.object({ membership: ProjectMemberRef });

/** The people of a project, when projects were workspaces. */
export const projectMemberLegacyRouter = router({
  list: procedure
    .meta(rest('GET', `${base}/memberships`, permissions.read, 'List the members of a project', { deprecated: true }))
    .input(Workspace)
    .output(z.object({ memberships: z.array(ProjectMember) }))
    .query(async ({ ctx, input }) => ({
      memberships: await listProjectMembers(ctx, { projectId: input.workspaceId }),
    })),
  add: procedure
    .meta(
      rest('POST', `${base}/memberships`, permissions.create, 'Add users of the organization to a project', {
        plannable: true,
        deprecated: true,
      }),
    )
    .input(Workspace.extend({ members: AddOrganizationMembers.shape.members }))
    .output(z.object({ success: z.boolean(), data: z.array(ProjectMemberRef) }))
    .mutation(async ({ ctx, input: { workspaceId, members } }) => ({
      success: true,
      data: await addOrganizationMembers(ctx, { projectId: workspaceId, members }),
    })),
  users: procedure
    .meta(rest('GET', `${base}/users`, permissions.read, 'List the members of a project', { deprecated: true }))
    .input(Workspace.extend({ includeGroupMembers: ListProjectUsers.shape.includeGroupMembers }))
    .output(z.object({ users: z.array(ProjectUser) }))
    .query(async ({ ctx, input: { workspaceId, includeGroupMembers } }) => ({
      users: await listProjectUsers(ctx, { projectId: workspaceId, includeGroupMembers }),
    })),
  get: procedure
    .meta(
      rest('GET', `${base}/memberships/{membershipId}`, permissions.read, 'Read a project membership', {
        deprecated: true,
      }),
    )
    .input(byId)
    .output(One)
    .query(async ({ ctx, input: { workspaceId, membershipId } }) => ({
      membership: await getProjectMember(ctx, { projectId: workspaceId, membershipId }),
    })),
  getByUsername: procedure
    .meta(
      rest('POST', `${base}/memberships/details`, permissions.read, 'Read the membership of a user in a project', {
        deprecated: true,
      }),
    )
    .input(Workspace.extend({ username: ProjectMemberByUsername.shape.username }))
    .output(z.object({ membership: ProjectMember.omit({ createdAt: true }) }))
    .mutation(async ({ ctx, input: { workspaceId, username } }) => ({
      membership: await getProjectMemberByUsername(ctx, { projectId: workspaceId, username }),
    })),
  update: procedure
    .meta(
      rest('PATCH', `${base}/memberships/{membershipId}`, permissions.edit, 'Update the roles of a project member', {
        plannable: true,
        deprecated: true,
      }),
    )
    .input(byId.extend({ roles: UpdateProjectMemberRoles.shape.roles }))
    .output(ChangedProjectRoles)
    .mutation(async ({ ctx, input: { workspaceId, ...change } }) => ({
      roles: await updateProjectMemberRoles(ctx, { projectId: workspaceId, ...change }),
    })),
  remove: procedure
    .meta(
      rest('DELETE', `${base}/memberships/{membershipId}`, permissions.delete, 'Remove a user from a project', {
        plannable: true,
        deprecated: true,
      }),
    )
    .input(byId)
    .output(Ref)
    .mutation(async ({ ctx, input: { workspaceId, membershipId } }) => ({
      membership: await removeProjectMember(ctx, { projectId: workspaceId, membershipId }),
    })),
  leave: procedure
    .meta(rest('DELETE', `${base}/leave`, 'member', 'Leave a project', { plannable: true, actors: ['user'] }))
    .input(Workspace)
    .output(Ref)
    .mutation(async ({ ctx, input }) => ({ membership: await leaveProject(ctx, { projectId: input.workspaceId }) })),
  permissions: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/workspace/{projectId}/permissions',
        'member',
        'Read the membership and the permissions of the caller in a project',
      ),
    )
    .input(MembersOfProject)
    .output(z.object({ data: OwnProjectAccess }))
    .query(async ({ ctx, input }) => ({ data: await getOwnProjectAccess(ctx, input) })),
});
