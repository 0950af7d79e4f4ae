import { hashOf, isToken } from '../../crypto/index.ts';
import {
  inTransaction,
  newId,
  notFound,
  statement,
  unauthenticated,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { requireMailServer } from '../../mail/index.ts';
import { hashNewPassword, unlockPassword } from '../password/index.ts';
import { continueAs, endCredentials } from '../session/index.ts';
import { recordForUser, toUser, UserEntity, type User } from '../user/index.ts';
import { endResets, lockUser, resetCodes } from './link.ts';
import { sendReset } from './mail.ts';
import {
  passwordReset,
  passwordResetVerified,
  passwordResetIssued,
  RESET_CODE,
  type AskPasswordReset,
  type ResetPassword,
  type VerifyPasswordReset,
} from './recovery.ts';

const refused = () =>
  unauthenticated(
    'password_reset.invalid',
    'The link is not valid: it is unknown, expired, used or replaced by a newer one; request another one',
  );

/**
 * Sends a recovery link to the user with this address, if any: work and response are the same for every address.
 *
 * @throws DomainError 400 `mail.not_configured` if this server sends no e-mail.
 */
export function askPasswordReset(ctx: Context, { email }: AskPasswordReset): Promise<void> {
  requireMailServer(
    ctx,
    'ask the operator of this server for a link: `npm run coffer -- users reset-password <email>`',
  );
  return sendReset(ctx, email);
}

/**
 * Creates a recovery link for the operator to hand over, replacing all earlier ones.
 *
 * @throws DomainError 404 if no completed account has this address.
 */
export function issuePasswordReset(ctx: Context, { email }: AskPasswordReset): Promise<string> {
  return inTransaction(ctx, async (tx) => {
    const userId = await lockUser(tx, email);
    if (userId === undefined) throw notFound('user', { email });
    const code = await resetCodes.make(tx, { id: newId(), owner: userId, askedAt: tx.now() });
    await recordForUser(tx, userId, passwordResetIssued, { userId });
    return resetCodes.link(tx, { code, email });
  });
}

/** The owner, locked: concurrent calls with the same code wait here. */
const LOCK_OWNER = statement(
  'password_resets.lock_owner',
  `select id from users where id = (select user_id from password_resets where hash = $1) and is_accepted for no key update`,
);

async function lockOwner(tx: Transaction, hash: Buffer): Promise<UserEntity> {
  const [owner] = await tx.sql<{ id: string }>(LOCK_OWNER, [hash]);
  if (!owner) throw refused();
  return tx.em.findOneOrFail(UserEntity, { id: owner.id });
}

/**
 * Exchanges the code of a link, once, for the token that sets the password.
 *
 * @throws DomainError 401 for a code that is unknown, expired, used, superseded or of another user.
 */
export async function verifyPasswordReset(
  ctx: Context,
  { email, code }: VerifyPasswordReset,
): Promise<{ user: User; token: string }> {
  if (!isToken(RESET_CODE, code)) throw refused();
  return inTransaction(ctx, async (tx) => {
    const owner = await lockOwner(tx, hashOf(code));
    if (owner.email !== email) throw refused();
    const token = await resetCodes.exchange(tx, owner.id, code);
    if (token === undefined) throw refused();
    await recordForUser(tx, owner.id, passwordResetVerified, { userId: owner.id });
    return { user: toUser(owner), token };
  });
}

/**
 * Sets a password with the token of a verified code. Ends all sessions, API keys and other recovery links of the user,
 * and the delays from failed logins.
 *
 * @throws DomainError 401 for a token that is unknown, expired or used; 422 for a password that is too short or too
 * common, after which the token may be used again.
 */
export async function resetPassword(ctx: Context, { newPassword, token }: ResetPassword): Promise<void> {
  if (!token) throw refused();
  const userId = await resetCodes.ownerOf(ctx, token);
  const user = userId === undefined ? null : await ctx.em.findOne(UserEntity, { id: userId });
  if (!user) throw refused();
  const email = user.email ?? user.username;
  const passwordHash = await hashNewPassword(ctx, { password: newPassword, email });
  await inTransaction(ctx, async (tx) => {
    const owner = await lockOwner(tx, hashOf(token));
    const resetId = await resetCodes.use(tx, owner.id, token);
    if (resetId === undefined) throw refused();
    owner.passwordHash = passwordHash;
    await tx.em.flush();
    await endResets(tx, owner.id);
    await endCredentials(tx, owner.id);
    await unlockPassword(tx, email);
    continueAs(tx, owner);
    await recordForUser(tx, owner.id, passwordReset, { userId: owner.id, resetId });
  });
}
