import type { Context } from '../../kernel/index.ts';
import { abilityIn, grant, type Target } from '../access.ts';
import { RuleSet } from '../decision.ts';
import { denied } from '../refusal.ts';
import { privilegePermissions, type IdentityOfProject, type PrivilegeHolder } from './privilege.ts';

/**
 * Checks the right to grant and revoke privileges: the newer specific permission, or the legacy permission to edit the
 * member. If the newer one is forbidden, the legacy one does not help. `isById`: the caller named the privilege or
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
  const { edit, 'assign-additional-privileges': assign } = privilegePermissions[kind];
  const ability = await abilityIn(ctx, target.projectId);
  const { isAllowed, decidedBy } = new RuleSet(ability.rules).decide(assign, target);
  const isForbidden = !isAllowed && decidedBy !== undefined;
  if (!isAllowed && (isForbidden || !ability.can(edit, target)))
    throw denied(ability, isForbidden ? assign : edit, isById ? undefined : target);
  // Procedures declare either.
  for (const permission of [edit, assign]) grant(ctx, permission);
}

/** Checks the right to grant privileges to a machine identity, for callers that check more before granting. */
export const requireMayAssign = (ctx: Context, { projectId, identityId }: IdentityOfProject): Promise<void> =>
  authorizeAssigning(ctx, 'identity', { projectId, identityId });
