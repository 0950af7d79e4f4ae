import { authorize, grant, organizationOf } from '../../access/index.ts';
import { notFound, statement, type Context } from '../../kernel/index.ts';
import { groupPermissions as permissions, type GroupsOfUser, type GroupSummary } from './group.ts';

const OF_USER = statement(
  'groups.of_user',
  `select g.id, g.name, g.slug, g.organization_id as "orgId" from groups g join group_members m on m.group_id = g.id
   where g.organization_id = $1 and m.actor_id = $2 order by lower(g.name), g.id`,
);
const MEMBER_NAMED = statement(
  'memberships.user_named',
  `select u.id from memberships m join users u on u.id = m.user_id
   where m.organization_id = $1 and m.project_id is null and u.username = $2`,
);

/** The groups of a user: every user may see its own. */
export async function listGroupsOfUser(ctx: Context, { username }: GroupsOfUser): Promise<GroupSummary[]> {
  const { actor } = ctx;
  if (actor.type === 'user' && actor.username === username) grant(ctx, permissions.read);
  else await authorize(ctx, permissions.read);
  const organizationId = organizationOf(ctx);
  const [user] = await ctx.sql<{ id: string }>(MEMBER_NAMED, [organizationId, username]);
  if (!user) throw notFound('user');
  return ctx.sql<GroupSummary>(OF_USER, [organizationId, user.id]);
}
