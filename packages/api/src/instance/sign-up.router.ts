import {
  askSignUp,
  AskSignUp,
  completeInvitation,
  CompleteInvitation,
  isSignUpToken,
  signUp,
  SignUp,
  User,
  verifySignUp,
  VerifySignUp,
  type OpenedSession,
} from '@coffer/domain';
import { z } from 'zod';
import { limitingRefusals, procedure, rest, router } from '../kernel/index.ts';
import type { PageCall } from '../users/own-page.ts';
import { keepSession } from '../users/refresh-cookie.ts';

const SignedUp = z.object({
  message: z.string(),
  user: User,
  token: z.string().describe('Access token of the user, for the organization if there is one'),
  organizationId: z.string().nullable(),
});

const signedUp = (ctx: PageCall, made: { user: User; session: OpenedSession; organizationId: string | null }) => ({
  message: 'Successfully set up account',
  user: made.user,
  token: keepSession(ctx, made.session),
  organizationId: made.organizationId,
});

export const signUpRouter = router({
  ask: procedure
    .meta(
      rest('POST', '/api/v3/signup/email/signup', 'public', 'Request a verification code by e-mail', {
        strictlyLimited: true,
        description:
          'The response is the same for every address. A code is sent only to addresses that may sign up or were invited and that have no account. A code is valid once, for one hour. At most three codes are sent within one hour.',
      }),
    )
    .input(AskSignUp)
    .output(z.object({ message: z.string() }))
    .mutation(async ({ ctx, input }) => {
      await askSignUp(ctx, input);
      return { message: 'If this e-mail address may sign up or was invited, a link is on its way to it' };
    }),
  verify: procedure
    .meta(
      rest(
        'POST',
        '/api/v3/signup/email/verify',
        'public',
        'Exchange a verification code for a token that completes the account',
        { limitsRefusals: true },
      ),
    )
    .input(VerifySignUp)
    .output(
      z.object({
        message: z.string(),
        user: User,
        token: z.string().describe('The token completes the account. It is valid once, for 15 minutes.'),
      }),
    )
    .mutation(async ({ ctx, input }) => ({
      message: 'Successfully verified email',
      ...(await limitingRefusals(ctx, 'signUp.verify', () => verifySignUp(ctx, input))),
    })),
  signUp: procedure
    .meta(
      rest(
        'POST',
        '/api/v3/signup/complete-account/signup',
        'public',
        'Make an account, where the instance allows it',
        {
          limitsRefusals: true,
          description:
            'Accepts the token of the verified code as `Authorization: Bearer` or in the body. It is needed where addresses of some domains may sign up, and where the server sends e-mail. Without it, calls are limited strictly for each address.',
        },
      ),
    )
    .input(SignUp)
    .output(SignedUp)
    .mutation(async ({ ctx, input }) => {
      const { bearer } = ctx.http;
      const token = input.token ?? (bearer && isSignUpToken(bearer) ? bearer : undefined);
      if (token === undefined) ctx.http.countStrictly('signUp.signUp');
      return signedUp(ctx, await limitingRefusals(ctx, 'signUp.signUp', () => signUp(ctx, { ...input, token })));
    }),
  completeInvitation: procedure
    .meta(
      rest('POST', '/api/v3/signup/complete-account/invite', 'public', 'Complete the account of an invited user', {
        limitsRefusals: true,
        description: 'Accepts the token of the verified invitation as `Authorization: Bearer` or in the body.',
      }),
    )
    .input(CompleteInvitation)
    .output(SignedUp)
    .mutation(async ({ ctx, input }) => {
      const token = input.token ?? ctx.http.bearer;
      const complete = () => completeInvitation(ctx, { ...input, token });
      return signedUp(ctx, await limitingRefusals(ctx, 'signUp.completeInvitation', complete));
    }),
});
