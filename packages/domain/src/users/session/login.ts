import type { Context } from '../../kernel/index.ts';
import { withPassword } from '../password/index.ts';
import { recordForUser, type Credentials } from '../user/index.ts';
import { openSession } from './open-session.ts';
import { userLoggedIn, type OpenedSession } from './session.ts';

/**
 * Opens a session for the owner of an e-mail address and password. Its first token belongs to no organization.
 *
 * @throws DomainError 401, as `withPassword` says.
 */
export const logIn = (ctx: Context, credentials: Credentials): Promise<OpenedSession> =>
  withPassword(ctx, credentials, async (tx, user) => {
    const session = await openSession(tx, user);
    await recordForUser(tx, user.id, userLoggedIn, { userId: user.id, sessionId: session.sessionId });
    return session;
  });
