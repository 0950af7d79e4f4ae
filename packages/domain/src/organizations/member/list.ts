import type { LockMode } from '@mikro-orm/core';
import { abilityIn, authorize, organizationPermissions } from '../../access/index.ts';
import {
  belongingsOf,
  isJoined,
  MembershipEntity,
  type MembershipRole,
  ofJoined,
  withRoles,
} from '../../access/membership/index.ts';
import { at, isId, notFound, statement, unauthenticated, type Context, type Rule } from '../../kernel/index.ts';
import { toPerson, UserEntity, type Person } from '../../users/user/index.ts';
import { ownOrganization, type OrganizationRef } from '../organization/index.ts';
import type { MemberDetails, MemberProject, MemberRef, OrganizationMember, OrganizationMembership } from './member.ts';

const members = organizationPermissions('member');

interface Row extends Omit<OrganizationMembership, 'createdAt' | 'updatedAt'> {
  createdAt: string;
  updatedAt: string;
  user: Person;
}

const LIST = statement(
  'organization_members.list',
  `select m.id, m.organization_id as "orgId", m.user_id as "userId", coalesce(r.role, 'no-access') as role,
     r.custom_role_id as "roleId", m.status, m.invite_email as "inviteEmail", m.is_active as "isActive",
     m.project_favorites as "projectFavorites", m.created_at as "createdAt", m.updated_at as "updatedAt",
     json_build_object('id', u.id, 'username', u.username, 'email', u.email,
       'firstName', ${ofJoined('u.first_name', 'm')}, 'lastName', ${ofJoined('u.last_name', 'm')}, 'publicKey', null,
       'isEmailVerified', m.status = 'accepted' and u.is_email_verified) as user
   from memberships m join users u on u.id = m.user_id
   left join lateral (
     select role, custom_role_id from membership_roles where membership_id = m.id order by created_at, id limit 1
   ) r on true
   where m.organization_id = $1 and m.project_id is null order by m.created_at, m.id`,
);

/** All users of the organization, including invited and deactivated ones, in the order of joining. */
export async function listMembers(ctx: Context, input: OrganizationRef): Promise<OrganizationMember[]> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  await authorize(ctx, members.read);
  const rows = await ctx.sql<Row>(LIST, [organizationId]);
  return rows.map(({ createdAt, updatedAt, ...row }) => ({
    ...row,
    createdAt: at(createdAt),
    updatedAt: at(updatedAt),
  }));
}

export async function getMember(ctx: Context, input: MemberRef): Promise<MemberDetails> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  await authorize(ctx, members.read);
  const row = await loadMembership(ctx, organizationId, input.membershipId);
  const [membership] = await publishMemberships(ctx, [row]);
  return { ...membership!, user: await loadPerson(ctx, row), metadata: row.metadata };
}

/** The projects of a member of the organization, by own membership or by groups, with its roles there. */
export async function listMemberProjects(ctx: Context, input: MemberRef): Promise<MemberProject[]> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  await authorize(ctx, members.read);
  const membership = await loadMembership(ctx, organizationId, input.membershipId);
  const user = await loadPerson(ctx, membership);
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

/**
 * A user's membership of the organization: 404 for those of other organizations, of projects and of machine identities.
 */
export async function loadMembership(
  ctx: Pick<Context, 'em'>,
  organizationId: string,
  id: string,
  options: { readonly lockMode?: LockMode } = {},
): Promise<MembershipEntity> {
  const where = { id, organizationId, projectId: null, userId: { $ne: null } };
  const row = isId(id) ? await ctx.em.findOne(MembershipEntity, where, options) : null;
  if (!row) throw notFound('membership');
  return row;
}

/** The published form of memberships: with the first of their roles. */
export const publishMemberships = (
  ctx: Context,
  rows: readonly MembershipEntity[],
): Promise<OrganizationMembership[]> => withRoles(ctx, rows, (row, [role]) => publish(row, role));

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

async function loadPerson(ctx: Pick<Context, 'em'>, membership: MembershipEntity): Promise<Person> {
  const failHandler = () => notFound('membership');
  const person = toPerson(await ctx.em.findOneOrFail(UserEntity, { id: membership.userId! }, { failHandler }));
  return isJoined(membership) ? person : { ...person, firstName: null, lastName: null, isEmailVerified: false };
}
