import { invalidate, statement, type Transaction } from '../../kernel/index.ts';
import { ENDED_API_KEY, recordEndedApiKeys, type EndedApiKey } from './ended-api-keys.ts';

/** A concurrent creation of an API key waits here, and then finds that the session has ended. */
export const LOCK_USER = statement('users.lock_credentials', 'select id from users where id = $1 for no key update');

/** In the order in which others lock several. */
const END_SESSIONS = statement(
  'user_sessions.end',
  `delete from user_sessions where id = any(array(
     select id from user_sessions where user_id = $1 order by id for update)) returning id`,
);
const END_CODES = statement('command_line_codes.end', 'delete from command_line_codes where user_id = $1');
const END_API_KEYS = statement(
  'user_api_keys.end',
  `delete from user_api_keys c where c.user_id = $1 returning ${ENDED_API_KEY}`,
);

/**
 * Ends a user's sessions with all their tokens, all codes for the command line, and all API keys, in every organization. Call it
 * after each change that must invalidate existing credentials (a new password, «end all sessions»). A caller who goes on gets
 * a new session afterwards (`openSession`): no session stays, because a copy of its tokens would stay with it.
 *
 * @returns The IDs of the ended sessions.
 */
export async function endCredentials(tx: Transaction, userId: string): Promise<string[]> {
  await tx.sql(LOCK_USER, [userId]);
  const sessions = (await tx.sql<{ id: string }>(END_SESSIONS, [userId])).map(({ id }) => id);
  await tx.sql(END_CODES, [userId]);
  invalidate(tx, ...sessions.map((id) => `session:${id}`));
  recordEndedApiKeys(tx, await tx.sql<EndedApiKey>(END_API_KEYS, [userId]));
  return sessions;
}
