import {
  createUserPrivilege,
  CreateUserPrivilege,
  deletePrivilege,
  getPrivilege,
  Id,
  listUserPrivileges,
  privilegePermissions,
  updatePrivilege,
  UpdatePrivilege,
  UserOfProject,
  UserPrivilege,
  UserPrivilegeSummary,
  type HeldPrivilege,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const permissions = privilegePermissions.user;
const ById = z.object({ privilegeId: Id });
const One = z.object({ privilege: UserPrivilege });

const publish = (privilege: HeldPrivilege) => ({ ...privilege, userId: privilege.holderId });

/** Privileges of a user in a project, in addition to its roles. */
export const userPrivilegeRouter = router({
  list: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/user-project-additional-privilege',
        permissions.read,
        'List the privileges of a user in a project',
      ),
    )
    .input(UserOfProject)
    .output(z.object({ privileges: z.array(UserPrivilegeSummary) }))
    .query(async ({ ctx, input }) => ({ privileges: (await listUserPrivileges(ctx, input)).map(publish) })),
  create: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/user-project-additional-privilege',
        permissions.edit,
        'Grant a privilege to a user in a project',
        { plannable: true },
      ),
    )
    .input(CreateUserPrivilege)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ privilege: publish(await createUserPrivilege(ctx, input)) })),
  get: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/user-project-additional-privilege/{privilegeId}',
        permissions.read,
        'Read a privilege of a user',
      ),
    )
    .input(ById)
    .output(One)
    .query(async ({ ctx, input }) => ({ privilege: publish(await getPrivilege(ctx, 'user', input)) })),
  update: procedure
    .meta(
      rest(
        'PATCH',
        '/api/v1/user-project-additional-privilege/{privilegeId}',
        permissions.edit,
        'Update a privilege of a user',
        { plannable: true },
      ),
    )
    .input(UpdatePrivilege.extend(ById.shape))
    .output(One)
    .mutation(async ({ ctx, input: { privilegeId, ...changes } }) => ({
      privilege: publish(await updatePrivilege(ctx, 'user', { privilegeId }, changes)),
    })),
  delete: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v1/user-project-additional-privilege/{privilegeId}',
        permissions.edit,
        'Delete a privilege of a user',
        { plannable: true },
      ),
    )
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ privilege: publish(await deletePrivilege(ctx, 'user', input)) })),
});
