import {
  addGroupMember,
  AddGroupMember,
  ChangedProjectRoles,
  getGroupMember,
  GroupMember,
  GroupMemberById,
  groupMemberPermissions as permissions,
  GroupMemberRef,
  listGroupMembers,
  MembersOfProject,
  removeGroupMember,
  updateGroupMember,
  UpdateGroupMember,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const base = '/api/v1/projects/{projectId}/memberships/groups';
const all = { aliases: ['/api/v2/workspace/{projectId}/groups', '/api/v1/projects/{projectId}/groups'] } as const;
const one = {
  aliases: ['/api/v2/workspace/{projectId}/groups/{groupId}', '/api/v1/projects/{projectId}/groups/{groupId}'],
} as const;
const One = z.object({ groupMembership: GroupMember });
const Ref = z.object({ groupMembership: GroupMemberRef });

/** The groups of a project. */
export const groupMemberRouter = router({
  list: procedure
    .meta(rest('GET', base, permissions.read, 'List the groups of a project', all))
    .input(MembersOfProject)
    .output(z.object({ groupMemberships: z.array(GroupMember) }))
    .query(async ({ ctx, input }) => ({ groupMemberships: await listGroupMembers(ctx, input) })),
  add: procedure
    .meta(
      rest('POST', `${base}/{groupId}`, permissions.create, 'Add a group to a project', { ...one, plannable: true }),
    )
    .input(AddGroupMember)
    .output(Ref)
    .mutation(async ({ ctx, input }) => ({ groupMembership: await addGroupMember(ctx, input) })),
  get: procedure
    .meta(rest('GET', `${base}/{groupId}`, permissions.read, 'Read the membership of a group in a project', one))
    .input(GroupMemberById)
    .output(One)
    .query(async ({ ctx, input }) => ({ groupMembership: await getGroupMember(ctx, input) })),
  update: procedure
    .meta(
      rest('PATCH', `${base}/{groupId}`, permissions.edit, 'Update the roles of a group in a project', {
        ...one,
        plannable: true,
      }),
    )
    .input(UpdateGroupMember)
    .output(ChangedProjectRoles)
    .mutation(async ({ ctx, input }) => ({ roles: await updateGroupMember(ctx, input) })),
  remove: procedure
    .meta(
      rest('DELETE', `${base}/{groupId}`, permissions.delete, 'Remove a group from a project', {
        ...one,
        plannable: true,
      }),
    )
    .input(GroupMemberById)
    .output(Ref)
    .mutation(async ({ ctx, input }) => ({ groupMembership: await removeGroupMember(ctx, input) })),
});
