import { z } from 'zod';
import { MembershipEntity } from '../access/membership/index.ts';
import { columnSeal, hashOf, sameHash } from '../crypto/index.ts';
import { defineJob, enqueue, turnsOf } from '../jobs/index.ts';
import { statement, type Context, type Transaction } from '../kernel/index.ts';
import { AWAITED_MAIL, compose, deliver, oneLine } from '../mail/index.ts';

/** The code of an invitation that waits to be sent. */
const codes = columnSeal('jobs.invitation_code');

const FIND = statement(
  'memberships.invitation_to_send',
  `select o.name as organization, m.invite_hash as "inviteHash", m.invite_email as email from memberships m
   join organizations o on o.id = m.organization_id
   where m.organization_id = $1 and m.id = $2 and m.status = 'invited' and m.invite_expires_at > $3`,
);

/**
 * Sends an invitation. The code is stored sealed under the organization's key, so that every retry sends the same link,
 * and neither the queue nor its backups contain it. Nothing is sent if the invitation was accepted, renewed or deleted.
 */
export const invitationMail = defineJob({
  name: 'mail.invitation',
  payload: z.object({
    organizationId: z.string(),
    membershipId: z.string(),
    sealedCode: z.base64(),
    invitedBy: z.string().nullable(),
  }),
  turns: turnsOf('invitations', { isUrgent: true }),
  run: async (ctx, { organizationId, membershipId, sealedCode, invitedBy }) => {
    const [invitation] = await ctx.sql<{ organization: string; inviteHash: Buffer | null; email: string }>(FIND, [
      organizationId,
      membershipId,
      ctx.now(),
    ]);
    if (!invitation?.inviteHash) return;
    const code = await codes.open(ctx, { id: membershipId, organizationId }, Buffer.from(sealedCode, 'base64'));
    if (!sameHash(invitation.inviteHash, hashOf(code))) return;
    const { email } = invitation;
    const organization = oneLine(invitation.organization);
    const link = invitationLink(ctx, { code, email, organizationId });
    await deliver(
      ctx,
      compose(email, {
        subject: `Invitation to ${organization}`,
        paragraphs: [
          `${invitedBy === null ? 'You are invited' : `${oneLine(invitedBy)} invites you`} to join the organization ${organization} on Coffer.`,
          'The link is only for you. It works once, for one day.',
        ],
        action: { label: 'Accept the invitation', url: link },
      }),
    );
  },
});

/** Enqueues the mail of an invitation for after the commit. */
export async function sendInvitation(tx: Transaction, membership: MembershipEntity, code: string): Promise<void> {
  const { organizationId, id: membershipId } = membership;
  const sealedCode = (await codes.seal(tx, { id: membershipId, organizationId }, code)).toString('base64');
  const invitedBy = 'name' in tx.actor ? tx.actor.name : null;
  enqueue(tx, invitationMail, { organizationId, membershipId, sealedCode, invitedBy }, AWAITED_MAIL);
}

/** The address at which an invitation is accepted. */
export function invitationLink(
  { settings }: Pick<Context, 'settings'>,
  { code, email, organizationId }: { code: string; email: string; organizationId: string },
): string {
  const query = new URLSearchParams({ token: code, to: email, organization_id: organizationId });
  return `${settings.siteUrl}/signupinvite?${query.toString()}`;
}
