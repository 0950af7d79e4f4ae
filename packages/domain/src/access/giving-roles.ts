import type { Context, Permission } from '../kernel/index.ts';
import { requireNotForbidden, type Target } from './access.ts';
import { slugOf, type AssignedRole } from './role/rules.ts';

/** The specific permissions on a kind of members to give them roles. */
interface GivingPermissions {
  readonly 'grant-privileges': Permission;
  /** Of members of projects. */
  readonly 'assign-role'?: Permission;
}

/**
 * Checks that no rule forbids the caller to give roles to a member: the right to create or edit the member was asked.
 * `no-access` gives nothing.
 *
 * @throws DomainError 403
 */
export async function requireMayGiveRoles(
  ctx: Context,
  { 'grant-privileges': give, 'assign-role': assign }: GivingPermissions,
  target: Target,
  roles: readonly AssignedRole[],
): Promise<void> {
  if (roles.every((role) => slugOf(role) === 'no-access')) return;
  await requireNotForbidden(ctx, give, target);
  if (assign) await requireNotForbidden(ctx, assign, target);
}
