import { LockMode } from '@mikro-orm/core';
import { MembershipEntity } from '../access/membership/index.ts';
import { hashOf, isToken, makeToken } from '../crypto/index.ts';
import {
  badRequest,
  invalidate,
  inTransaction,
  isId,
  record,
  statement,
  unauthenticated,
  type Context,
  type Transaction,
} from '../kernel/index.ts';
import { hashNewPassword } from '../users/password/index.ts';
import { openSession, type OpenedSession } from '../users/session/index.ts';
import { toUser, UserEntity, type User } from '../users/user/index.ts';
import {
  COMPLETION_TOKEN,
  INVITE_CODE,
  invitationVerified,
  memberJoined,
  type CompleteInvitation,
  type VerifyInvitation,
} from './invitation.ts';

/** How long a new user has to complete the account; milliseconds. */
const COMPLETION_LIFETIME = 15 * 60 * 1000;

const refused = () =>
  unauthenticated(
    'invitation.invalid',
    'The invitation is not valid: it is unknown, expired or used; ask for a new one',
  );

const IS_OPEN = statement(
  'memberships.is_open_invitation',
  `select from memberships where invite_hash = $1 and invite_email = $2 and status = 'invited' and invite_expires_at > $3`,
);

/** The open invitation of a code or completion token; concurrent calls with the same one wait and find none. */
const FIND = statement(
  'memberships.invitation',
  `select id from memberships where invite_hash = $1 and invite_email = $2 and status = 'invited' and invite_expires_at > $3
     and ($4::uuid is null or organization_id = $4) for update`,
);

async function findInvitation(
  tx: Transaction,
  token: string,
  email: string,
  organizationId: string | null,
): Promise<MembershipEntity> {
  const [row] = await tx.sql<{ id: string }>(FIND, [hashOf(token), email, tx.now(), organizationId]);
  if (!row) throw refused();
  return tx.em.findOneOrFail(MembershipEntity, { id: row.id });
}

const OTHERS = statement(
  'memberships.other_invitations',
  'select 1 from memberships where user_id = $1 and organization_id <> $2 and project_id is null limit 1',
);

/**
 * A link that was mailed proves the ownership of the mailbox. A link that was returned to the inviter proves only that
 * this organization means the user: it cannot complete an account that others have invited as well.
 *
 * @throws DomainError 400 `invitation.mailbox_unproven`.
 */
async function requireOwnProof(
  tx: Transaction,
  { userId, organizationId, inviteIsMailed }: MembershipEntity,
): Promise<void> {
  if (inviteIsMailed) return;
  const others = await tx.sql(OTHERS, [userId, organizationId]);
  if (others.length === 0) return;
  throw badRequest(
    'invitation.mailbox_unproven',
    'This address has invitations of several organizations, so its account can be completed only by e-mail. POST /api/v3/signup/email/signup sends a code, or the operator of this server creates a link: `npm run coffer -- users sign-up-link <email>`. Log in after that and accept the invitation',
  );
}

export interface VerifiedInvitation {
  readonly user: User;
  /** Completes the account of a new user; `null` where the invited has an account, and now is a member. */
  readonly token: string | null;
}

/**
 * Uses the code of an invitation, once. A user with an account must be logged in to it, and is a member from then on; a
 * user without one gets a token to complete it.
 *
 * @throws DomainError 401 for an unknown, expired, used or foreign code, and if the invited user has an account but
 * another actor is calling; 400 if the mailbox must be verified first (`requireOwnProof`).
 */
export async function verifyInvitation(
  ctx: Context,
  { email, organizationId, code }: VerifyInvitation,
): Promise<VerifiedInvitation> {
  if (!isToken(INVITE_CODE, code) || !isId(organizationId)) throw refused();
  return inTransaction(ctx, async (tx) => {
    const invitation = await findInvitation(tx, code, email, organizationId);
    const user = await tx.em.findOneOrFail(UserEntity, { id: invitation.userId! });
    if (!user.isAccepted) {
      await requireOwnProof(tx, invitation);
      const { token, hash } = makeToken(COMPLETION_TOKEN);
      invitation.inviteHash = hash;
      invitation.inviteExpiresAt = new Date(tx.now().getTime() + COMPLETION_LIFETIME);
      const data = { membershipId: invitation.id, userId: user.id, email };
      record(tx, invitationVerified, data, { organizationId: invitation.organizationId });
      return { user: toUser(user), token };
    }
    if (tx.actor.type !== 'user' || tx.actor.id !== user.id) {
      throw unauthenticated(
        'invitation.log_in',
        'Log in with the account of this e-mail address and verify the invitation again',
      );
    }
    join(tx, invitation, email);
    return { user: toUser(user), token: null };
  });
}

/**
 * Creates the account of an invited user and makes it a member of the inviting organization. (Invitations of other
 * organizations are accepted with their own codes.)
 *
 * @throws DomainError 401 for a token that is unknown, expired, used or for another address; 400 if the mailbox must be
 * verified first (`requireOwnProof`).
 */
export async function completeInvitation(
  ctx: Context,
  { email, password, firstName, lastName, token }: CompleteInvitation,
): Promise<{ user: User; session: OpenedSession; organizationId: string }> {
  if (!token || !isToken(COMPLETION_TOKEN, token)) throw refused();
  const open = await ctx.sql(IS_OPEN, [hashOf(token), email, ctx.now()]);
  if (open.length === 0) throw refused();
  const passwordHash = await hashNewPassword(ctx, { password, email });
  return inTransaction(ctx, async (tx) => {
    const invitation = await findInvitation(tx, token, email, null);
    // Other organizations' invitations of the same person wait here.
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const user = await tx.em.findOneOrFail(UserEntity, { id: invitation.userId! }, { lockMode });
    if (user.isAccepted) throw refused();
    await requireOwnProof(tx, invitation);
    tx.em.assign(user, {
      passwordHash,
      firstName,
      lastName: lastName || null,
      isAccepted: true,
      isEmailVerified: invitation.inviteIsMailed,
    });
    join(tx, invitation, email);
    await tx.em.flush();
    const { organizationId } = invitation;
    const session = await openSession(tx, user, organizationId);
    return { user: toUser(user), session, organizationId };
  });
}

function join(tx: Transaction, invitation: MembershipEntity, email: string): void {
  invitation.status = 'accepted';
  invitation.inviteHash = null;
  invitation.inviteExpiresAt = null;
  invalidate(tx, `actor:${invitation.userId}`);
  const { id: membershipId, userId, organizationId } = invitation;
  record(tx, memberJoined, { membershipId, userId: userId!, email }, { organizationId });
}
