import { makeToken } from '../../crypto/index.ts';
import { statement, type Context, type Transaction } from '../../kernel/index.ts';
import { RESET_CODE } from './recovery.ts';

/** How long the code of a link is good; milliseconds. */
export const CODE_LIFETIME = 3600 * 1000;

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

const STORE = statement(
  'password_resets.store',
  `insert into password_resets (id, user_id, hash, asked_at, expires_at) values ($1, $2, $3, $4, $5)
   on conflict (id) do update set hash = excluded.hash, expires_at = excluded.expires_at`,
);

/** A code for a person who is locked, in place of all earlier ones; the same id again, in place of its own. */
export async function makeCode(
  tx: Transaction,
  { id, userId, askedAt }: { id: string; userId: string; askedAt: Date },
): Promise<string> {
  const { token: code, hash } = makeToken(RESET_CODE);
  await endResets(tx, userId, id);
  await tx.sql(STORE, [id, userId, hash, askedAt, new Date(tx.now().getTime() + CODE_LIFETIME)]);
  return code;
}

const END = statement(
  'password_resets.end',
  'update password_resets set ended_at = $2 where user_id = $1 and id is distinct from $3::uuid and ended_at is null',
);

/** Ends all ways of a person to a new password, but the one that is named. */
export async function endResets(tx: Transaction, userId: string, except?: string): Promise<void> {
  await tx.sql(END, [userId, tx.now(), except ?? null]);
}

/** The address at which a new password is chosen. */
export function resetLink(
  { settings }: Pick<Context, 'settings'>,
  { code, email }: { code: string; email: string },
): string {
  const query = new URLSearchParams({ token: code, to: email });
  return `${settings.siteUrl}/password-reset?${query.toString()}`;
}
