import { newId, notFound, statement, type Context, type Transaction } from '../../../kernel/index.ts';
import { follow } from '../../commit/index.ts';
import { addReservedFolder, childPath, RESERVED, type FoundFolder } from '../../folder/index.ts';
import { replications } from './queue.ts';
import { requireMayReplicate, runAsOf, type ReplicationSetUp } from './run-as.ts';

const PATH = statement('replication.destination', 'select path from folders where id = $1 and not is_reserved');
const MAKE_ROOM = statement(
  'replication.make_room',
  'update secret_imports set position = position + 1 where folder_id = $1 and position > $2',
);
const BEHIND = statement(
  'replication.behind',
  `insert into secret_imports (id, organization_id, project_id, folder_id, import_environment_id, import_path, position,
     is_reserved, replicates, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, true, $8, $9, $9)`,
);
const SET_RUN_AS = statement(
  'replication.run_as',
  `update secret_imports set replicated_by = $2, replication_digest = null, replication_failures = 0, replication_due = $3
   where id = $1`,
);

/**
 * Makes an import a replication: creates a folder for the copies below its folder, and an import of that behind it. The
 * permission to import was checked; the tree of folders and the imports of the project are locked.
 *
 * @throws DomainError 403 without the permission to read all copied values, or without an end of the right to import.
 */
export async function beginReplication(
  tx: Transaction,
  folder: FoundFolder,
  { id, position }: { id: string; position: number },
  setUp: ReplicationSetUp,
): Promise<void> {
  const { organizationId, projectId, environmentSlug: environment, environmentId } = folder;
  const [here] = await tx.sql<{ path: string }>(PATH, [folder.id]);
  if (!here) throw notFound('folder', { environment, path: folder.path });
  const path = childPath(here.path, RESERVED + id);
  const now = tx.now();
  await addReservedFolder(tx, folder, { path, replicates: id });
  await tx.sql(MAKE_ROOM, [folder.id, position]);
  await tx.sql(BEHIND, [newId(), organizationId, projectId, folder.id, environmentId, path, position + 1, id, now]);
  await setRunAs(tx, folder, id, setUp);
}

/**
 * Lets the caller answer for a replication of a source, which is copied as soon as this is committed.
 *
 * @throws DomainError 403.
 */
export async function setRunAs(
  tx: Transaction,
  folder: FoundFolder,
  id: string,
  setUp: ReplicationSetUp,
): Promise<void> {
  await requireMayReplicate(tx, setUp);
  const { organizationId, projectId } = folder;
  await tx.sql(SET_RUN_AS, [id, JSON.stringify(runAsOf(tx)), tx.now()]);
  await follow(tx, { organizationId, projectId });
  replications.enqueue(tx, { id, organizationId });
}

const REPLICATED = statement(
  'replication.replicated',
  'select id from secret_imports where id = $1 and replicated_by is not null',
);

/**
 * Whether an import replicates. Some imports of earlier releases are marked as replications but have no copies: they
 * only import.
 */
export const isReplicated = async (ctx: Context, { id }: { id: string }): Promise<boolean> =>
  (await ctx.sql(REPLICATED, [id])).length > 0;
