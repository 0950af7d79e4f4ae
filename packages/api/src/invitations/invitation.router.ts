import {
  authenticate,
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
import { limitingRefusals, procedure, rest, router, type ApiCall } from '../kernel/index.ts';

const members = organizationPermissions('member');

export const invitationRouter = router({
  invite: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/invite-org/signup',
        members.create,
        'Invite people into the organization and its projects',
        {
          plannable: true,
          description:
            'Each of them gets a link by e-mail. Where no mail server is configured, the answer has the links: hand each over to that person alone.',
        },
      ),
    )
    .input(Invite)
    .output(
      z.object({
        message: z.string(),
        completeInviteLinks: z.array(InvitationLink).nullable().describe('null where they go by e-mail'),
      }),
    )
    .mutation(async ({ ctx, input }) => ({
      message: 'Invited to the organization',
      completeInviteLinks: await invite(ctx, input),
    })),
  resend: procedure
    .meta(
      rest('POST', '/api/v1/invite-org/signup-resend', members.create, 'Make a new link for somebody who was invited'),
    )
    .input(ResendInvitation)
    .output(z.object({ signupToken: InvitationLink.nullable().describe('null where it goes by e-mail') }))
    .mutation(async ({ ctx, input }) => ({ signupToken: await resendInvitation(ctx, input) })),
  verify: procedure
    .meta(
      rest('POST', '/api/v1/invite-org/verify', 'public', 'Accept an invitation by its code', {
        limitsRefusals: true,
        description:
          'Who has an account sends its token along and is a member from then on; who has none gets a token to complete one with.',
      }),
    )
    .input(VerifyInvitation)
    .output(z.object({ message: z.string(), token: z.string().nullable(), user: User }))
    .mutation(async ({ ctx, input }) => {
      const verified = await limitingRefusals(ctx, 'invitations.verify', async () => {
        // An API key, which belongs to another organization, accepts nothing.
        const { credential } = ctx.http;
        if (credential?.header === 'authorization') ctx.actor = await authenticate(ctx as ApiCall, credential);
        return verifyInvitation(ctx, input);
      });
      return { message: 'Successfully verified invitation', ...verified };
    }),
});
