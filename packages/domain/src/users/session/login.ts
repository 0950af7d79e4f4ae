import type { Context, Transaction } from '../../kernel/index.ts';
import { isToken, makeToken } from '../../crypto/index.ts';
import { verifiedPassword } from '../password/index.ts';
import { recordForUser, type Credentials, type UserEntity } from '../user/index.ts';
import { openSession } from './open-session.ts';
import { userLoggedIn, type OpenedSession } from './session.ts';

/** The prefix of the tokens that name a device; they open nothing. */
const DEVICE_TOKEN = 'cfd_';

/**
 * Opens a session with an e-mail address and password. Its first token has no organization. `presented` is the token of
 * the device from an earlier login, if any.
 *
 * @throws DomainError 401 and 429, as `verifiedPassword` says.
 */
export async function logIn(
  ctx: Context,
  credentials: Credentials,
  presented?: string,
): Promise<OpenedSession & { deviceToken: string }> {
  const isDevice = presented !== undefined && isToken(DEVICE_TOKEN, presented);
  const deviceToken = isDevice ? presented : makeToken(DEVICE_TOKEN).token;
  const open = async (tx: Transaction, user: UserEntity) => {
    const session = await openSession(tx, user);
    await recordForUser(tx, user.id, userLoggedIn, { userId: user.id, sessionId: session.sessionId });
    return { ...session, deviceToken };
  };
  const forVerified = await verifiedPassword(ctx, credentials, deviceToken);
  return forVerified(open);
}
