import { abilityIn, accessAllProjects, authorize } from '../../access/index.ts';
import { actorIdOf, atOrNull, statement, type Context } from '../../kernel/index.ts';
import { findGroupByRef } from './find.ts';
import { groupPermissions as permissions, type GroupProject, type ListGroupProjects } from './group.ts';

interface Row extends Omit<GroupProject, 'joinedGroupAt'> {
  joinedAt: string | null;
}

/** Projects of the group, and others that the caller ($3) may enter, or all if it may enter all ($4). */
const FOUND = `
  from projects p left join memberships m on m.project_id = p.id and m.group_id = $2
  where p.organization_id = $1 and ($5::boolean is null or (m.id is not null) = $5)
    and (m.id is not null or $4::boolean or p.id in (
      select h.project_id from effective_memberships h where h.organization_id = $1 and h.actor_id = $3))
    and ($6::text is null or position(lower($6) in lower(p.name)) > 0)`;

const COUNT = statement('groups.count_projects', `select count(*)::integer as count ${FOUND}`);
const list = (direction: 'asc' | 'desc') =>
  statement(
    `groups.list_projects_${direction}`,
    `select p.id, p.name, p.slug, p.description, p.type, m.created_at as "joinedAt" ${FOUND}
     order by lower(p.name) ${direction}, p.id offset $7 limit $8`,
  );
const LIST = { asc: list('asc'), desc: list('desc') };

/** The projects of a group and, depending on `filter`, those that it could be added to. */
export async function listGroupProjects(
  ctx: Context,
  { id, filter, search, orderDirection, offset, limit }: ListGroupProjects,
): Promise<{ projects: GroupProject[]; totalCount: number }> {
  await authorize(ctx, permissions.read);
  const group = await findGroupByRef(ctx, id);
  const found = [
    group.orgId,
    group.id,
    actorIdOf(ctx.actor),
    (await abilityIn(ctx, undefined)).can(accessAllProjects),
    filter ? filter === 'assignedProjects' : null,
    search || null,
  ];
  const rows = await ctx.sql<Row>(LIST[orderDirection], [...found, offset, limit]);
  const [total] = await ctx.sql<{ count: number }>(COUNT, found);
  return {
    projects: rows.map(({ joinedAt, ...project }) => ({ ...project, joinedGroupAt: atOrNull(joinedAt) })),
    totalCount: total!.count,
  };
}
