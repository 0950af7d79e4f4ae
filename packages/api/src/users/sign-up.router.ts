import { completeInvitation, CompleteInvitation, signUp, SignUp, User, type OpenedSession } from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router, type Http } from '../kernel/index.ts';
import { keepSession } from './refresh-cookie.ts';

const SignedUp = z.object({
  message: z.string(),
  user: User,
  token: z.string().describe('Speaks for the user, in the organization where there is one'),
  organizationId: z.string().nullable(),
});

const signedUp = (
  ctx: { http: Http },
  made: { user: User; session: OpenedSession; organizationId: string | null },
) => ({
  message: 'Successfully set up account',
  user: made.user,
  token: keepSession(ctx, made.session),
  organizationId: made.organizationId,
});

export const signUpRouter = router({
  signUp: procedure
    .meta(
      rest(
        'POST',
        '/api/v3/signup/complete-account/signup',
        'public',
        'Make an account, where the instance allows it',
        { strictlyLimited: true },
      ),
    )
    .input(SignUp)
    .output(SignedUp)
    .mutation(async ({ ctx, input }) => signedUp(ctx, await signUp(ctx, input))),
  completeInvitation: procedure
    .meta(
      rest(
        'POST',
        '/api/v3/signup/complete-account/invite',
        'public',
        'Complete the account that an invitation was for',
        {
          strictlyLimited: true,
          description: 'Takes the token of the verified invitation as `Authorization: Bearer` or in the body.',
        },
      ),
    )
    .input(CompleteInvitation)
    .output(SignedUp)
    .mutation(async ({ ctx, input }) =>
      signedUp(ctx, await completeInvitation(ctx, { ...input, token: input.token ?? ctx.http.bearer })),
    ),
});
