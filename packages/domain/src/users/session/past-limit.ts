import { statement, type Transaction } from '../../kernel/index.ts';
import { longestLifetime } from './lifetime.ts';

/** Of a credential `c` of a member `m` of the organization $1, whose lifetime of $2 milliseconds counts from a column; $3 is now. */
const isPast = (from: string) => `
  m.organization_id = $1 and m.project_id is null and c.user_id = m.user_id and c.organization_id = $1
  and c.${from} <= $3::timestamptz - $2 * interval '1 millisecond'`;
const endStatement = (table: string, from: string) =>
  statement(
    `${table}.end_past_limit`,
    `update ${table} c set expires_at = least(c.expires_at, c.${from} + $2 * interval '1 millisecond') from memberships m
     where ${isPast(from)}`,
  );
const STATEMENTS = [
  endStatement('user_sessions', 'last_used_at'),
  endStatement('user_access_tokens', 'created_at'),
  // Nothing of a key changes.
  statement(
    'user_api_keys.delete_past_limit',
    `delete from user_api_keys c using memberships m where ${isPast('created_at')}`,
  ),
];

/**
 * The limit of an organization (`userTokenExpiration`) is compared at use. What has ended by it stays ended under another
 * one: call it in the transaction that changes the limit, with the former one.
 */
export async function endPastLimit(tx: Transaction, organizationId: string, limit: string | null): Promise<void> {
  const lifetime = longestLifetime(limit);
  if (lifetime === Infinity) return;
  for (const end of STATEMENTS) await tx.sql(end, [organizationId, lifetime, tx.now()]);
}
