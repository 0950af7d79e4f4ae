import { organizationOf, updateRole, type Role, type UpdateRole } from '../../access/index.ts';
import { statement, type Context } from '../../kernel/index.ts';

const RENAME_DEFAULT = statement(
  'organizations.rename_default_role',
  'update organizations set default_membership_role = $3 where id = $1 and default_membership_role = $2',
);

/**
 * Updates a role of the caller's organization. The default role of new members stays the same role under a new slug.
 *
 * @throws DomainError as `updateRole` does.
 */
export const updateOrganizationRole = (ctx: Context, change: UpdateRole & { roleId: string }): Promise<Role> =>
  updateRole(ctx, change, async (tx, { from, to }) => {
    await tx.sql(RENAME_DEFAULT, [organizationOf(tx), from, to]);
  });
