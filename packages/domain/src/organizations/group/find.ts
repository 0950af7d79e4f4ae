import { organizationOf, publishingCost, publishRules, roleRulesOfRows } from '../../access/index.ts';
import {
  at,
  badRequest,
  isId,
  mapInTurns,
  notFound,
  readInRoom,
  statement,
  type Context,
  type Rule,
} from '../../kernel/index.ts';
import type { Group } from './group.ts';

interface Row {
  id: string;
  organizationId: string;
  name: string;
  slug: string;
  createdAt: string;
  updatedAt: string;
  role: string | null;
  roleId: string | null;
  roleName: string | null;
  roleSlug: string | null;
  roleDescription: string | null;
}

/** A group's role in the organization is that of its membership there. */
const SELECT = `
  select g.id, g.organization_id as "organizationId", g.name, g.slug, g.created_at as "createdAt",
    g.updated_at as "updatedAt", r.role, c.id as "roleId", c.name as "roleName",
    c.slug as "roleSlug", c.description as "roleDescription"
  from groups g
  left join lateral (select id from memberships where group_id = g.id and project_id is null limit 1) m on true
  left join lateral (select role, custom_role_id from membership_roles where membership_id = m.id order by created_at, id limit 1) r on true
  left join roles c on c.id = r.custom_role_id
  where g.organization_id = $1`;
const LIST = statement('groups.list', `${SELECT} order by lower(g.name), g.id`);
const BY_ID = statement('groups.by_id', `${SELECT} and g.id = $2`);
const BY_NAME = statement(
  'groups.by_name',
  'select id from groups where organization_id = $1 and (name = $2 or slug = $2) limit 2',
);

/** All groups of the caller's organization, by name. Here and below, the rights of the caller are not checked. */
export const findGroups = async (ctx: Context): Promise<Group[]> =>
  toGroups(ctx, await ctx.sql<Row>(LIST, [organizationOf(ctx)]));

/** @throws DomainError 404 for everything but the ID of a group of the caller's organization. */
export async function findGroup(ctx: Context, groupId: string): Promise<Group> {
  const [row] = isId(groupId) ? await ctx.sql<Row>(BY_ID, [organizationOf(ctx), groupId]) : [];
  if (!row) throw notFound('group');
  return (await toGroups(ctx, [row]))[0]!;
}

/** The same by the name or the slug, which clients may send in place of the id. */
export const findGroupByRef = async (ctx: Context, ref: string): Promise<Group> =>
  findGroup(ctx, await groupIdOf(ctx, ref));

/**
 * The ID of the group with an ID, a name or a slug. Unknown ones are returned unchanged, as unknown IDs. Names and
 * slugs are one namespace (see `requireFreeNames`), which groups of earlier releases may violate.
 *
 * @throws DomainError 400 `group.ambiguous` if it is the name of one group and the slug of another.
 */
export async function groupIdOf(ctx: Context, ref: string): Promise<string> {
  if (isId(ref) || ref.includes('\0')) return ref;
  const [row, other] = await ctx.sql<{ id: string }>(BY_NAME, [organizationOf(ctx), ref]);
  if (other) throw badRequest('group.ambiguous', 'This is the name of one group and the slug of another: use the ID');
  return row?.id ?? ref;
}

async function toGroups(ctx: Context, rows: readonly Row[]): Promise<Group[]> {
  const roleOf = await roleRulesOfRows(ctx, organizationOf(ctx), rows);
  const cost = (row: Row) => publishingCost(roleOf(row).rules);
  return readInRoom(ctx, (room) =>
    mapInTurns(rows, cost, (row) => {
      const { rules, size } = roleOf(row);
      room.take(size);
      return toGroup(row, rules);
    }),
  );
}

const toGroup = (row: Row, rules: readonly Rule[]): Group => ({
  id: row.id,
  orgId: row.organizationId,
  name: row.name,
  slug: row.slug,
  role: row.role ?? 'no-access',
  roleId: row.roleId,
  customRoleSlug: row.roleSlug,
  customRole: row.roleId
    ? {
        id: row.roleId,
        name: row.roleName ?? '',
        slug: row.roleSlug ?? '',
        description: row.roleDescription,
        permissions: publishRules(rules),
      }
    : null,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});
