import {
  Credentials,
  listSessions,
  logIn,
  logOut,
  RefreshedToken,
  refreshToken,
  revokeAllSessions,
  RevokeSession,
  revokeSession,
  SelectedOrganization,
  SelectOrganization,
  selectOrganization,
  Session,
} from '@coffer/domain';
import { z } from 'zod';
import { limitingRefusals, procedure, rest, router, USERS } from '../kernel/index.ts';
import { keepDevice, presentedDevice } from './device-cookie.ts';
import { dropSession, keepRefreshToken, keepSession, presentedSession } from './refresh-cookie.ts';

const Message = z.object({ message: z.string() });
const Nothing = z.object({});
const people = { actors: ['user'] } as const;

export const sessionRouter = router({
  logIn: procedure
    .meta(
      rest('POST', '/api/v3/auth/login', 'public', 'Log in with e-mail address and password', {
        limitsRefusals: true,
        description:
          'Answers a token without an organization and sets the cookie `jid`, and `cdt`, by which the device is known at later logins. Choose an organization next.',
      }),
    )
    .input(Credentials)
    .output(z.object({ accessToken: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const session = await limitingRefusals(ctx, `user:${input.email}`, () => logIn(ctx, input, presentedDevice(ctx)));
      keepDevice(ctx, session.deviceToken);
      return { accessToken: keepSession(ctx, session) };
    }),
  selectOrganization: procedure
    .meta(rest('POST', '/api/v3/auth/select-organization', 'member', 'Choose the organization to speak for', people))
    .input(SelectOrganization)
    .output(SelectedOrganization)
    .mutation(({ ctx, input }) => selectOrganization(ctx, input)),
  refresh: procedure
    .meta(
      rest('POST', '/api/v1/auth/token', 'public', 'Get a new access token for the session of the cookie', {
        takesCredential: true,
        description:
          'Replaces the refresh token in the cookie `jid`. The replaced one is accepted for ten more seconds and answered with the same successor; shown later, it ends the session.',
      }),
    )
    .input(Nothing)
    .output(RefreshedToken)
    .mutation(async ({ ctx }) => {
      const refreshed = await refreshToken(ctx, presentedSession(ctx));
      keepRefreshToken(ctx, refreshed);
      return refreshed;
    }),
  check: procedure
    .meta(rest('POST', '/api/v1/auth/checkAuth', 'member', 'Ask whether a token is good', { actors: USERS }))
    .input(Nothing)
    .output(Message)
    .mutation(() => ({ message: 'Authenticated' })),
  logOut: procedure
    .meta(rest('POST', '/api/v1/auth/logout', 'member', 'End the session of the token', people))
    .input(Nothing)
    .output(Message)
    .mutation(async ({ ctx }) => {
      await logOut(ctx);
      dropSession(ctx);
      return { message: 'Successfully logged out' };
    }),
  list: procedure
    .meta(rest('GET', '/api/v2/users/me/sessions', 'member', 'List my sessions', people))
    .input(Nothing)
    .output(z.array(Session))
    .query(({ ctx }) => listSessions(ctx)),
  revokeAll: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v2/users/me/sessions',
        'member',
        'End all my sessions, this one too, and all my API keys',
        people,
      ),
    )
    .input(Nothing)
    .output(Message)
    .mutation(async ({ ctx }) => {
      await revokeAllSessions(ctx);
      dropSession(ctx);
      return { message: 'Successfully revoked all sessions' };
    }),
  revoke: procedure
    .meta(rest('DELETE', '/api/v2/users/me/sessions/{sessionId}', 'member', 'End one of my sessions', people))
    .input(RevokeSession)
    .output(Message)
    .mutation(async ({ ctx, input }) => {
      await revokeSession(ctx, input);
      return { message: 'Successfully revoked session' };
    }),
});
