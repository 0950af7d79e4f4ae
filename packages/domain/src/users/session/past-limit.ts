import { statement, type Transaction } from '../../kernel/index.ts';
import { ENDED_API_KEY, recordEndedApiKeys, type EndedApiKey } from './ended-api-keys.ts';
import { longestLifetime } from './lifetime.ts';

/** For a credential `c` of a member `m`: $1 is the organization, $2 the lifetime in milliseconds, counted from a column, $3 is now. */
const isPast = (from: string) => `
  m.organization_id = $1 and m.project_id is null and c.user_id = m.user_id and c.organization_id = $1
  and c.${from} <= $3::timestamptz - $2 * interval '1 millisecond'`;
const endStatement = (table: string, from: string) =>
  statement(
    `${table}.end_past_limit`,
    `update ${table} c set expires_at = least(c.expires_at, c.${from} + $2 * interval '1 millisecond') from memberships m
     where ${isPast(from)}`,
  );
const STATEMENTS = [endStatement('user_sessions', 'last_used_at'), endStatement('user_access_tokens', 'created_at')];
/** API keys have no column to shorten, so they are deleted. */
const DELETE_API_KEYS = statement(
  'user_api_keys.delete_past_limit',
  `delete from user_api_keys c using memberships m where ${isPast('created_at')} returning ${ENDED_API_KEY}`,
);

/**
 * Ends the credentials that the limit of an organization (`userTokenExpiration`) has ended, so that they stay ended under
 * another limit: the limit is only compared at use. Call it in the transaction that changes the limit, with the former one.
 */
export async function endPastLimit(tx: Transaction, organizationId: string, limit: string | null): Promise<void> {
  const lifetime = longestLifetime(limit);
  if (lifetime === Infinity) return;
  const past = [organizationId, lifetime, tx.now()];
  for (const end of STATEMENTS) await tx.sql(end, past);
  recordEndedApiKeys(tx, await tx.sql<EndedApiKey>(DELETE_API_KEYS, past));
}
