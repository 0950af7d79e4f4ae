import { statement, type Transaction } from '../../kernel/index.ts';
import { defineMailedCode } from '../mailed-code/index.ts';
import { RESET_CODE, RESET_TOKEN } from './recovery.ts';

/** Codes of recovery links, by user. Creating or ending one requires the lock of the user. */
export const resetCodes = defineMailedCode({
  table: 'password_resets',
  ownerColumn: 'user_id',
  prefixes: { code: RESET_CODE, token: RESET_TOKEN },
  path: '/password-reset',
});

const FIND_USER = statement(
  'password_resets.lock_user',
  'select id from users where email = $1 and is_accepted for no key update',
);

/**
 * The ID of the user with this address; `undefined` if there is none. Locks the user's password until this transaction
 * ends.
 */
export async function lockUser(tx: Transaction, email: string): Promise<string | undefined> {
  const [user] = await tx.sql<{ id: string }>(FIND_USER, [email]);
  return user?.id;
}

/** Ends all ways of a person to a new password. */
export const endResets = (tx: Transaction, userId: string): Promise<void> => resetCodes.end(tx, userId);
