import { LockMode } from '@mikro-orm/core';
import {
  authorize,
  FOREVER,
  lastEndOf,
  organizationOf,
  organizationPermissions,
  projectPermissions,
  requireAuthorityIfForbidden,
  requireHoldingsWithin,
  requireMayGiveRoles,
  requireNoEscalation,
} from '../access/index.ts';
import { requireMayLetIn } from '../access/approval-policy/index.ts';
import {
  addMember,
  addMembers,
  lockOrganization,
  MembershipEntity,
  replaceRoles,
  rolesToGive,
} from '../access/membership/index.ts';
import { makeToken } from '../crypto/index.ts';
import {
  badRequest,
  conflict,
  invalidate,
  inTransaction,
  record,
  statement,
  type Context,
  type Transaction,
} from '../kernel/index.ts';
import { countInvitation } from '../mail/index.ts';
import { projectMemberAdded, notifyMember } from '../projects/member/index.ts';
import { loadMembership } from '../organizations/member/index.ts';
import { loadOrganization, ownOrganization } from '../organizations/organization/index.ts';
import { addInvitedUser } from '../users/user/index.ts';
import { INVITE_CODE, memberInvited, type InvitationLink, type Invite, type ResendInvitation } from './invitation.ts';
import { invitationLink, sendInvitation } from './mail.ts';

const members = organizationPermissions('member');
const projectMembers = projectPermissions('member');

/** Lifetime of an invitation; milliseconds. */
const LIFETIME = 24 * 3600 * 1000;

/**
 * Invites users to the organization, and adds them to projects, which takes effect when they accept. Invited users get
 * a new link that replaces the old one, and keep their role in the organization unless another one is named, which takes the
 * right to edit members; members are only added to the projects.
 *
 * @returns The links for the caller to hand over; null for those that are mailed to the user.
 * @throws DomainError 403 if the caller would grant more than it holds, in the organization or in a project, as
 * `requireMayLetIn`, and for another role of an invited user without the right to edit members; 404 for a project or role
 * that does not exist; 400 as `countInvitation` beyond a limit of the day.
 */
export async function invite(ctx: Context, input: Invite): Promise<InvitationLink[] | null> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  await authorize(ctx, members.create);
  const role = input.organizationRoleSlug ?? (await loadOrganization(ctx, organizationId)).defaultMembershipRole;
  for (const { id: projectId, projectRoleSlug: roles } of input.projects) {
    await authorize(ctx, projectMembers.create, { projectId });
    await requireMayGiveRoles(ctx, projectMembers, { projectId }, roles);
  }
  const emails = [...new Set(input.inviteeEmails)].toSorted();
  return inTransaction(ctx, async (tx) => {
    await requireNoEscalation(tx, { organizationId, until: FOREVER, roles: [role] });
    for (const { id: projectId, projectRoleSlug: roles } of input.projects)
      await requireNoEscalation(tx, { organizationId, projectId, until: FOREVER, roles });
    await lockOrganization(tx);
    const given = { organizationId, role, isNamed: input.organizationRoleSlug !== undefined };
    const invited: Invited[] = [];
    for (const email of emails)
      invited.push(await inviteUser(tx, { ...given, userId: await findOrAddUser(tx, email) }));
    const memberships = invited.map(({ membership }) => membership);
    for (const project of new Map(input.projects.map((one) => [one.id, one])).values())
      await addToProject(tx, memberships, project);
    const links: (InvitationLink | null)[] = [];
    for (const [index, one] of invited.entries())
      if (one.membership.status === 'invited')
        links.push(await renewLink(tx, one.membership, emails[index]!, one.role));
    return tx.settings.emailConfigured ? null : links.filter((link) => link !== null);
  });
}

/** A new link for a user who has not accepted yet; the old one becomes invalid. Null if it is mailed. */
export async function resendInvitation(
  ctx: Context,
  { membershipId }: ResendInvitation,
): Promise<InvitationLink | null> {
  const organizationId = organizationOf(ctx);
  await authorize(ctx, members.create);
  return inTransaction(ctx, async (tx) => {
    const membership = await loadMembership(tx, organizationId, membershipId, LOCKED);
    if (membership.status !== 'invited' || !membership.inviteEmail) {
      throw badRequest('invitation.accepted', 'This member has already accepted the invitation');
    }
    await requireMayVouchFor(tx, membership);
    return renewLink(tx, membership, membership.inviteEmail);
  });
}

/** For a membership that may be accepted at this moment: it is looked at as it stays until the end of the transaction. */
const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/** Serializes invitations of one user. */
const LOCK_USER = statement('users.lock_by_email', 'select id from users where email = $1 for no key update');

/** An incomplete account may be deleted between the two steps, with another organization's invitation. */
async function findOrAddUser(tx: Transaction, email: string): Promise<string> {
  const user = (await addAndLock(tx, email)) ?? (await addAndLock(tx, email));
  if (!user)
    throw conflict('invitation.account_changes', 'The account of this e-mail address is being changed; try again');
  return user.id;
}

async function addAndLock(tx: Transaction, email: string): Promise<{ id: string } | undefined> {
  await addInvitedUser(tx, email);
  const [user] = await tx.sql<{ id: string }>(LOCK_USER, [email]);
  return user;
}

interface Inviting {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: string;
  /** Whether the request names this role; otherwise it is the default one. */
  readonly isNamed: boolean;
}

interface Invited {
  readonly membership: MembershipEntity;
  /** That was given; absent where the member keeps what they have. */
  readonly role?: string;
}

/** Another role of somebody who was invited before is a change of a member. */
async function inviteUser(tx: Transaction, { organizationId, userId, role, isNamed }: Inviting): Promise<Invited> {
  const roles = [{ role, isTemporary: false as const }];
  const known = await tx.em.findOne(MembershipEntity, { organizationId, userId, projectId: null }, LOCKED);
  if (!known) return { membership: await addMember(tx, { organizationId, userId, roles, status: 'invited' }), role };
  if (known.status !== 'invited') return { membership: known };
  await requireMayVouchFor(tx, known);
  if (!isNamed) return { membership: known };
  if ((await rolesToGive(tx, known.id, [role])).length > 0) {
    await authorize(tx, members.edit);
    await replaceRoles(tx, known, roles);
  }
  return { membership: known, role };
}

/**
 * A link gives access to the account: the caller cannot get one for a user to whom others have granted more than the
 * caller holds, or who is in a group that approves under policies which the caller may not edit.
 */
async function requireMayVouchFor(tx: Transaction, { organizationId, userId }: MembershipEntity): Promise<void> {
  await requireHoldingsWithin(tx, organizationId, userId!, FOREVER);
  await requireMayLetIn(tx, { holderIds: [userId!], until: FOREVER });
}

const FIND_MEMBERS = statement(
  'project_members.find_invited',
  'select user_id as "userId" from memberships where project_id = $1 and user_id = any($2::uuid[])',
);

/** Adds users to a project who are not members yet. */
async function addToProject(
  tx: Transaction,
  invited: readonly MembershipEntity[],
  { id: projectId, projectRoleSlug: slugs }: Invite['projects'][number],
): Promise<void> {
  const organizationId = organizationOf(tx);
  const userIds = invited.map(({ userId }) => userId!);
  const known = new Set(
    (await tx.sql<{ userId: string }>(FIND_MEMBERS, [projectId, userIds])).map((row) => row.userId),
  );
  const roles = slugs.map((role) => ({ role, isTemporary: false as const }));
  const newIds = userIds.filter((userId) => !known.has(userId));
  await requireAuthorityIfForbidden(tx, { organizationId, projectId }, roles, newIds);
  await requireMayLetIn(tx, { holderIds: newIds, projectIds: [projectId], until: lastEndOf(roles) });
  const added = await addMembers(
    tx,
    { organizationId, projectId, roles },
    newIds.map((userId) => ({ userId })),
  );
  // Invited users are notified.
  const accepted = new Set(invited.filter(({ status }) => status === 'accepted').map(({ userId }) => userId));
  for (const { id, userId } of added) {
    record(tx, projectMemberAdded, { membershipId: id, userId: userId!, roles: slugs }, { projectId });
    if (accepted.has(userId)) notifyMember(tx, { id, organizationId, userId: userId! });
  }
}

/** @param role That the membership has been given. */
async function renewLink(
  tx: Transaction,
  membership: MembershipEntity,
  email: string,
  role?: string,
): Promise<InvitationLink | null> {
  const { token: code, hash } = makeToken(INVITE_CODE);
  membership.inviteEmail = email;
  membership.inviteHash = hash;
  membership.inviteIsMailed = tx.settings.emailConfigured;
  membership.inviteExpiresAt = new Date(tx.now().getTime() + LIFETIME);
  invalidate(tx, `actor:${membership.userId}`);
  record(
    tx,
    memberInvited,
    { membershipId: membership.id, userId: membership.userId!, email, ...(role !== undefined && { role }) },
    { organizationId: membership.organizationId },
  );
  if (tx.settings.emailConfigured) {
    await countInvitation(tx, membership.organizationId, email);
    await sendInvitation(tx, membership, code);
    return null;
  }
  return { email, link: invitationLink(tx, { code, email, organizationId: membership.organizationId }) };
}
