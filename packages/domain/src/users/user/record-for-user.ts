import { INSTANCE_LOG } from '../../audit/index.ts';
import { record, statement, type EventType, type Transaction } from '../../kernel/index.ts';

const ORGANIZATIONS = statement(
  'users.organizations',
  `select organization_id as "organizationId" from memberships where user_id = $1 and project_id is null and status = 'accepted' order by organization_id`,
);

/** The organizations that a user has joined. */
export async function organizationsOfUser(tx: Pick<Transaction, 'sql'>, userId: string): Promise<string[]> {
  const rows = await tx.sql<{ organizationId: string }>(ORGANIZATIONS, [userId]);
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
  recordInAll(tx, await organizationsOfUser(tx, userId), type, data);
}

/**
 * Records an event of the instance: in the organizations of the administrator who caused it, and in those of the user
 * concerned; in the log of the instance if there are none.
 */
export async function recordForInstance<Data>(
  tx: Transaction,
  type: EventType<Data>,
  data: Data,
  aboutUserId?: string,
): Promise<void> {
  const { actor } = tx;
  const organizations = new Set(actor.type === 'identity' ? [actor.organizationId] : []);
  for (const userId of [actor.type === 'user' ? actor.id : undefined, aboutUserId]) {
    if (userId) for (const organizationId of await organizationsOfUser(tx, userId)) organizations.add(organizationId);
  }
  recordInAll(tx, [...organizations], type, data);
}

function recordInAll<Data>(tx: Transaction, organizations: readonly string[], type: EventType<Data>, data: Data): void {
  const places = organizations.length > 0 ? organizations : [INSTANCE_LOG];
  for (const organizationId of places) record(tx, type, data, { organizationId });
}
