import { keepingOrganizationAdmins, notingAbandoned } from '../../access/membership/index.ts';
import { hashPassword } from '../../crypto/index.ts';
import {
  forget,
  inTransaction,
  notFound,
  unauthenticated,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { passwordLockOf, withPassword } from '../password/index.ts';
import { endResets } from '../recovery/index.ts';
import { endSessions, personOf } from '../session/index.ts';
import {
  keepingASuperAdmin,
  organizationsOfUser,
  recordForInstance,
  recordForUser,
  toUser,
  UserEntity,
  type User,
} from '../user/index.ts';
import { passwordChanged, userDeleted, userRenamed, type ChangePassword, type RenameMe } from './account.ts';

export async function getMe(ctx: Context): Promise<User> {
  const user = await loadUser(ctx, personOf(ctx).id);
  return toUser(user, await passwordLockOf(ctx, user.email ?? user.username));
}

export function renameMe(ctx: Context, { firstName, lastName }: RenameMe): Promise<User> {
  const { id: userId } = personOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const user = await loadUser(tx, userId);
    tx.em.assign(user, { firstName, lastName: lastName || null });
    await tx.em.flush();
    forget(tx, `user:${userId}`);
    await recordForUser(tx, userId, userRenamed, { userId });
    return toUser(user);
  });
}

/**
 * Changes the caller's password and ends all its other sessions, and links to a new one.
 *
 * @throws DomainError 401 where the old password is wrong: a guess that counts like one at the login.
 */
export async function changePassword(ctx: Context, { oldPassword, newPassword }: ChangePassword): Promise<void> {
  const { id: userId, email, username, sessionId } = personOf(ctx);
  await withPassword(ctx, { email: email ?? username, password: oldPassword }, async (tx, user) => {
    if (user.id !== userId) throw unauthenticated('auth.wrong_credentials', 'The password is wrong');
    user.passwordHash = await hashPassword(newPassword);
    await tx.em.flush();
    await endSessions(tx, userId, sessionId);
    await endResets(tx, userId);
    await recordForUser(tx, userId, passwordChanged, { userId });
  });
}

/** Deletes the caller's own account; see `deleteUser`. */
export function deleteMe(ctx: Context): Promise<User> {
  const { id } = personOf(ctx);
  return inTransaction(ctx, (tx) => deleteUser(tx, id));
}

/**
 * Deletes a person with its sessions and memberships everywhere.
 *
 * @throws DomainError 400 where an organization or the instance would be left without an administrator, 404 where there
 * is no such user.
 */
export async function deleteUser(tx: Transaction, userId: string): Promise<User> {
  return keepingASuperAdmin(tx, async () => {
    const organizationIds = await organizationsOfUser(tx, userId);
    return keepingOrganizationAdmins(tx, organizationIds, async () => {
      const user = await loadUser(tx, userId);
      const published = toUser(user);
      await recordForInstance(tx, userDeleted, { userId, username: user.username }, userId);
      await notingAbandoned(tx, organizationIds, [userId], () => tx.em.nativeDelete(UserEntity, { id: userId }));
      tx.em.clear();
      forget(tx, `user:${userId}`, `actor:${userId}`);
      return published;
    });
  });
}

const loadUser = (ctx: Pick<Context, 'em'>, id: string): Promise<UserEntity> =>
  ctx.em.findOneOrFail(UserEntity, { id }, { failHandler: () => notFound('user') });
