import {
  InvitationLink,
  Invite,
  invite,
  organizationPermissions,
  resendInvitation,
  ResendInvitation,
  User,
  verifyInvitation,
  VerifyInvitation,
} from '@coffer/domain';
import { z } from 'zod';
import { limitingRefusals, procedure, requireCaller, rest, router, type ApiCall } from '../kernel/index.ts';

const members = organizationPermissions('member');

export const invitationRouter = router({
  invite: procedure
    .meta(
      rest('POST', '/api/v1/invite-org/signup', members.create, 'Invite users to the organization and its projects', {
        plannable: true,
        description:
          'Each invited user gets a link by e-mail. Without a mail server, the response contains the links; give each link only to its user.',
      }),
    )
    .input(Invite)
    .output(
      z.object({
        message: z.string(),
        completeInviteLinks: z.array(InvitationLink).nullable().describe('null if they are sent by e-mail'),
      }),
    )
    .mutation(async ({ ctx, input }) => ({
      message: 'Invited to the organization',
      completeInviteLinks: await invite(ctx, input),
    })),
  resend: procedure
    .meta(rest('POST', '/api/v1/invite-org/signup-resend', members.create, 'Create a new invitation link'))
    .input(ResendInvitation)
    .output(z.object({ signupToken: InvitationLink.nullable().describe('null if it is sent by e-mail') }))
    .mutation(async ({ ctx, input }) => ({ signupToken: await resendInvitation(ctx, input) })),
  verify: procedure
    .meta(
      rest('POST', '/api/v1/invite-org/verify', 'public', 'Accept an invitation by its code', {
        limitsRefusals: true,
        description:
          'A caller with an account sends its token and becomes a member immediately. A caller without an account gets a token that completes one.',
      }),
    )
    .input(VerifyInvitation)
    .output(z.object({ message: z.string(), token: z.string().nullable(), user: User }))
    .mutation(async ({ ctx, input }) => {
      const verified = await limitingRefusals(ctx, 'invitations.verify', async () => {
        // An API key, which belongs to another organization, accepts nothing.
        const { credential } = ctx.http;
        if (credential?.header === 'authorization') await requireCaller(ctx as ApiCall);
        return verifyInvitation(ctx, input);
      });
      return { message: 'Successfully verified invitation', ...verified };
    }),
});
