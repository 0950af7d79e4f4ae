import type { Context } from '../../kernel/index.ts';
import { abilityIn, grant, type Target } from '../access.ts';
import { RuleSet } from '../decision.ts';
import { denied } from '../refusal.ts';
import { privilegePermissions, type IdentityOfProject, type PrivilegeHolder } from './privilege.ts';

/**
 * Asks for the right to give and take privileges: the newer one that is for just this, or else the older right to edit
 * the member. Where the newer one is forbidden, the older one is no way round it. `isById`: the caller named the
 * privilege or membership by its id, and a refusal tells nothing of where it lies.
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

/** Asks for the right to give a machine identity privileges, for what has more to look at before it does. */
export const requireMayAssign = (ctx: Context, { projectId, identityId }: IdentityOfProject): Promise<void> =>
  authorizeAssigning(ctx, 'identity', { projectId, identityId });
