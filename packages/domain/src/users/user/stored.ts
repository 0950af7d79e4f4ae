import { newId, statement, type Transaction } from '../../kernel/index.ts';
import { UserEntity } from './user.entity.ts';

/** A new user, who logs in with an e-mail address. */
export interface NewUser {
  readonly email: string;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly passwordHash?: string;
  readonly isAccepted?: boolean;
  readonly isEmailVerified?: boolean;
  readonly isSuperAdmin?: boolean;
}

export async function addUser(tx: Transaction, user: NewUser): Promise<UserEntity> {
  const row = tx.em.create(UserEntity, { id: newId(), username: user.email, ...user });
  await tx.em.persist(row).flush();
  return row;
}

/** The account that an e-mail address would get now. It is not stored. */
export function unstoredUser(tx: Transaction, email: string): UserEntity {
  const times = { createdAt: tx.now(), updatedAt: tx.now() };
  return tx.em.create(UserEntity, { id: newId(), username: email, email, ...times }, { persist: false });
}

/** Completes the account of an invited user. */
export async function completeUser(
  tx: Transaction,
  id: string,
  completed: Omit<NewUser, 'email'>,
): Promise<UserEntity> {
  const row = tx.em.assign(await tx.em.findOneOrFail(UserEntity, { id }), completed);
  await tx.em.flush();
  return row;
}

const ADD_INVITED = statement(
  'users.add_invited',
  'insert into users (id, username, email, created_at, updated_at) values ($1, $2, $2, $3, $3) on conflict do nothing',
);

/** Adds an account that its owner has to complete, unless the e-mail address has one. */
export async function addInvitedUser(tx: Transaction, email: string): Promise<void> {
  await tx.sql(ADD_INVITED, [newId(), email, tx.now()]);
}

const LOCK_INVITED = statement(
  'users.lock_invited',
  'select id from users where id = any($1::uuid[]) and not is_accepted order by id for update',
);
const DELETE_INVITED = statement(
  'users.delete_invited',
  `delete from users u where id = any($1::uuid[]) and not is_accepted
     and not exists (select 1 from memberships m where m.user_id = u.id)`,
);

/** Deletes those of some accounts that were never completed and that no organization invites. */
export async function deleteUninvitedUsers(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.sql(LOCK_INVITED, [ids]);
  await tx.sql(DELETE_INVITED, [ids]);
}

/** Deletes the row of a user, with the sessions and memberships that refer to it. */
export const deleteUserRow = (tx: Transaction, id: string): Promise<number> => tx.em.nativeDelete(UserEntity, { id });
