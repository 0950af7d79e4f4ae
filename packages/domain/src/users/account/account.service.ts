import { keepingOrganizationAdmins, notingAbandoned } from '../../access/membership/index.ts';
import {
  badRequest,
  invalidate,
  forbidden,
  inTransaction,
  notFound,
  statement,
  unauthenticated,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import {
  hashNewPassword,
  passwordLockOf,
  requireGoodPassword,
  unlockPassword,
  verifiedPassword,
  type ForVerified,
} from '../password/index.ts';
import { endResets } from '../recovery/index.ts';
import {
  endCredentials,
  openSession,
  personOf,
  sessionIsOver,
  sessionOf,
  userLoggedIn,
  type OpenedSession,
} from '../session/index.ts';
import {
  deleteUserRow,
  keepingASuperAdmin,
  organizationsKnowingUser,
  organizationsOfUser,
  recordForInstance,
  recordForUser,
  toUser,
  UserEntity,
  type User,
} from '../user/index.ts';
import {
  passwordChanged,
  userDeleted,
  userRenamed,
  type ChangePassword,
  type DeleteMe,
  type RenameMe,
} from './account.ts';

export async function getMe(ctx: Context): Promise<User> {
  const user = await loadUser(ctx, personOf(ctx).id);
  return toUser(user, await passwordLockOf(ctx, user.email ?? user.username));
}

export function renameMe(ctx: Context, { firstName, lastName }: RenameMe): Promise<User> {
  const { id: userId } = sessionOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const user = await loadUser(tx, userId);
    tx.em.assign(user, { firstName, lastName: lastName || null });
    await tx.em.flush();
    invalidate(tx, `user:${userId}`);
    await recordForUser(tx, userId, userRenamed, { userId });
    return toUser(user);
  });
}

/**
 * Changes the caller's password, ends all its sessions, and deletes all its API keys and recovery links. The caller goes on
 * in a new session: what was copied from the former one is no longer accepted.
 *
 * @throws DomainError 401 if the old password is wrong: counted like a failed login.
 */
export async function changePassword(
  ctx: Context,
  { oldPassword, newPassword }: ChangePassword,
): Promise<OpenedSession> {
  const { id: userId, email, username, organizationId, sessionId } = sessionOf(ctx);
  const chosen = { password: newPassword, email: email ?? username };
  await requireGoodPassword(ctx, chosen);
  const forOwner = await verifiedOwner(ctx, oldPassword);
  const passwordHash = await hashNewPassword(ctx, chosen);
  return forOwner(async (tx, user) => {
    user.passwordHash = passwordHash;
    await tx.em.flush();
    const ended = await endCredentials(tx, userId);
    // Whoever has ended all sessions meanwhile has ended this one.
    if (!ended.includes(sessionId)) throw sessionIsOver();
    await endResets(tx, userId);
    await unlockPassword(tx, chosen.email);
    await recordForUser(tx, userId, passwordChanged, { userId });
    const session = await openSession(tx, user, organizationId);
    await recordForUser(tx, userId, userLoggedIn, { userId, sessionId: session.sessionId });
    return session;
  });
}

/**
 * Deletes the caller's own account; see `deleteUser`. A token is not sufficient, because it may be stolen.
 *
 * @throws DomainError as `verifiedOwner`.
 */
export async function deleteMe(ctx: Context, { password }: DeleteMe): Promise<User> {
  const forOwner = await verifiedOwner(ctx, password);
  return forOwner((tx, { id }) => deleteUser(tx, id));
}

const HAS_PASSWORD = statement(
  'users.has_password',
  'select 1 as has from users where id = $1 and password_hash is not null',
);

/**
 * Verifies that the caller has entered the password again: required for irreversible changes of an account. A wrong
 * password counts like a failed login.
 *
 * @throws DomainError 400 without a password, 401 if it is wrong, 403 for a user who has none.
 */
async function verifiedOwner(ctx: Context, password: string | undefined): Promise<ForVerified> {
  const { id, email, username } = sessionOf(ctx);
  if (password === undefined) throw badRequest('auth.password_required', 'Send your password in the field `password`');
  const [has] = await ctx.sql(HAS_PASSWORD, [id]);
  if (!has)
    throw forbidden(
      'auth.no_password',
      'Your account has no password; request a link to set one: POST /api/v1/password/email/password-reset',
    );
  const forVerified = await verifiedPassword(ctx, { email: email ?? username, password });
  return (work) =>
    forVerified((tx, user) => {
      if (user.id !== id) throw unauthenticated('auth.wrong_credentials', 'The password is wrong');
      return work(tx, user);
    });
}

/**
 * Deletes a user with its sessions and memberships everywhere.
 *
 * @throws DomainError 400 if an organization or the instance would have no administrator, 404 for an unknown user.
 */
export async function deleteUser(tx: Transaction, userId: string): Promise<User> {
  return keepingASuperAdmin(tx, async () => {
    const organizationIds = await organizationsKnowingUser(tx, userId);
    return keepingOrganizationAdmins(tx, await organizationsOfUser(tx, userId), async () => {
      const user = await loadUser(tx, userId);
      const published = toUser(user);
      recordForInstance(tx, userDeleted, { userId, username: user.username }, organizationIds);
      await unlockPassword(tx, user.email ?? user.username);
      await notingAbandoned(tx, organizationIds, [userId], () => deleteUserRow(tx, userId));
      tx.em.clear();
      invalidate(tx, `user:${userId}`, `actor:${userId}`);
      return published;
    });
  });
}

const loadUser = (ctx: Pick<Context, 'em'>, id: string): Promise<UserEntity> =>
  ctx.em.findOneOrFail(UserEntity, { id }, { failHandler: () => notFound('user') });
