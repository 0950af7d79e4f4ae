import {
  createIdentityPrivilege,
  deletePrivilege,
  getIdentityPrivilegeBySlug,
  LegacyPermissions,
  legacyRules,
  listIdentityPrivileges,
  Privilege,
  PrivilegeBySlug,
  privilegePermissions,
  PrivilegeSlug,
  projectIdBySlug,
  ProjectSlug,
  requireMayAssign,
  sentLegacyRules,
  Temporarily,
  toLegacyPrivilege,
  updatePrivilege,
  WindowChanges,
  type Context,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const permissions = privilegePermissions.identity;
const One = z.object({ privilege: Privilege });

const ofProject = { identityId: PrivilegeBySlug.shape.identityId, projectSlug: ProjectSlug };
const Of = z.object(ofProject);
const BySlug = z.object({ privilegeSlug: PrivilegeBySlug.shape.privilegeSlug, ...ofProject });
const Create = LegacyPermissions.extend({ ...ofProject, slug: PrivilegeSlug.optional() });
const { isTemporary: _, ...window } = Temporarily;

interface Named {
  readonly identityId: string;
  readonly projectSlug: string;
}

/**
 * The holder of the privileges, after the check of the permission: faults of the rules are reported only after that.
 */
async function assignable(ctx: Context, { identityId, projectSlug }: Named) {
  const of = { identityId, projectId: await projectIdBySlug(ctx, projectSlug) };
  await requireMayAssign(ctx, of);
  return of;
}

/** Privileges of machine identities as older clients know them: by slugs, with narrower rules. */
export const identityPrivilegeLegacyRouter = router({
  list: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/additional-privilege/identity',
        permissions.read,
        'List the privileges of a machine identity in a project',
        { deprecated: true },
      ),
    )
    .input(Of)
    .output(z.object({ privileges: z.array(Privilege) }))
    .query(async ({ ctx, input: { identityId, projectSlug } }) => {
      const projectId = await projectIdBySlug(ctx, projectSlug);
      return { privileges: (await listIdentityPrivileges(ctx, { identityId, projectId })).map(toLegacyPrivilege) };
    }),
  getBySlug: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/additional-privilege/identity/{privilegeSlug}',
        permissions.read,
        'Read a privilege of a machine identity by its slug',
        { deprecated: true },
      ),
    )
    .input(BySlug)
    .output(One)
    .query(async ({ ctx, input: { projectSlug, ...of } }) => {
      const projectId = await projectIdBySlug(ctx, projectSlug);
      return { privilege: toLegacyPrivilege(await getIdentityPrivilegeBySlug(ctx, { ...of, projectId })) };
    }),
  createPermanent: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/additional-privilege/identity/permanent',
        permissions.edit,
        'Grant a permanent privilege to a machine identity in a project',
        { plannable: true, deprecated: true },
      ),
    )
    .input(Create)
    .output(One)
    .mutation(async ({ ctx, input: { slug, ...input } }) => {
      const of = await assignable(ctx, input);
      const privilege = { ...of, slug, permissions: legacyRules(input), type: { isTemporary: false } as const };
      return { privilege: toLegacyPrivilege(await createIdentityPrivilege(ctx, privilege)) };
    }),
  createTemporary: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/additional-privilege/identity/temporary',
        permissions.edit,
        'Grant a temporary privilege to a machine identity in a project',
        { plannable: true, deprecated: true },
      ),
    )
    .input(Create.extend(window))
    .output(One)
    .mutation(async ({ ctx, input: { slug, temporaryMode, temporaryRange, temporaryAccessStartTime, ...input } }) => {
      const of = await assignable(ctx, input);
      const type = { isTemporary: true, temporaryMode, temporaryRange, temporaryAccessStartTime } as const;
      const privilege = { ...of, slug, permissions: legacyRules(input), type };
      return { privilege: toLegacyPrivilege(await createIdentityPrivilege(ctx, privilege)) };
    }),
  update: procedure
    .meta(
      rest(
        'PATCH',
        '/api/v1/additional-privilege/identity',
        permissions.edit,
        'Update a privilege of a machine identity',
        { plannable: true, deprecated: true },
      ),
    )
    .input(
      BySlug.extend({
        privilegeDetails: LegacyPermissions.extend({ slug: PrivilegeSlug.optional(), ...WindowChanges.shape }),
      }),
    )
    .output(One)
    .mutation(async ({ ctx, input: { privilegeSlug, privilegeDetails, ...input } }) => {
      const { slug, permissions: _permissions, privilegePermission: _permission, ...type } = privilegeDetails;
      const ref = { ...(await assignable(ctx, input)), privilegeSlug };
      const changes = { slug, permissions: sentLegacyRules(privilegeDetails), type };
      return { privilege: toLegacyPrivilege(await updatePrivilege(ctx, 'identity', ref, changes)) };
    }),
  delete: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v1/additional-privilege/identity',
        permissions.edit,
        'Delete a privilege of a machine identity',
        { plannable: true, deprecated: true },
      ),
    )
    .input(BySlug)
    .output(One)
    .mutation(async ({ ctx, input: { projectSlug, ...of } }) => {
      const projectId = await projectIdBySlug(ctx, projectSlug);
      return { privilege: toLegacyPrivilege(await deletePrivilege(ctx, 'identity', { ...of, projectId })) };
    }),
});
