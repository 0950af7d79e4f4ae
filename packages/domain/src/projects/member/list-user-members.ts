import { authorize, organizationOf } from '../../access/index.ts';
import { belongingsOf, ofJoined, rolesList, toRoles, type RoleRow } from '../../access/membership/index.ts';
import { at, isId, notFound, statement, type Context } from '../../kernel/index.ts';
import {
  projectMemberPermissions,
  type ListProjectUsers,
  type ProjectMember,
  type ProjectMemberByUsername,
  type ProjectMembershipById,
  type ProjectUser,
} from './member.ts';

interface PersonRow {
  userId: string;
  projectName: string;
  username: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
}

interface Row extends PersonRow {
  id: string;
  projectId: string;
  createdAt: string;
  updatedAt: string;
  roles: RoleRow[];
}

const SELECT = `
  select m.id, m.user_id as "userId", m.project_id as "projectId", p.name as "projectName", m.created_at as "createdAt",
    m.updated_at as "updatedAt", u.username, u.email, ${ofJoined('u.first_name', 'o')} as "firstName",
    ${ofJoined('u.last_name', 'o')} as "lastName", ${rolesList('m.id')} as roles
  from memberships m join users u on u.id = m.user_id join projects p on p.id = m.project_id
  left join memberships o on o.organization_id = m.organization_id and o.user_id = m.user_id and o.project_id is null
  where m.organization_id = $1 and m.project_id = $2`;
const LIST = statement('project_members.list', `${SELECT} order by m.created_at, m.id`);
const GET = statement('project_members.get', `${SELECT} and m.id = $3`);
const BY_USERNAME = statement('project_members.by_username', `${SELECT} and u.username = $3`);

/** The people of a project, in the order in which they came; not its machine identities. */
export async function listProjectMembers(ctx: Context, { projectId }: { projectId: string }): Promise<ProjectMember[]> {
  await authorize(ctx, projectMemberPermissions.read, { projectId });
  return (await membersOf(ctx, projectId)).map(publish);
}

const membersOf = (ctx: Context, projectId: string): Promise<Row[]> =>
  ctx.sql<Row>(LIST, [organizationOf(ctx), projectId]);

/** The people who are in a project by groups alone, by name. */
const LIST_BY_GROUP = statement(
  'project_members.by_group',
  `select u.id as "userId", p.name as "projectName", u.username, u.email, u.first_name as "firstName",
     u.last_name as "lastName"
   from projects p, users u
   where p.organization_id = $1 and p.id = $2 and u.id in (
     select h.actor_id from effective_memberships h where h.organization_id = $1 and h.project_id = $2 and h.group_id is not null
   ) and not exists (select 1 from memberships m where m.organization_id = $1 and m.project_id = $2 and m.actor_id = u.id)
   order by u.username`,
);

/** The users of a project, optionally including members only by a group. */
export async function listProjectUsers(
  ctx: Context,
  { projectId, includeGroupMembers }: ListProjectUsers,
): Promise<ProjectUser[]> {
  await authorize(ctx, projectMemberPermissions.read, { projectId });
  const own = await membersOf(ctx, projectId);
  return [
    ...own.map((row) => ({
      ...publish(row),
      isGroupMember: false,
      project: { id: projectId, name: row.projectName },
    })),
    ...(includeGroupMembers ? await groupMembers(ctx, projectId) : []),
  ];
}

async function groupMembers(ctx: Context, projectId: string): Promise<ProjectUser[]> {
  const organizationId = organizationOf(ctx);
  const rows = await ctx.sql<PersonRow>(LIST_BY_GROUP, [organizationId, projectId]);
  const userIds = rows.map((row) => row.userId);
  const belongings = await belongingsOf(ctx, organizationId, userIds, projectId);
  return rows.flatMap((row) =>
    (belongings.get(row.userId) ?? []).map(({ id, roles }) => ({
      id,
      userId: row.userId,
      projectId,
      user: toProjectPerson(row),
      roles,
      isGroupMember: true,
      project: { id: projectId, name: row.projectName },
    })),
  );
}

/** @throws DomainError 404 for every ID but that of a user's membership of this project. */
export async function getProjectMember(
  ctx: Context,
  { projectId, membershipId }: ProjectMembershipById,
): Promise<ProjectMember> {
  await authorize(ctx, projectMemberPermissions.read, { projectId });
  return one(isId(membershipId) ? await ctx.sql<Row>(GET, [organizationOf(ctx), projectId, membershipId]) : []);
}

/** The same by the user name. */
export async function getProjectMemberByUsername(
  ctx: Context,
  { projectId, username }: ProjectMemberByUsername,
): Promise<ProjectMember> {
  await authorize(ctx, projectMemberPermissions.read, { projectId });
  return one(await ctx.sql<Row>(BY_USERNAME, [organizationOf(ctx), projectId, username]));
}

function one(rows: readonly Row[]): ProjectMember {
  if (!rows[0]) throw notFound('membership');
  return publish(rows[0]);
}

const publish = (row: Row): ProjectMember => ({
  id: row.id,
  createdAt: at(row.createdAt),
  userId: row.userId,
  projectId: row.projectId,
  user: toProjectPerson(row),
  roles: toRoles(row.roles),
});

const toProjectPerson = (row: PersonRow) => ({
  id: row.userId,
  username: row.username,
  email: row.email,
  firstName: row.firstName,
  lastName: row.lastName,
  publicKey: null,
});
