import { IssuedToken, PresentedToken, renewToken, revokePresentedToken } from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

/** What the holder of an access token may do with it: the token is in the body, and no header is needed. */
export const accessTokenRouter = router({
  renew: procedure
    .meta(
      rest('POST', '/api/v1/auth/token/renew', 'public', 'Renew an access token; the response contains the new token', {
        takesCredential: true,
      }),
    )
    .input(PresentedToken)
    .output(IssuedToken)
    .mutation(({ ctx, input }) => renewToken(ctx, input)),

  revoke: procedure
    .meta(rest('POST', '/api/v1/auth/token/revoke', 'public', 'Revoke an access token', { takesCredential: true }))
    .input(PresentedToken)
    .output(z.object({ message: z.string() }))
    .mutation(async ({ ctx, input }) => {
      await revokePresentedToken(ctx, input);
      return { message: 'Successfully revoked access token' };
    }),
});
