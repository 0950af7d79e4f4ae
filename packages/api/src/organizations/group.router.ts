import {
  addIdentityToGroup,
  addUserToGroup,
  createGroup,
  CreateGroup,
  deleteGroup,
  getGroup,
  Group,
  GroupDetails,
  GroupIdentity,
  GroupIdentityRef,
  GroupMemberOfEitherKind,
  groupPermissions as permissions,
  GroupProject,
  GroupRef,
  GroupsOfUser,
  GroupSummary,
  GroupUser,
  GroupUserRef,
  GroupWithRole,
  ListedGroupIdentity,
  ListedGroupUser,
  listGroupIdentities,
  ListGroupIdentities,
  listGroupProjects,
  ListGroupProjects,
  listGroups,
  listGroupsOfOrganization,
  listGroupsOfUser,
  listGroupUsers,
  ListGroupUsers,
  listMembersOfGroup,
  ListMembersOfGroup,
  OrganizationRef,
  removeIdentityFromGroup,
  removeUserFromGroup,
  updateGroup,
  UpdateGroup,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const base = '/api/v1/groups';
const user = `${base}/{id}/users/{username}` as const;
const identity = `${base}/{id}/machine-identities/{machineIdentityId}` as const;
const totalCount = z.int();

/** People and machine identities who are given rights together. */
export const groupRouter = router({
  list: procedure
    .meta(rest('GET', base, permissions.read, 'List the groups of the organization'))
    .input(z.object({}))
    .output(z.array(Group))
    .query(({ ctx }) => listGroups(ctx)),
  listOfOrganization: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/organization/{organizationId}/groups',
        permissions.read,
        'List the groups of the organization with their custom roles',
        { deprecated: true },
      ),
    )
    .input(OrganizationRef)
    .output(z.object({ groups: z.array(GroupWithRole) }))
    .query(async ({ ctx, input }) => ({ groups: await listGroupsOfOrganization(ctx, input) })),
  listOfUser: procedure
    .meta(rest('GET', '/api/v1/user/me/{username}/groups', permissions.read, 'List the groups of a user'))
    .input(GroupsOfUser)
    .output(z.array(GroupSummary))
    .query(({ ctx, input }) => listGroupsOfUser(ctx, input)),
  create: procedure
    .meta(rest('POST', base, permissions.create, 'Create a group', { plannable: true }))
    .input(CreateGroup)
    .output(Group)
    .mutation(({ ctx, input }) => createGroup(ctx, input)),
  get: procedure
    .meta(rest('GET', `${base}/{id}`, permissions.read, 'Read a group'))
    .input(GroupRef)
    .output(GroupDetails)
    .query(({ ctx, input }) => getGroup(ctx, input)),
  update: procedure
    .meta(
      rest('PATCH', `${base}/{id}`, permissions.edit, 'Update a group or its role in the organization', {
        plannable: true,
      }),
    )
    .input(UpdateGroup)
    .output(Group)
    .mutation(({ ctx, input }) => updateGroup(ctx, input)),
  delete: procedure
    .meta(rest('DELETE', `${base}/{id}`, permissions.delete, 'Delete a group', { plannable: true }))
    .input(GroupRef)
    .output(Group)
    .mutation(({ ctx, input }) => deleteGroup(ctx, input)),

  users: procedure
    .meta(rest('GET', `${base}/{id}/users`, permissions.read, 'List the users of a group, and users who are not in it'))
    .input(ListGroupUsers)
    .output(z.object({ users: z.array(ListedGroupUser), totalCount }))
    .query(({ ctx, input }) => listGroupUsers(ctx, input)),
  addUser: procedure
    .meta(rest('POST', user, permissions['add-members'], 'Add a user to a group', { plannable: true }))
    .input(GroupUserRef)
    .output(GroupUser)
    .mutation(({ ctx, input }) => addUserToGroup(ctx, input)),
  removeUser: procedure
    .meta(rest('DELETE', user, permissions['remove-members'], 'Remove a user from a group', { plannable: true }))
    .input(GroupUserRef)
    .output(GroupUser)
    .mutation(({ ctx, input }) => removeUserFromGroup(ctx, input)),

  identities: procedure
    .meta(
      rest(
        'GET',
        `${base}/{id}/machine-identities`,
        permissions.read,
        'List the machine identities of a group, and those that are not in it',
      ),
    )
    .input(ListGroupIdentities)
    .output(z.object({ machineIdentities: z.array(ListedGroupIdentity), totalCount }))
    .query(({ ctx, input }) => listGroupIdentities(ctx, input)),
  addIdentity: procedure
    .meta(
      rest('POST', identity, permissions['add-identities'], 'Add a machine identity to a group', { plannable: true }),
    )
    .input(GroupIdentityRef)
    .output(GroupIdentity)
    .mutation(({ ctx, input }) => addIdentityToGroup(ctx, input)),
  removeIdentity: procedure
    .meta(
      rest('DELETE', identity, permissions['remove-identities'], 'Remove a machine identity from a group', {
        plannable: true,
      }),
    )
    .input(GroupIdentityRef)
    .output(GroupIdentity)
    .mutation(({ ctx, input }) => removeIdentityFromGroup(ctx, input)),

  members: procedure
    .meta(rest('GET', `${base}/{id}/members`, permissions.read, 'List all members of a group'))
    .input(ListMembersOfGroup)
    .output(z.object({ members: z.array(GroupMemberOfEitherKind), totalCount }))
    .query(({ ctx, input }) => listMembersOfGroup(ctx, input)),
  projects: procedure
    .meta(
      rest(
        'GET',
        `${base}/{id}/projects`,
        permissions.read,
        'List the projects of a group, and projects that it is not in',
      ),
    )
    .input(ListGroupProjects)
    .output(z.object({ projects: z.array(GroupProject), totalCount }))
    .query(({ ctx, input }) => listGroupProjects(ctx, input)),
});
