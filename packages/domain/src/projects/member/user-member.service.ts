import { authorize, organizationOf, requireNoEscalation } from '../../access/index.ts';
import { addMember, MembershipEntity, replaceRoles, rolesOf, type ChangedRole } from '../../access/membership/index.ts';
import {
  at,
  forget,
  forbidden,
  inTransaction,
  isId,
  notFound,
  record,
  statement,
  type Context,
  type EventType,
  type Transaction,
} from '../../kernel/index.ts';
import { toChangedRole } from './changed-role.ts';
import { keepingAnAdmin } from './last-admin.ts';
import {
  projectMemberAdded,
  projectMemberLeft,
  projectMemberPermissions,
  projectMemberRemoved,
  projectMemberRolesChanged,
  type AddProjectMembers,
  type ProjectMemberByUsername,
  type ProjectMemberRef,
  type ProjectMembershipById,
  type ProjectMember,
  type ProjectUser,
  type RemoveProjectMembers,
  type UpdateProjectMemberRoles,
} from './member.ts';

interface Row {
  id: string;
  user_id: string;
  project_id: string;
  project_name: string;
  created_at: string;
  updated_at: string;
  username: string;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
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

export async function listProjectUsers(ctx: Context, { projectId }: { projectId: string }): Promise<ProjectUser[]> {
  await authorize(ctx, projectMemberPermissions.read, { projectId });
  const rows = await ctx.sql<Row>(LIST, [organizationOf(ctx), projectId]);
  const members = await publish(ctx, rows);
  return members.map((member, index) => ({
    ...member,
    isGroupMember: false,
    project: { id: projectId, name: rows[index]!.project_name },
  }));
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

/** Keeps people from being removed from the organization while they are added to one of its projects. */
const LOCK_ORGANIZATION = statement(
  'project_members.lock_organization',
  'select id from organizations where id = $1 for share',
);
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
    await tx.sql(LOCK_ORGANIZATION, [organizationId]);
    const users = await tx.sql<{ id: string; username: string; email: string | null }>(FIND_USERS, [
      organizationId,
      emails,
      usernames,
    ]);
    requireAll({ emails, usernames }, users, 'user');
    const roles = roleSlugs.map((role) => ({ role, isTemporary: false as const }));
    const added: MembershipEntity[] = [];
    for (const { id: userId } of users) added.push(await addMember(tx, { organizationId, projectId, userId, roles }));
    await tx.em.flush();
    for (const { id, userId } of added)
      record(tx, projectMemberAdded, { membershipId: id, userId: userId!, roles: roleSlugs }, { projectId });
    return added.map(toRef);
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

/**
 * Gives a member other roles.
 *
 * @throws DomainError 403 `PermissionBoundaryError` where they allow more than the caller may do; 400 where the project
 * would be left without an administrator; 404 for a role that the project does not have.
 */
export async function updateProjectMemberRoles(
  ctx: Context,
  { projectId, membershipId, roles }: UpdateProjectMemberRoles,
): Promise<ChangedRole[]> {
  const organizationId = organizationOf(ctx);
  await authorize(ctx, projectMemberPermissions.edit, { projectId });
  return inTransaction(ctx, (tx) =>
    keepingAnAdmin(tx, organizationId, projectId, async () => {
      const membership = await loadMembership(tx, projectId, membershipId);
      await requireNoEscalation(tx, { organizationId, projectId, roles });
      const assigned = await replaceRoles(tx, membership, roles);
      membership.updatedAt = tx.now();
      await tx.em.flush();
      const slugs = roles.map(({ role }) => role);
      record(tx, projectMemberRolesChanged, { membershipId, userId: membership.userId!, roles: slugs }, { projectId });
      return assigned.map(toChangedRole);
    }),
  );
}

async function loadMembership(tx: Transaction, projectId: string, membershipId: string): Promise<MembershipEntity> {
  const membership = isId(membershipId)
    ? await tx.em.findOne(MembershipEntity, {
        id: membershipId,
        organizationId: organizationOf(tx),
        projectId,
        userId: { $ne: null },
      })
    : null;
  if (!membership) throw notFound('membership');
  return membership;
}

/** Takes a person out of a project. @throws DomainError 400 where no administrator would be left. */
export async function removeProjectMember(
  ctx: Context,
  { projectId, membershipId }: ProjectMembershipById,
): Promise<ProjectMemberRef> {
  await authorize(ctx, projectMemberPermissions.delete, { projectId });
  return inTransaction(ctx, (tx) =>
    keepingAnAdmin(tx, organizationOf(tx), projectId, async () => {
      const membership = await loadMembership(tx, projectId, membershipId);
      remove(tx, membership, projectMemberRemoved);
      return toRef(membership);
    }),
  );
}

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
      for (const membership of memberships) remove(tx, membership, projectMemberRemoved);
      return memberships.map(toRef);
    }),
  );
}

/** The caller leaves a project. @throws DomainError 400 for its only administrator, 403 for a machine identity. */
export async function leaveProject(ctx: Context, { projectId }: { projectId: string }): Promise<ProjectMemberRef> {
  const organizationId = organizationOf(ctx);
  const { actor } = ctx;
  await ctx.ability(ctx, { organizationId, projectId });
  if (actor.type !== 'user')
    throw forbidden('auth.wrong_actor', 'Only people leave projects; remove the membership of a machine identity');
  return inTransaction(ctx, (tx) =>
    keepingAnAdmin(tx, organizationId, projectId, async () => {
      const membership = await tx.em.findOne(MembershipEntity, { organizationId, projectId, userId: actor.id });
      if (!membership) throw notFound('project');
      remove(tx, membership, projectMemberLeft);
      return toRef(membership);
    }),
  );
}

function remove(
  tx: Transaction,
  membership: MembershipEntity,
  event: EventType<{ membershipId: string; userId: string }>,
): void {
  tx.em.remove(membership);
  forget(tx, `actor:${membership.userId}`);
  record(tx, event, { membershipId: membership.id, userId: membership.userId! }, { projectId: membership.projectId });
}

const toRef = ({ id, userId, projectId, createdAt, updatedAt }: MembershipEntity): ProjectMemberRef => ({
  id,
  userId: userId!,
  projectId: projectId!,
  createdAt,
  updatedAt,
});

async function publish(ctx: Context, rows: readonly Row[]): Promise<ProjectMember[]> {
  const roles = await rolesOf(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    createdAt: at(row.created_at),
    userId: row.user_id,
    projectId: row.project_id,
    user: {
      id: row.user_id,
      username: row.username,
      email: row.email,
      firstName: row.first_name,
      lastName: row.last_name,
      publicKey: null,
    },
    roles: roles.get(row.id) ?? [],
  }));
}
