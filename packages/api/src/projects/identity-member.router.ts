import {
  addIdentityMember,
  AddIdentityMember,
  ChangedProjectRoles,
  getIdentityMember,
  getIdentityMembership,
  Id,
  IdentityMember,
  IdentityMemberById,
  identityMemberPermissions as permissions,
  IdentityMemberRef,
  listIdentityMembers,
  ListIdentityMembers,
  removeIdentityMember,
  updateIdentityMember,
  UpdateIdentityMember,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const base = '/api/v1/projects/{projectId}/memberships/identities';
const older = '/api/v2/workspace/{projectId}/identity-memberships';
const one = { aliases: [`${older}/{identityId}`] } as const;
const One = z.object({ identityMembership: IdentityMember });
const Ref = z.object({ identityMembership: IdentityMemberRef });

/** The machine identities of a project. */
export const identityMemberRouter = router({
  list: procedure
    .meta(rest('GET', base, permissions.read, 'List the machine identities of a project', { aliases: [older] }))
    .input(ListIdentityMembers)
    .output(z.object({ identityMemberships: z.array(IdentityMember), totalCount: z.number().int() }))
    .query(({ ctx, input }) => listIdentityMembers(ctx, input)),
  add: procedure
    .meta(
      rest('POST', `${base}/{identityId}`, permissions.create, 'Add a machine identity to a project', {
        ...one,
        plannable: true,
      }),
    )
    .input(AddIdentityMember)
    .output(Ref)
    .mutation(async ({ ctx, input }) => ({ identityMembership: await addIdentityMember(ctx, input) })),
  get: procedure
    .meta(
      rest(
        'GET',
        `${base}/{identityId}`,
        permissions.read,
        'Read the membership of a machine identity in a project',
        one,
      ),
    )
    .input(IdentityMemberById)
    .output(One)
    .query(async ({ ctx, input }) => ({ identityMembership: await getIdentityMember(ctx, input) })),
  getById: procedure
    .meta(
      rest(
        'GET',
        '/api/v2/workspace/identity-memberships/{identityMembershipId}',
        permissions.read,
        'Read the membership of a machine identity by its ID',
      ),
    )
    .input(z.object({ identityMembershipId: Id }))
    .output(One)
    .query(async ({ ctx, input }) => ({ identityMembership: await getIdentityMembership(ctx, input) })),
  update: procedure
    .meta(
      rest('PATCH', `${base}/{identityId}`, permissions.edit, 'Update the roles of a machine identity in a project', {
        ...one,
        plannable: true,
      }),
    )
    .input(UpdateIdentityMember)
    .output(ChangedProjectRoles)
    .mutation(async ({ ctx, input }) => ({ roles: await updateIdentityMember(ctx, input) })),
  remove: procedure
    .meta(
      rest('DELETE', `${base}/{identityId}`, permissions.delete, 'Remove a machine identity from a project', {
        ...one,
        plannable: true,
      }),
    )
    .input(IdentityMemberById)
    .output(Ref)
    .mutation(async ({ ctx, input }) => ({ identityMembership: await removeIdentityMember(ctx, input) })),
});
