import { INSTANCE_LOG } from '../../audit/index.ts';
import { record, statement, type EventType, type Transaction } from '../../kernel/index.ts';

const ORGANIZATIONS = statement(
  'users.organizations',
  `select organization_id as "organizationId" from memberships
   where user_id = $1 and project_id is null and status = any($2::text[]) order by organization_id`,
);

/** The organizations that a user has joined. */
export const organizationsOfUser = (tx: Pick<Transaction, 'sql'>, userId: string): Promise<string[]> =>
  organizationsIn(tx, userId, ['accepted']);

/** Those that it has joined, or was invited by. */
export const organizationsKnowingUser = (tx: Pick<Transaction, 'sql'>, userId: string): Promise<string[]> =>
  organizationsIn(tx, userId, ['accepted', 'invited']);

async function organizationsIn(
  tx: Pick<Transaction, 'sql'>,
  userId: string,
  states: readonly string[],
): Promise<string[]> {
  const rows = await tx.sql<{ organizationId: string }>(ORGANIZATIONS, [userId, states]);
  return rows.map((row) => row.organizationId);
}

/**
 * Records an event of a user's account, which belongs to no organization: in the log of each organization that the user
 * has joined, so that its administrators can see it; in the log of the instance if there are none.
 */
export async function recordForUser<Data>(
  tx: Transaction,
  userId: string,
  type: EventType<Data>,
  data: Data,
): Promise<void> {
  const organizations = await organizationsOfUser(tx, userId);
  recordInAll(tx, organizations.length > 0 ? organizations : [INSTANCE_LOG], type, data);
}

/**
 * Records an event of the instance: in its log, and in those of the organizations whose member it is about. The organizations of
 * whoever has caused it do not learn of it: anybody may invite an administrator of the instance.
 */
export function recordForInstance<Data>(
  tx: Transaction,
  type: EventType<Data>,
  data: Data,
  organizationIds: readonly string[] = [],
): void {
  recordInAll(tx, [INSTANCE_LOG, ...organizationIds], type, data);
}

function recordInAll<Data>(tx: Transaction, places: readonly string[], type: EventType<Data>, data: Data): void {
  for (const organizationId of places) record(tx, type, data, { organizationId });
}
