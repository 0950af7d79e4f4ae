import { organizationOf, publishRules } from '../../access/index.ts';
import { MembershipEntity, rolesOf } from '../../access/membership/index.ts';
import { notFound, type Context } from '../../kernel/index.ts';
import type { OwnProjectAccess } from './member.ts';

/** The caller's membership of a project, and the rules under which it is there now. */
export async function getOwnProjectAccess(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<OwnProjectAccess> {
  const organizationId = organizationOf(ctx);
  const { rules } = await ctx.ability(ctx, { organizationId, projectId });
  const { actor } = ctx;
  const own =
    actor.type === 'user' ? { userId: actor.id } : actor.type === 'identity' ? { identityId: actor.id } : undefined;
  const membership = own && (await ctx.em.findOne(MembershipEntity, { organizationId, projectId, ...own }));
  if (!membership) throw notFound('project');
  const { id, userId, identityId, createdAt, updatedAt } = membership;
  const roles = (await rolesOf(ctx, [id])).get(id) ?? [];
  return {
    membership: { id, userId: userId ?? null, identityId: identityId ?? null, projectId, roles, createdAt, updatedAt },
    permissions: publishRules(rules),
  };
}
