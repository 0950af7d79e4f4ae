import {
  createIdentityPrivilege,
  CreateIdentityPrivilege,
  deletePrivilege,
  getIdentityPrivilegeBySlug,
  getPrivilege,
  Id,
  IdentityOfProject,
  listIdentityPrivileges,
  Privilege,
  PrivilegeBySlug,
  privilegePermissions,
  PrivilegeSummary,
  projectIdBySlug,
  ProjectSlug,
  updatePrivilege,
  UpdatePrivilege,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const permissions = privilegePermissions.identity;
const ById = z.object({ id: Id });
const One = z.object({ privilege: Privilege });

/** Privileges of a machine identity in a project, in addition to its roles. */
export const identityPrivilegeRouter = router({
  list: procedure
    .meta(
      rest(
        'GET',
        '/api/v2/identity-project-additional-privilege',
        permissions.read,
        'List the privileges of a machine identity in a project',
      ),
    )
    .input(IdentityOfProject)
    .output(z.object({ privileges: z.array(PrivilegeSummary) }))
    .query(async ({ ctx, input }) => ({ privileges: await listIdentityPrivileges(ctx, input) })),
  create: procedure
    .meta(
      rest(
        'POST',
        '/api/v2/identity-project-additional-privilege',
        permissions.edit,
        'Grant a privilege to a machine identity in a project',
        { plannable: true },
      ),
    )
    .input(CreateIdentityPrivilege)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ privilege: await createIdentityPrivilege(ctx, input) })),
  get: procedure
    .meta(
      rest(
        'GET',
        '/api/v2/identity-project-additional-privilege/{id}',
        permissions.read,
        'Read a privilege of a machine identity',
      ),
    )
    .input(ById)
    .output(One)
    .query(async ({ ctx, input }) => ({ privilege: await getPrivilege(ctx, 'identity', { privilegeId: input.id }) })),
  getBySlug: procedure
    .meta(
      rest(
        'GET',
        '/api/v2/identity-project-additional-privilege/slug/{privilegeSlug}',
        permissions.read,
        'Read a privilege of a machine identity by its slug',
      ),
    )
    .input(PrivilegeBySlug.omit({ projectId: true }).extend({ projectSlug: ProjectSlug }))
    .output(One)
    .query(async ({ ctx, input: { projectSlug, ...of } }) => ({
      privilege: await getIdentityPrivilegeBySlug(ctx, { ...of, projectId: await projectIdBySlug(ctx, projectSlug) }),
    })),
  update: procedure
    .meta(
      rest(
        'PATCH',
        '/api/v2/identity-project-additional-privilege/{id}',
        permissions.edit,
        'Update a privilege of a machine identity',
        { plannable: true },
      ),
    )
    .input(UpdatePrivilege.extend(ById.shape))
    .output(One)
    .mutation(async ({ ctx, input: { id: privilegeId, ...changes } }) => ({
      privilege: await updatePrivilege(ctx, 'identity', { privilegeId }, changes),
    })),
  delete: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v2/identity-project-additional-privilege/{id}',
        permissions.edit,
        'Delete a privilege of a machine identity',
        { plannable: true },
      ),
    )
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({
      privilege: await deletePrivilege(ctx, 'identity', { privilegeId: input.id }),
    })),
});
