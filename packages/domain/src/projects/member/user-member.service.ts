import {
  authorize,
  FOREVER,
  organizationOf,
  requireAuthorityIfForbidden,
  requireMayGiveRoles,
  requireNoEscalation,
} from '../../access/index.ts';
import {
  keepingAnAdmin,
  lockOrganization,
  MembershipEntity,
  projectMemberRemoved,
  type ChangedRole,
} from '../../access/membership/index.ts';
import { badRequest, forbidden, inTransaction, isId, notFound, statement, type Context } from '../../kernel/index.ts';
import { notifyMember } from './mail.ts';
import { defineMembers } from './member-kind.ts';
import {
  projectMemberAdded,
  projectMemberLeft,
  projectMemberPermissions,
  projectMemberRolesChanged,
  type AddOrganizationMembers,
  type AddProjectMembers,
  type ProjectMemberRef,
  type ProjectMembershipById,
  type RemoveProjectMembers,
  type UpdateProjectMemberRoles,
} from './member.ts';

const members = defineMembers({
  holder: 'userId',
  permissions: projectMemberPermissions,
  events: { added: projectMemberAdded, rolesChanged: projectMemberRolesChanged, removed: projectMemberRemoved },
  requireMayForbid: requireAuthorityIfForbidden,
});

/** With the id of the person, or of the membership. */
interface NamedPerson {
  id: string;
  username: string;
  email: string | null;
}

const FIND_USERS = statement(
  'project_members.find_users',
  `select u.id, u.username, u.email from users u
   join memberships o on o.user_id = u.id and o.organization_id = $1 and o.project_id is null
   where u.email = any($2::text[]) or u.username = any($3::text[]) order by u.username`,
);

/**
 * Adds users of the organization to a project, all or none.
 *
 * @throws DomainError 404 for unknown users, with the names; 400 `memberships_user_unique` for a member; 403
 * `PermissionBoundaryError` if the roles allow more than the caller may do, and as `requireMayLetIn`.
 */
export async function addProjectMembers(
  ctx: Context,
  { projectId, emails, usernames, roleSlugs }: AddProjectMembers,
): Promise<ProjectMemberRef[]> {
  const organizationId = organizationOf(ctx);
  await authorize(ctx, projectMemberPermissions.create, { projectId });
  await requireMayGiveRoles(ctx, projectMemberPermissions, { projectId }, roleSlugs);
  return inTransaction(ctx, async (tx) => {
    await requireNoEscalation(tx, { organizationId, projectId, until: FOREVER, roles: roleSlugs });
    await lockOrganization(tx);
    const users = await tx.sql<NamedPerson>(FIND_USERS, [organizationId, emails, usernames]);
    requireAll({ emails, usernames }, users, 'user');
    const roles = roleSlugs.map((role) => ({ role, isTemporary: false as const }));
    const userIds = users.map(({ id }) => id);
    const added = await members.addAll(tx, projectId, userIds, roles);
    for (const { id, userId } of added) notifyMember(tx, { id, organizationId, userId });
    return added;
  });
}

const FIND_BY_MEMBERSHIPS = statement(
  'project_members.find_by_memberships',
  `select o.id, u.username from memberships o join users u on u.id = o.user_id
   where o.organization_id = $1 and o.project_id is null and o.id = any($2::uuid[])`,
);

/**
 * Adds people as members of a project, by the ids of their memberships in the organization: all of them, or none.
 *
 * @throws DomainError as `addProjectMembers`; 404 for an unknown membership.
 */
export async function addOrganizationMembers(
  ctx: Context,
  { projectId, members: given }: AddOrganizationMembers,
): Promise<ProjectMemberRef[]> {
  await authorize(ctx, projectMemberPermissions.create, { projectId });
  const ids = [...new Set(given.map(({ orgMembershipId }) => orgMembershipId))];
  const found = ids.every(isId)
    ? await ctx.sql<{ id: string; username: string }>(FIND_BY_MEMBERSHIPS, [organizationOf(ctx), ids])
    : [];
  if (found.length < ids.length) throw notFound('membership');
  const usernames = found.map(({ username }) => username);
  return addProjectMembers(ctx, { projectId, emails: [], usernames, roleSlugs: ['member'] });
}

function requireAll(
  { emails, usernames }: { emails: readonly string[]; usernames: readonly string[] },
  found: readonly NamedPerson[],
  what: string,
): void {
  const missing = {
    emails: emails.filter((email) => !found.some((user) => user.email === email)),
    usernames: usernames.filter((username) => !found.some((user) => user.username === username)),
  };
  if (missing.emails.length + missing.usernames.length > 0) throw notFound(what, missing);
}

/** Changes the roles of a member; see `defineMembers` for the errors of this and the next function. */
export const updateProjectMemberRoles = (
  ctx: Context,
  { projectId, membershipId, roles }: UpdateProjectMemberRoles,
): Promise<ChangedRole[]> => members.changeRoles(ctx, { projectId, membershipId }, roles);

/** Removes a user from a project. */
export const removeProjectMember = (
  ctx: Context,
  { projectId, membershipId }: ProjectMembershipById,
): Promise<ProjectMemberRef> => members.remove(ctx, { projectId, membershipId });

const FIND_MEMBERS = statement(
  'project_members.find_members',
  `select m.id, u.username, u.email from memberships m join users u on u.id = m.user_id
   where m.organization_id = $1 and m.project_id = $2 and (u.email = any($3::text[]) or u.username = any($4::text[]))`,
);

/**
 * Removes users from a project, all or none.
 *
 * @throws DomainError 404 for users who are not members, with the names; 403 `PermissionBoundaryError` if one of them
 * may do more there than the caller; 400 if no administrator would be left.
 */
export async function removeProjectMembers(
  ctx: Context,
  { projectId, emails, usernames }: RemoveProjectMembers,
): Promise<ProjectMemberRef[]> {
  await authorize(ctx, projectMemberPermissions.delete, { projectId });
  return inTransaction(ctx, (tx) =>
    keepingAnAdmin(tx, organizationOf(tx), projectId, async () => {
      const rows = await tx.sql<NamedPerson>(FIND_MEMBERS, [organizationOf(tx), projectId, emails, usernames]);
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
    throw forbidden('auth.wrong_actor', 'Only users can leave projects; remove the membership of a machine identity');
  return inTransaction(ctx, (tx) =>
    keepingAnAdmin(tx, organizationId, projectId, async () => {
      const membership = await tx.em.findOne(MembershipEntity, { organizationId, projectId, userId: actor.id });
      if (!membership)
        throw badRequest(
          'project.member_by_group',
          'You are in this project by a group; ask to be removed from the group',
        );
      const [left] = await members.removeAll(tx, projectId, [membership], projectMemberLeft);
      return left!;
    }),
  );
}
