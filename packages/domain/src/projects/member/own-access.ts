import { organizationOf, publishRules } from '../../access/index.ts';
import { belongingsOf } from '../../access/membership/index.ts';
import { notFound, type Context } from '../../kernel/index.ts';
import type { OwnProjectAccess } from './member.ts';

/** The caller's membership of a project, own or by a group, and its current rules. */
export async function getOwnProjectAccess(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<OwnProjectAccess> {
  const organizationId = organizationOf(ctx);
  const { rules } = await ctx.ability(ctx, { organizationId, projectId });
  const { actor } = ctx;
  if (actor.type !== 'user' && actor.type !== 'identity') throw notFound('project');
  const [belonging] = (await belongingsOf(ctx, organizationId, [actor.id], projectId)).get(actor.id) ?? [];
  if (!belonging) throw notFound('project');
  const { id, roles, createdAt, updatedAt } = belonging;
  const [userId, identityId] = actor.type === 'user' ? [actor.id, null] : [null, actor.id];
  return {
    membership: { id, userId, identityId, projectId, roles, createdAt, updatedAt },
    permissions: publishRules(rules),
  };
}
