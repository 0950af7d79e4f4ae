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
      rest('POST', '/api/v1/password/email/password-reset', 'public', 'Ask for a link to a new password by e-mail', {
        strictlyLimited: true,
        description:
          'Says the same whether or not anybody has the address. The link is good once and for an hour; no more than three are sent within one.',
      }),
    )
    .input(AskPasswordReset)
    .output(z.object({ message: z.string() }))
    .mutation(async ({ ctx, input }) => {
      await askPasswordReset(ctx, input);
      return {
        message: 'If there is an account with this e-mail address, a link to a new password is on its way to it',
      };
    }),
  verify: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/password/email/password-reset-verify',
        'public',
        'Exchange the code of the link for a token that sets the password',
        { limitsRefusals: true },
      ),
    )
    .input(VerifyPasswordReset)
    .output(
      z.object({
        user: User,
        token: z.string().describe('Sets the password, once and within a quarter of an hour'),
        userEncryptionVersion: z.int().describe('Always 2: the server hashes passwords'),
      }),
    )
    .mutation(async ({ ctx, input }) => ({
      ...(await limitingRefusals(ctx, 'recovery.verify', () => verifyPasswordReset(ctx, input))),
      userEncryptionVersion: 2,
    })),
  reset: procedure
    .meta(
      rest('POST', '/api/v2/password/password-reset', 'public', 'Set a new password, end all sessions and API keys', {
        limitsRefusals: true,
        description: 'Takes the token of the verified code as `Authorization: Bearer` or in the body.',
      }),
    )
    .input(ResetPassword)
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      const token = input.token ?? ctx.http.bearer;
      await limitingRefusals(ctx, 'recovery.reset', () => resetPassword(ctx, { ...input, token }));
      return {};
    }),
});
