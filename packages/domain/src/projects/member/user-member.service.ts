import { authorize, organizationOf, requireNoEscalation } from '../../access/index.ts';
import {
  belongingsOf,
  keepingAnAdmin,
  MembershipEntity,
  withRoles,
  type ChangedRole,
} from '../../access/membership/index.ts';
import {
  at,
  badRequest,
  forbidden,
  inTransaction,
  isId,
  notFound,
  statement,
  type Context,
} from '../../kernel/index.ts';
import { tellMember } from './mail.ts';
import { defineMembers, lockOrganization } from './member-kind.ts';
import {
  projectMemberAdded,
  projectMemberLeft,
  projectMemberPermissions,
  projectMemberRemoved,
  projectMemberRolesChanged,
  type AddProjectMembers,
  type ListProjectUsers,
  type ProjectMemberByUsername,
  type ProjectMemberRef,
  type ProjectMembershipById,
  type ProjectMember,
  type ProjectUser,
  type RemoveProjectMembers,
  type UpdateProjectMemberRoles,
} from './member.ts';

const members = defineMembers({
  holder: 'userId',
  permissions: projectMemberPermissions,
  events: { added: projectMemberAdded, rolesChanged: projectMemberRolesChanged, removed: projectMemberRemoved },
});

interface PersonRow {
  user_id: string;
  project_name: string;
  username: string;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
}

interface Row extends PersonRow {
  id: string;
  project_id: string;
  created_at: string;
  updated_at: string;
}

const SELECT = `
  select m.id, m.user_id, m.project_id, p.name as project_name, m.created_at, m.updated_at, u.username, u.email, u.first_name, u.last_name
  from memberships m join users u on u.id = m.user_id join projects p on p.id = m.project_id
  where m.organization_id = $1 and m.project_id = $2`;
const LIST = statement('project_members.list', `${SELECT} order by m.created_at, m.id`);
const GET = statement('project_members.get', `${SELECT} and m.id = $3`);
const BY_USERNAME = statement('project_members.by_username', `${SELECT} and u.username = $3`);
const BY_NAMES = statement(
  'project_members.by_names',
  `${SELECT} and (u.email = any($3::text[]) or u.username = any($4::text[])) order by m.created_at, m.id`,
);

/** The people of a project, in the order in which they came; not its machine identities. */
export async function listProjectMembers(ctx: Context, { projectId }: { projectId: string }): Promise<ProjectMember[]> {
  await authorize(ctx, projectMemberPermissions.read, { projectId });
  return publish(ctx, await ctx.sql<Row>(LIST, [organizationOf(ctx), projectId]));
}

/** The people who are in a project by groups alone, by name. */
const LIST_BY_GROUP = statement(
  'project_members.by_group',
  `select u.id as user_id, p.name as project_name, u.username, u.email, u.first_name, u.last_name
   from projects p, users u
   where p.organization_id = $1 and p.id = $2 and u.id in (
     select h.actor_id from effective_memberships h where h.organization_id = $1 and h.project_id = $2 and h.group_id is not null
   ) and not exists (select 1 from memberships m where m.organization_id = $1 and m.project_id = $2 and m.actor_id = u.id)
   order by u.username`,
);

/** The people of a project, and where it is asked for those who are in it by a group alone, too. */
export async function listProjectUsers(
  ctx: Context,
  { projectId, includeGroupMembers }: ListProjectUsers,
): Promise<ProjectUser[]> {
  await authorize(ctx, projectMemberPermissions.read, { projectId });
  const rows = await ctx.sql<Row>(LIST, [organizationOf(ctx), projectId]);
  const own = await publish(ctx, rows);
  return [
    ...own.map((member, index) => ({
      ...member,
      isGroupMember: false,
      project: { id: projectId, name: rows[index]!.project_name },
    })),
    ...(includeGroupMembers ? await groupMembers(ctx, projectId) : []),
  ];
}

async function groupMembers(ctx: Context, projectId: string): Promise<ProjectUser[]> {
  const organizationId = organizationOf(ctx);
  const rows = await ctx.sql<PersonRow>(LIST_BY_GROUP, [organizationId, projectId]);
  const userIds = rows.map((row) => row.user_id);
  const belongings = await belongingsOf(ctx, organizationId, userIds, projectId);
  return rows.flatMap((row) =>
    (belongings.get(row.user_id) ?? []).map(({ id, roles }) => ({
      id,
      userId: row.user_id,
      projectId,
      user: toProjectPerson(row),
      roles,
      isGroupMember: true,
      project: { id: projectId, name: row.project_name },
    })),
  );
}

export async function getProjectMember(
  ctx: Context,
  { projectId, membershipId }: ProjectMembershipById,
): Promise<ProjectMember> {
  await authorize(ctx, projectMemberPermissions.read, { projectId });
  return one(ctx, isId(membershipId) ? await ctx.sql<Row>(GET, [organizationOf(ctx), projectId, membershipId]) : []);
}

export async function getProjectMemberByUsername(
  ctx: Context,
  { projectId, username }: ProjectMemberByUsername,
): Promise<ProjectMember> {
  await authorize(ctx, projectMemberPermissions.read, { projectId });
  return one(ctx, await ctx.sql<Row>(BY_USERNAME, [organizationOf(ctx), projectId, username]));
}

async function one(ctx: Context, rows: Row[]): Promise<ProjectMember> {
  const [member] = await publish(ctx, rows);
  if (!member) throw notFound('membership');
  return member;
}

const FIND_USERS = statement(
  'project_members.find_users',
  `select u.id, u.username, u.email from users u
   join memberships o on o.user_id = u.id and o.organization_id = $1 and o.project_id is null
   where u.email = any($2::text[]) or u.username = any($3::text[]) order by u.username`,
);

/**
 * Adds people of the organization to a project: all that are named, or none.
 *
 * @throws DomainError 404 for somebody whom the organization does not have, with the names; 400
 * `memberships_user_unique` for somebody who is a member already; 403 `PermissionBoundaryError` where the roles allow
 * more than the caller may do.
 */
export async function addProjectMembers(
  ctx: Context,
  { projectId, emails, usernames, roleSlugs }: AddProjectMembers,
): Promise<ProjectMemberRef[]> {
  const organizationId = organizationOf(ctx);
  await authorize(ctx, projectMemberPermissions.create, { projectId });
  await requireNoEscalation(ctx, { organizationId, projectId, roles: roleSlugs });
  return inTransaction(ctx, async (tx) => {
    await lockOrganization(tx);
    const users = await tx.sql<{ id: string; username: string; email: string | null }>(FIND_USERS, [
      organizationId,
      emails,
      usernames,
    ]);
    requireAll({ emails, usernames }, users, 'user');
    const roles = roleSlugs.map((role) => ({ role, isTemporary: false as const }));
    const userIds = users.map(({ id }) => id);
    const added = await members.addAll(tx, projectId, userIds, roles);
    for (const { id, userId } of added) tellMember(tx, { id, organizationId, userId });
    return added;
  });
}

function requireAll(
  { emails, usernames }: { emails: readonly string[]; usernames: readonly string[] },
  found: readonly { email: string | null; username: string }[],
  what: string,
): void {
  const missing = {
    emails: emails.filter((email) => !found.some((user) => user.email === email)),
    usernames: usernames.filter((username) => !found.some((user) => user.username === username)),
  };
  if (missing.emails.length + missing.usernames.length > 0) throw notFound(what, missing);
}

/** Gives a member other roles; see `defineMembers` for what this and the next refuse. */
export const updateProjectMemberRoles = (
  ctx: Context,
  { projectId, membershipId, roles }: UpdateProjectMemberRoles,
): Promise<ChangedRole[]> => members.changeRoles(ctx, { projectId, membershipId }, roles);

/** Takes a person out of a project. */
export const removeProjectMember = (
  ctx: Context,
  { projectId, membershipId }: ProjectMembershipById,
): Promise<ProjectMemberRef> => members.remove(ctx, { projectId, membershipId });

/**
 * Takes people out of a project: all that are named, or none.
 *
 * @throws DomainError 404 for somebody who is no member, with the names; 400 where no administrator would be left.
 */
export async function removeProjectMembers(
  ctx: Context,
  { projectId, emails, usernames }: RemoveProjectMembers,
): Promise<ProjectMemberRef[]> {
  await authorize(ctx, projectMemberPermissions.delete, { projectId });
  return inTransaction(ctx, (tx) =>
    keepingAnAdmin(tx, organizationOf(tx), projectId, async () => {
      const rows = await tx.sql<Row>(BY_NAMES, [organizationOf(tx), projectId, emails, usernames]);
      requireAll({ emails, usernames }, rows, 'membership');
      const memberships = await tx.em.find(
        MembershipEntity,
        { id: { $in: rows.map(({ id }) => id) } },
        { orderBy: { createdAt: 'asc', id: 'asc' } },
      );
      return members.removeAll(tx, projectId, memberships);
    }),
  );
}

/**
 * The caller leaves a project.
 *
 * @throws DomainError 400 for its only administrator, and for who is in it by a group alone; 403 for a machine identity.
 */
export async function leaveProject(ctx: Context, { projectId }: { projectId: string }): Promise<ProjectMemberRef> {
  const organizationId = organizationOf(ctx);
  const { actor } = ctx;
  await ctx.ability(ctx, { organizationId, projectId });
  if (actor.type !== 'user')
    throw forbidden('auth.wrong_actor', 'Only people leave projects; remove the membership of a machine identity');
  return inTransaction(ctx, (tx) =>
    keepingAnAdmin(tx, organizationId, projectId, async () => {
      const membership = await tx.em.findOne(MembershipEntity, { organizationId, projectId, userId: actor.id });
      if (!membership)
        throw badRequest(
          'project.member_by_group',
          'You are in this project by a group, and leave it with the group: ask to be taken out of that',
        );
      const [left] = await members.removeAll(tx, projectId, [membership], projectMemberLeft);
      return left!;
    }),
  );
}

const publish = (ctx: Context, rows: readonly Row[]): Promise<ProjectMember[]> =>
  withRoles(ctx, rows, (row, roles) => ({
    id: row.id,
    createdAt: at(row.created_at),
    userId: row.user_id,
    projectId: row.project_id,
    user: toProjectPerson(row),
    roles,
  }));

const toProjectPerson = (row: PersonRow) => ({
  id: row.user_id,
  username: row.username,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  publicKey: null,
});
