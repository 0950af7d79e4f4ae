import { organizationOf, abilityIn } from '../access.ts';
import { actorIdOf, type Context } from '../../kernel/index.ts';
import { approvalPermissions } from './policy.ts';

/**
 * Filters the requests of a project ($2) that an actor ($4) may see: all ($3), or those that it created or may approve.
 * `madeBy` is the SQL of the creator's ID, `policies` the array of policies. Only users approve.
 */
export const visibleTo = (madeBy: string, policies: string): string =>
  `r.organization_id = $1 and r.project_id = $2 and ($3 or ${madeBy} = $4 or exists (
  select 1 from approval_policy_approvers a join users u on u.id = $4 where a.policy_id = any(${policies})
    and (a.user_id = $4 or a.group_id in (select g.group_id from group_members g where g.actor_id = $4))))`;

/** The first four values of a statement with `visibleTo`. @throws DomainError 404 where the caller is no member. */
export async function viewerOf(
  ctx: Context,
  projectId: string,
): Promise<[organizationId: string, projectId: string, seesAll: boolean, callerId: string | null]> {
  const ability = await abilityIn(ctx, projectId);
  const { actor } = ctx;
  const callerId = actorIdOf(actor);
  return [organizationOf(ctx), projectId, ability.can(approvalPermissions.read), callerId];
}
