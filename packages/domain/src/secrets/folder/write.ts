import { newId, statement, type Transaction } from '../../kernel/index.ts';
import { nameOf } from './folder.ts';
import { rangeBelow } from './find.ts';
import type { LockedEnvironment } from './row.ts';

// What changes the rows of folders. Those who call it hold the tree, have checked the right, and keep versions and events.

const ADD_RESERVED = statement(
  'folder.add_reserved',
  `insert into folders (id, organization_id, project_id, environment_id, parent_id, name, path, is_reserved, replicates,
     created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, true, $8, $9, $9)`,
);

/** Adds the folder in which a replication keeps its copies. @param replicates The import that is replicated. */
export async function addReservedFolder(
  tx: Transaction,
  parent: { id: string; organizationId: string; projectId: string; environmentId: string },
  { path, replicates }: { path: string; replicates: string },
): Promise<void> {
  const { organizationId, projectId, environmentId } = parent;
  const place = [organizationId, projectId, environmentId, parent.id];
  await tx.sql(ADD_RESERVED, [newId(), ...place, nameOf(path), path, replicates, tx.now()]);
}

const MOVE = statement(
  'folder.move',
  `update folders set path = $5 || substr(path, length($2) + 1)
   where environment_id = $1 and (path = $2 or (path >= $3 and path < $4))`,
);

/** Moves a folder and all below it to a new path. */
export async function moveFolders(tx: Transaction, tree: LockedEnvironment, from: string, to: string): Promise<void> {
  await tx.sql(MOVE, [tree.id, from, ...rangeBelow(from), to]);
}

const CHANGE = statement(
  'folder.change',
  'update folders set name = $2, description = $3, version = version + 1, updated_at = $4 where id = $1',
);

export async function storeFolder(
  tx: Transaction,
  { id, name, description }: { id: string; name: string; description: string | null },
): Promise<void> {
  await tx.sql(CHANGE, [id, name, description, tx.now()]);
}

const DELETE = statement('folder.delete', 'delete from folders where id = $1');

/** Deletes a folder and all below it. */
export async function deleteFolders(tx: Transaction, id: string): Promise<void> {
  await tx.sql(DELETE, [id]);
}
