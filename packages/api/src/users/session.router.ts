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
  sessionIsOver,
} from '@coffer/domain';
import { z } from 'zod';
import { limitingRefusals, procedure, rest, router, USERS } from '../kernel/index.ts';
import { keepDevice, presentedDevice } from './device-cookie.ts';
import { dropSession, keepRefreshToken, keepSession, presentedSession, sessionsToEnd } from './refresh-cookie.ts';

const Message = z.object({ message: z.string() });
const Nothing = z.object({});
const people = { actors: ['user'] } as const;

export const sessionRouter = router({
  logIn: procedure
    .meta(
      rest('POST', '/api/v3/auth/login', 'public', 'Log in with e-mail address and password', {
        limitsRefusals: true,
        description:
          'Returns a token without an organization. Sets the cookie `jid` with the refresh token, and the cookie `cdt`, which identifies the device at later logins. Select an organization next.',
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
    .meta(rest('POST', '/api/v3/auth/select-organization', 'member', 'Select the organization of the session', people))
    .input(SelectOrganization)
    .output(SelectedOrganization)
    .mutation(({ ctx, input }) => selectOrganization(ctx, input)),
  refresh: procedure
    .meta(
      rest('POST', '/api/v1/auth/token', 'public', 'Refresh the access token of a session', {
        takesCredential: true,
        description:
          'Replaces the refresh token in the cookie `jid`. The replaced token is accepted for ten more seconds and gets the same successor. If it is used later, the session ends.',
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
    .meta(rest('POST', '/api/v1/auth/checkAuth', 'member', 'Check whether a token is valid', { actors: USERS }))
    .input(Nothing)
    .output(Message)
    .mutation(() => ({ message: 'Authenticated' })),
  logOut: procedure
    .meta(
      rest('POST', '/api/v1/auth/logout', 'member', 'End the session of the token (log out)', {
        ...people,
        takesCredential: true,
        description:
          'Also ends the session of the refresh token in the cookie `jid`, and removes the cookie. A valid refresh token is enough where the access token is missing or refused.',
        otherwise: (ctx, refusal) => {
          if (sessionsToEnd(ctx).length === 0) throw refusal;
        },
      }),
    )
    .input(Nothing)
    .output(Message)
    .mutation(async ({ ctx }) => {
      const hasEnded = await logOut(ctx, sessionsToEnd(ctx));
      // Not before: a browser that has lost the cookie could not end a session that is still there.
      dropSession(ctx);
      if (!hasEnded) throw sessionIsOver();
      return { message: 'Successfully logged out' };
    }),
  list: procedure
    .meta(rest('GET', '/api/v2/users/me/sessions', 'member', 'List the sessions of the current user', people))
    .input(Nothing)
    .output(z.array(Session))
    .query(({ ctx }) => listSessions(ctx)),
  revokeAll: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v2/users/me/sessions',
        'member',
        'End all sessions of the current user and revoke all API keys',
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
    .meta(
      rest('DELETE', '/api/v2/users/me/sessions/{sessionId}', 'member', 'End a session of the current user', people),
    )
    .input(RevokeSession)
    .output(Message)
    .mutation(async ({ ctx, input }) => {
      await revokeSession(ctx, input);
      return { message: 'Successfully revoked session' };
    }),
});
