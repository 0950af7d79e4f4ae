import { badRequest, forbidden, statement, type Context, type Transaction } from '../../kernel/index.ts';

/** @throws DomainError 403 unless the caller, a user or an identity, administers the whole instance. */
export function requireSuperAdmin({ actor }: Context): void {
  if ((actor.type === 'user' || actor.type === 'identity') && actor.isSuperAdmin) return;
  throw forbidden('instance.not_admin', 'Only an administrator of the instance may do this');
}

interface StoredUser {
  id: string;
  username: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
}
const STORE = statement(
  'users.set_super_admin',
  `update users set is_super_admin = $2, updated_at = $3 where id = $1 and (is_accepted or not $2)
   returning id, username, email, first_name as "firstName", last_name as "lastName"`,
);

/** Stores whether a user administers the instance. @returns `undefined` for a user who cannot, or does not exist. */
export async function storeSuperAdmin(
  tx: Transaction,
  userId: string,
  isSuperAdmin: boolean,
): Promise<StoredUser | undefined> {
  const [user] = await tx.sql<StoredUser>(STORE, [userId, isSuperAdmin, tx.now()]);
  return user;
}

/** Also serializes concurrent changes of administrators. */
const LOCK = statement('instance.lock', 'select id from instance for no key update');
const COUNT = statement(
  'users.super_admins',
  'select count(*)::int as admins from users where is_super_admin and is_accepted',
);

/**
 * Makes a change after which at least one user still administers the instance.
 *
 * @throws DomainError 400 `instance.last_admin`.
 */
export async function keepingASuperAdmin<T>(tx: Transaction, change: () => Promise<T>): Promise<T> {
  await tx.sql(LOCK, []);
  const before = await superAdmins(tx);
  const result = await change();
  await tx.em.flush();
  if (before > 0 && (await superAdmins(tx)) === 0) {
    throw badRequest(
      'instance.last_admin',
      'This is the only administrator of the instance; appoint another one first',
    );
  }
  return result;
}

async function superAdmins(tx: Transaction): Promise<number> {
  const [row] = await tx.sql<{ admins: number }>(COUNT, []);
  return row?.admins ?? 0;
}
