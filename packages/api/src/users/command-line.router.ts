import {
  authorizeCommandLine,
  AuthorizeCommandLine,
  CommandLineCode,
  CommandLineSession,
  exchangeCommandLineCode,
  ExchangeCommandLineCode,
  openCommandLine,
} from '@coffer/domain';
import { z } from 'zod';
import { limitingRefusals, procedure, rest, router } from '../kernel/index.ts';
import { presentedSession } from './refresh-cookie.ts';

const path = '/api/v1/auth/command-line';
const people = { actors: ['user'] } as const;
const COOKIE =
  'Also needs the refresh token of the session, in the cookie `jid`: an access token alone opens no further session.';

/** The login of a command line through a browser (docs/decisions/0046-browser-login.md). */
export const commandLineRouter = router({
  authorize: procedure
    .meta(
      rest('POST', `${path}/authorize`, 'member', 'Create a code for the login of a command line', {
        ...people,
        description: `The code is valid once, for two minutes, with the verifier of the challenge. ${COOKIE}`,
      }),
    )
    .input(AuthorizeCommandLine)
    .output(CommandLineCode)
    .mutation(({ ctx, input }) => authorizeCommandLine(ctx, input, presentedSession(ctx))),
  exchange: procedure
    .meta(
      rest('POST', `${path}/token`, 'public', 'Exchange the code of a browser login for a session', {
        limitsRefusals: true,
        description: 'The session ends with the lifetime of the session in which the user agreed, at the latest.',
      }),
    )
    .input(ExchangeCommandLineCode)
    .output(CommandLineSession)
    .mutation(({ ctx, input }) =>
      limitingRefusals(ctx, 'commandLine.exchange', () => exchangeCommandLineCode(ctx, input)),
    ),
  open: procedure
    .meta(
      rest('POST', `${path}/session`, 'member', 'Open a session for a command line that expects tokens', {
        ...people,
        description: COOKIE,
      }),
    )
    .input(z.object({}))
    .output(CommandLineSession)
    .mutation(({ ctx }) => openCommandLine(ctx, presentedSession(ctx))),
});
