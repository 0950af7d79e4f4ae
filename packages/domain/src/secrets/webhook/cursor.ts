import { statement, type Transaction } from '../../kernel/index.ts';
import { follow, revisionOf, type Scope } from '../commit/index.ts';

const BEGIN = statement(
  'webhook_cursors.begin',
  `insert into webhook_cursors (project_id, organization_id, revision) values ($1, $2, $3::bigint)
   on conflict (project_id) do nothing`,
);
const LOCK = statement(
  'webhook_cursors.lock',
  'select revision::text as revision from webhook_cursors where project_id = $1 for update',
);
const MOVE = statement(
  'webhook_cursors.move',
  'update webhook_cursors set revision = $2::bigint where project_id = $1',
);

/**
 * The revision up to which the webhooks of a project have their deliveries; `undefined` if it has none. Locked until
 * the end of the transaction.
 */
export async function lockCursor(
  tx: Transaction,
  { projectId }: Pick<Scope, 'projectId'>,
): Promise<bigint | undefined> {
  const [row] = await tx.sql<{ revision: string }>(LOCK, [projectId]);
  return row && BigInt(row.revision);
}

export async function moveCursor(tx: Transaction, projectId: string, revision: bigint): Promise<void> {
  await tx.sql(MOVE, [projectId, revision.toString()]);
}

/**
 * Begins to follow the changes of the project. Returns the revision after which a webhook that is created in this
 * transaction gets deliveries; locks out the creation of deliveries.
 */
export async function beginToFollow(tx: Transaction, scope: Scope): Promise<string> {
  await follow(tx, scope);
  await tx.sql(BEGIN, [scope.projectId, scope.organizationId, await revisionOf(tx, scope.projectId)]);
  await lockCursor(tx, scope);
  return revisionOf(tx, scope.projectId);
}
