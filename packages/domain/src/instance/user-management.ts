import { z } from 'zod';
import {
  badRequest,
  defineEvent,
  invalidate,
  Id,
  inTransaction,
  isId,
  notFound,
  page,
  statement,
  UserNames,
  Uuid,
  type Context,
} from '../kernel/index.ts';
import { deleteUser } from '../users/account/index.ts';
import {
  keepingASuperAdmin,
  organizationsOfUser,
  recordForInstance,
  requireSuperAdmin,
  storeSuperAdmin,
} from '../users/user/index.ts';

/** A person as the administrators of the instance see it. */
export const InstanceUser = z.object({ id: Uuid, ...UserNames.shape, superAdmin: z.boolean() });
export type InstanceUser = z.output<typeof InstanceUser>;

export const ListInstanceUsers = z.object({
  searchTerm: z.string().max(255).default('').describe('A part of the name or the address'),
  adminsOnly: z.union([z.boolean(), z.enum(['true', 'false', '']).transform((text) => text === 'true')]).default(false),
  ...page({ limit: 20, maxLimit: 100 }).shape,
});
export type ListInstanceUsers = z.output<typeof ListInstanceUsers>;

export const UserRef = z.object({ userId: Id });
export type UserRef = z.output<typeof UserRef>;

const UserEvent = z.object({ userId: z.string(), username: z.string() });
export const superAdminGranted = defineEvent('user.super_admin_granted', 'grant-instance-admin', UserEvent);
export const superAdminRevoked = defineEvent('user.super_admin_revoked', 'revoke-instance-admin', UserEvent);

const COLUMNS = `id, username, email, first_name as "firstName", last_name as "lastName", is_super_admin as "superAdmin"`;

const LIST = statement(
  'users.search',
  `select ${COLUMNS} from users
   where (not $2 or is_super_admin) and ($1 = '' or strpos(lower(username), $1) > 0 or strpos(lower(email), $1) > 0
     or strpos(lower(concat_ws(' ', first_name, last_name)), $1) > 0)
   order by username limit $3 offset $4`,
);

/** @throws DomainError 403 unless the caller administers the instance, as all of these. */
export async function listInstanceUsers(
  ctx: Context,
  { searchTerm, adminsOnly, limit, offset }: ListInstanceUsers,
): Promise<InstanceUser[]> {
  requireSuperAdmin(ctx);
  return ctx.sql<InstanceUser>(LIST, [searchTerm.trim().toLowerCase().replaceAll('\0', ''), adminsOnly, limit, offset]);
}

/** Deletes another user. Deleting one's own account needs the password: `deleteMe`. */
export function deleteInstanceUser(ctx: Context, { userId }: UserRef): Promise<InstanceUser> {
  requireSuperAdmin(ctx);
  if (!isId(userId)) throw notFound('user');
  if (ctx.actor.type === 'user' && ctx.actor.id === userId.toLowerCase())
    throw badRequest(
      'user.own_account',
      'Delete your own account with DELETE /api/v2/users/me, which requires your password',
    );
  return inTransaction(ctx, (tx) => deleteUser(tx, userId));
}

/** Grants or removes instance administration of a user; 400 for removing the last one. */
export function setSuperAdmin(ctx: Context, { userId }: UserRef, isSuperAdmin: boolean): Promise<InstanceUser> {
  requireSuperAdmin(ctx);
  if (!isId(userId)) throw notFound('user');
  return inTransaction(ctx, (tx) =>
    keepingASuperAdmin(tx, async () => {
      const user = await storeSuperAdmin(tx, userId, isSuperAdmin);
      if (!user) throw notFound('user');
      invalidate(tx, `user:${userId}`);
      const event = isSuperAdmin ? superAdminGranted : superAdminRevoked;
      recordForInstance(tx, event, { userId, username: user.username }, await organizationsOfUser(tx, userId));
      return { ...user, superAdmin: isSuperAdmin };
    }),
  );
}
