import {
  askPasswordReset,
  AskPasswordReset,
  resetPassword,
  ResetPassword,
  User,
  verifyPasswordReset,
  VerifyPasswordReset,
} from '@coffer/domain';
import { z } from 'zod';
import { limitingRefusals, procedure, rest, router } from '../kernel/index.ts';

export const recoveryRouter = router({
  ask: procedure
    .meta(
      rest('POST', '/api/v1/password/email/password-reset', 'public', 'Request a password reset by e-mail', {
        strictlyLimited: true,
        description:
          'The response is the same whether or not the address has an account. The link is valid once, for one hour. At most three links are sent within one hour.',
      }),
    )
    .input(AskPasswordReset)
    .output(z.object({ message: z.string() }))
    .mutation(async ({ ctx, input }) => {
      await askPasswordReset(ctx, input);
      return {
        message: 'If there is an account with this e-mail address, a password reset link is on its way to it',
      };
    }),
  verify: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/password/email/password-reset-verify',
        'public',
        'Exchange the code of a password reset link for a token',
        { limitsRefusals: true },
      ),
    )
    .input(VerifyPasswordReset)
    .output(
      z.object({
        user: User,
        token: z.string().describe('The token sets the new password. It is valid once, for 15 minutes.'),
        userEncryptionVersion: z.int().describe('Always 2: the server hashes the password'),
      }),
    )
    .mutation(async ({ ctx, input }) => ({
      ...(await limitingRefusals(ctx, 'recovery.verify', () => verifyPasswordReset(ctx, input))),
      userEncryptionVersion: 2,
    })),
  reset: procedure
    .meta(
      rest(
        'POST',
        '/api/v2/password/password-reset',
        'public',
        'Reset the password; ends all sessions and revokes all API keys',
        {
          limitsRefusals: true,
          description: 'Accepts the token of the verified code as `Authorization: Bearer` or in the body.',
        },
      ),
    )
    .input(ResetPassword)
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      const token = input.token ?? ctx.http.bearer;
      await limitingRefusals(ctx, 'recovery.reset', () => resetPassword(ctx, { ...input, token }));
      return {};
    }),
});
