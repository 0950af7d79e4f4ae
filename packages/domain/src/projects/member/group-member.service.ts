import { authorize, organizationOf, requireMayForbid, requireMayLiftDenials } from '../../access/index.ts';
import {
  groupMemberRemoved,
  rolesList,
  toRoles,
  type ChangedRole,
  type RoleRow,
} from '../../access/membership/index.ts';
import { at, isId, notFound, statement, type Context } from '../../kernel/index.ts';
import { findGroup, groupIdOf } from '../../organizations/group/index.ts';
import { defineMembers } from './member-kind.ts';
import {
  groupMemberAdded,
  groupMemberPermissions as permissions,
  groupMemberRolesChanged,
  type AddGroupMember,
  type GroupMember,
  type GroupMemberById,
  type GroupMemberRef,
  type UpdateGroupMember,
} from './member.ts';

const members = defineMembers({
  holder: 'groupId',
  permissions,
  events: { added: groupMemberAdded, rolesChanged: groupMemberRolesChanged, removed: groupMemberRemoved },
  find: findGroup,
  requireMayForbid,
  beforeRolesEnd: (tx, { organizationId, projectId, groupId }, roles) =>
    requireMayLiftDenials(tx, { organizationId, groupId: groupId!, next: { projectId: projectId ?? null, roles } }),
});

interface Row {
  id: string;
  projectId: string;
  createdAt: string;
  updatedAt: string;
  group: GroupMember['group'];
  roles: RoleRow[];
}

const SELECT = `
  select m.id, m.project_id as "projectId", m.created_at as "createdAt", m.updated_at as "updatedAt",
    json_build_object('id', g.id, 'name', g.name, 'slug', g.slug, 'orgId', g.organization_id) as group,
    ${rolesList('m.id')} as roles
  from memberships m join groups g on g.id = m.group_id
  where m.organization_id = $1 and m.project_id = $2`;
const LIST = statement('project_groups.list', `${SELECT} order by lower(g.name), g.id`);
const GET = statement('project_groups.get', `${SELECT} and m.group_id = $3`);

/** The groups of a project, by name. */
export async function listGroupMembers(ctx: Context, { projectId }: { projectId: string }): Promise<GroupMember[]> {
  await authorize(ctx, permissions.read, { projectId });
  return (await ctx.sql<Row>(LIST, [organizationOf(ctx), projectId])).map(publish);
}

export async function getGroupMember(ctx: Context, { projectId, groupId: ref }: GroupMemberById): Promise<GroupMember> {
  await authorize(ctx, permissions.read, { projectId });
  const groupId = await groupIdOf(ctx, ref);
  const rows = isId(groupId) ? await ctx.sql<Row>(GET, [organizationOf(ctx), projectId, groupId]) : [];
  if (!rows[0]) throw notFound('membership');
  return publish(rows[0]);
}

/** Lets a group of the organization into a project; see `defineMembers` for what this and the next refuse. */
export const addGroupMember = async (
  ctx: Context,
  { projectId, groupId, role, roles }: AddGroupMember,
): Promise<GroupMemberRef> =>
  members.add(ctx, { projectId, groupId: await groupIdOf(ctx, groupId) }, roles ?? [{ role, isTemporary: false }]);

/**
 * Changes the roles of a group in a project.
 *
 * @throws DomainError as `changeRoles`, and 403 if the group's roles forbid its members what the new ones do not and
 * the caller may not do either.
 */
export const updateGroupMember = async (
  ctx: Context,
  { projectId, groupId, roles }: UpdateGroupMember,
): Promise<ChangedRole[]> => members.changeRoles(ctx, { projectId, groupId: await groupIdOf(ctx, groupId) }, roles);

/**
 * Removes a group from a project.
 *
 * @throws DomainError 403 if its members would regain what the caller may not do.
 */
export const removeGroupMember = async (
  ctx: Context,
  { projectId, groupId }: GroupMemberById,
): Promise<GroupMemberRef> => members.remove(ctx, { projectId, groupId: await groupIdOf(ctx, groupId) });

const publish = (row: Row): GroupMember => ({
  id: row.id,
  groupId: row.group.id,
  projectId: row.projectId,
  roles: toRoles(row.roles),
  group: row.group,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});
