import { hashOf, isToken, makeToken } from '../../crypto/index.ts';
import {
  badRequest,
  inTransaction,
  newId,
  notFound,
  statement,
  unauthenticated,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { hashNewPassword, unlockPassword } from '../password/index.ts';
import { endCredentials } from '../session/index.ts';
import { recordForUser, toUser, UserEntity, type User } from '../user/index.ts';
import { endResets, lockUser, makeCode, resetLink } from './link.ts';
import { sendReset } from './mail.ts';
import {
  passwordReset,
  passwordResetIssued,
  RESET_CODE,
  RESET_TOKEN,
  type AskPasswordReset,
  type ResetPassword,
  type VerifyPasswordReset,
} from './recovery.ts';

/** How long somebody who has shown the code has to choose a password; milliseconds. */
const TOKEN_LIFETIME = 15 * 60 * 1000;

const refused = () =>
  unauthenticated(
    'password_reset.invalid',
    'The link is not valid: it is unknown, over or used, or a newer one took its place; ask for another one',
  );

/**
 * Sends whoever has an account with this address a link to a new password: the same is done and answered for every
 * address.
 *
 * @throws DomainError 400 `mail.not_configured` where this server sends no e-mail.
 */
export function askPasswordReset(ctx: Context, { email }: AskPasswordReset): Promise<void> {
  if (!ctx.settings.emailConfigured)
    throw badRequest(
      'mail.not_configured',
      'No mail server is configured here: ask the operator of this server, who makes a link with `npm run coffer -- users reset-password <email>`',
    );
  return sendReset(ctx, email);
}

/**
 * Makes a link to a new password for its operator to hand over, in place of all earlier ones.
 *
 * @throws DomainError 404 where nobody has completed an account with this address.
 */
export function issuePasswordReset(ctx: Context, { email }: AskPasswordReset): Promise<string> {
  return inTransaction(ctx, async (tx) => {
    const userId = await lockUser(tx, email);
    if (userId === undefined) throw notFound('user', { email });
    const code = await makeCode(tx, { id: newId(), userId, askedAt: tx.now() });
    await recordForUser(tx, userId, passwordResetIssued, { userId });
    return resetLink(tx, { code, email });
  });
}

/** Whose it is; whoever comes with the same at the same time waits here. */
const LOCK_OWNER = statement(
  'password_resets.lock_owner',
  `select id from users where id = (select user_id from password_resets where hash = $1) and is_accepted for no key update`,
);

async function lockOwner(tx: Transaction, hash: Buffer): Promise<UserEntity> {
  const [owner] = await tx.sql<{ id: string }>(LOCK_OWNER, [hash]);
  if (!owner) throw refused();
  return tx.em.findOneOrFail(UserEntity, { id: owner.id });
}

const VERIFY = statement(
  'password_resets.verify',
  `update password_resets set hash = $4, verified_at = $2, expires_at = $3
   where hash = $1 and expires_at > $2 and verified_at is null and ended_at is null returning id`,
);

/**
 * Takes the code of a link, once, and answers the token that sets the password.
 *
 * @throws DomainError 401 for a code that is unknown, over, used, superseded or another person's.
 */
export async function verifyPasswordReset(
  ctx: Context,
  { email, code }: VerifyPasswordReset,
): Promise<{ user: User; token: string }> {
  if (!isToken(RESET_CODE, code)) throw refused();
  const hash = hashOf(code);
  return inTransaction(ctx, async (tx) => {
    const owner = await lockOwner(tx, hash);
    if (owner.email !== email) throw refused();
    const now = tx.now();
    const { token, hash: next } = makeToken(RESET_TOKEN);
    const taken = await tx.sql(VERIFY, [hash, now, new Date(now.getTime() + TOKEN_LIFETIME), next]);
    if (taken.length === 0) throw refused();
    return { user: toUser(owner), token };
  });
}

const USE = statement(
  'password_resets.use',
  `update password_resets set ended_at = $2
   where hash = $1 and expires_at > $2 and verified_at is not null and ended_at is null returning id`,
);

/**
 * Sets a password by the token of a verified code, ends all sessions and API keys of its owner, every other link, and the lock that
 * guesses at the old password led to.
 *
 * @throws DomainError 401 for a token that is unknown, over or used; 422 for a password that is too short or too common,
 * after which the token may be used again.
 */
export async function resetPassword(ctx: Context, { newPassword, token }: ResetPassword): Promise<void> {
  if (!token || !isToken(RESET_TOKEN, token)) throw refused();
  const hash = hashOf(token);
  await inTransaction(ctx, async (tx) => {
    const owner = await lockOwner(tx, hash);
    const [used] = await tx.sql<{ id: string }>(USE, [hash, tx.now()]);
    if (!used) throw refused();
    owner.passwordHash = await hashNewPassword(tx, { password: newPassword, email: owner.email ?? owner.username });
    await tx.em.flush();
    const { id: userId, email, username } = owner;
    await endResets(tx, userId);
    await endCredentials(tx, userId);
    await unlockPassword(tx, email ?? username);
    await recordForUser(tx, userId, passwordReset, { userId, resetId: used.id });
  });
}
