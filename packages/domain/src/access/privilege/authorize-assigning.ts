import type { Context } from '../../kernel/index.ts';
import { forbids } from '../ability.ts';
import { abilityIn, grant, type Target } from '../access.ts';
import { denied } from '../refusal.ts';
import { privilegePermissions, type IdentityOfProject, type PrivilegeHolder } from './privilege.ts';

/**
 * Checks the right to grant and revoke privileges: the newer specific permission, or the legacy permission to edit the
 * member. Where a rule forbids the newer one, or `grant-privileges`, neither is enough. `isById`: the caller named the privilege or
 * membership by its ID, so the error does not disclose its location.
 *
 * @throws DomainError 403.
 */
export async function authorizeAssigning(
  ctx: Context,
  kind: PrivilegeHolder,
  target: Target,
  { isById = false } = {},
): Promise<void> {
  const { edit, 'assign-additional-privileges': assign, 'grant-privileges': give } = privilegePermissions[kind];
  const ability = await abilityIn(ctx, target.projectId);
  const forbidden = [assign, give].find((permission) => forbids(ability, permission, target));
  if (forbidden || !(ability.can(assign, target) || ability.can(edit, target)))
    throw denied(ability, forbidden ?? edit, isById ? undefined : target);
  // Procedures declare either.
  for (const permission of [edit, assign]) grant(ctx, permission);
}

/** Checks the right to grant privileges to a machine identity, for callers that check more before granting. */
export const requireMayAssign = (ctx: Context, { projectId, identityId }: IdentityOfProject): Promise<void> =>
  authorizeAssigning(ctx, 'identity', { projectId, identityId });
