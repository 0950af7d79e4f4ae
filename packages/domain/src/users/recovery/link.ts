import { statement, type Transaction } from '../../kernel/index.ts';
import { defineMailedCode } from '../mailed-code/index.ts';
import { RESET_CODE, RESET_TOKEN } from './recovery.ts';

/** Codes of links to a new password, by user. Whoever makes or ends one has locked the user. */
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
 * The id of the person who has an account with this address; nothing where nobody has. All that is done about the
 * person's password waits until this transaction ends.
 */
export async function lockUser(tx: Transaction, email: string): Promise<string | undefined> {
  const [user] = await tx.sql<{ id: string }>(FIND_USER, [email]);
  return user?.id;
}

/** Ends all ways of a person to a new password. */
export const endResets = (tx: Transaction, userId: string): Promise<void> => resetCodes.end(tx, userId);
