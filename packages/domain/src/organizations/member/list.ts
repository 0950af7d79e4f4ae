import { abilityIn, authorize, organizationPermissions } from '../../access/index.ts';
import { belongingsOf, MembershipEntity, rolesOf, type MembershipRole } from '../../access/membership/index.ts';
import { isId, notFound, unauthenticated, type Context, type Rule } from '../../kernel/index.ts';
import { toPerson, UserEntity } from '../../users/user/index.ts';
import { ownOrganization, type OrganizationRef } from '../organization/index.ts';
import type { MemberDetails, MemberProject, MemberRef, OrganizationMember, OrganizationMembership } from './member.ts';

const members = organizationPermissions('member');

/** All people of the organization, those who are invited or deactivated too, in the order in which they came. */
export async function listMembers(ctx: Context, input: OrganizationRef): Promise<OrganizationMember[]> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  await authorize(ctx, members.read);
  const rows = await ctx.em.find(
    MembershipEntity,
    { organizationId, projectId: null, userId: { $ne: null } },
    { orderBy: { createdAt: 'asc', id: 'asc' } },
  );
  const [memberships, users] = [await publishMemberships(ctx, rows), await usersOf(ctx, rows)];
  return memberships.map((membership) => ({ ...membership, user: toPerson(users.get(membership.userId ?? '')!) }));
}

export async function getMember(ctx: Context, input: MemberRef): Promise<MemberDetails> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  await authorize(ctx, members.read);
  const row = await loadMembership(ctx, organizationId, input.membershipId);
  const [membership] = await publishMemberships(ctx, [row]);
  const users = await usersOf(ctx, [row]);
  return { ...membership!, user: toPerson(users.get(row.userId!)!), metadata: row.metadata };
}

/** The projects that a member of the organization belongs to, by itself or by groups, with its roles there. */
export async function listMemberProjects(ctx: Context, input: MemberRef): Promise<MemberProject[]> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  await authorize(ctx, members.read);
  const membership = await loadMembership(ctx, organizationId, input.membershipId);
  const users = await usersOf(ctx, [membership]);
  const user = toPerson(users.get(membership.userId!)!);
  const belongings = (await belongingsOf(ctx, organizationId, [user.id])).get(user.id) ?? [];
  return belongings
    .toSorted((a, b) => a.project.name.localeCompare(b.project.name))
    .map(({ id, project, createdAt, roles }) => ({
      id,
      userId: user.id,
      projectId: project.id,
      createdAt,
      user,
      project,
      roles,
    }));
}

/** The caller's own membership of the organization and the rules that it is under there. */
export async function getOwnPermissions(
  ctx: Context,
  input: OrganizationRef,
): Promise<{ membership: OrganizationMembership; permissions: readonly Rule[] }> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  const { rules } = await abilityIn(ctx, undefined);
  const { actor } = ctx;
  if (actor.type !== 'user' && actor.type !== 'identity')
    throw unauthenticated('auth.no_token', 'Send a token: Authorization: Bearer <token>');
  const row = await ctx.em.findOneOrFail(
    MembershipEntity,
    { organizationId, projectId: null, ...(actor.type === 'user' ? { userId: actor.id } : { identityId: actor.id }) },
    { failHandler: () => notFound('organization') },
  );
  const [membership] = await publishMemberships(ctx, [row]);
  return { membership: membership!, permissions: rules };
}

/** A person's membership of the organization: 404 for those of others, of projects and of machine identities. */
export async function loadMembership(
  ctx: Pick<Context, 'em'>,
  organizationId: string,
  id: string,
): Promise<MembershipEntity> {
  const row = isId(id)
    ? await ctx.em.findOne(MembershipEntity, { id, organizationId, projectId: null, userId: { $ne: null } })
    : null;
  if (!row) throw notFound('membership');
  return row;
}

/** Memberships as they are published: with the first of their roles. */
export async function publishMemberships(
  ctx: Context,
  rows: readonly MembershipEntity[],
): Promise<OrganizationMembership[]> {
  const roles = await rolesOf(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => publish(row, roles.get(row.id)?.[0]));
}

const publish = (row: MembershipEntity, role: MembershipRole | undefined): OrganizationMembership => ({
  id: row.id,
  orgId: row.organizationId,
  userId: row.userId ?? null,
  role: role?.role ?? 'no-access',
  roleId: role?.customRoleId ?? null,
  status: row.status,
  inviteEmail: row.inviteEmail ?? null,
  isActive: row.isActive,
  projectFavorites: row.projectFavorites ?? null,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

async function usersOf(ctx: Pick<Context, 'em'>, rows: readonly MembershipEntity[]): Promise<Map<string, UserEntity>> {
  const users = await ctx.em.find(UserEntity, { id: { $in: rows.flatMap(({ userId }) => userId ?? []) } });
  return new Map(users.map((user) => [user.id, user]));
}
