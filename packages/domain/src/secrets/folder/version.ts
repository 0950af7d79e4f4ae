import { statement, type Transaction } from '../../kernel/index.ts';
import { commitIn, type Scope } from '../commit/index.ts';

/** `folder_versions` has every version of a folder, including the current one; root folders never change. */
const KEEP = statement(
  'folder_versions.keep',
  `insert into folder_versions (folder_id, version, organization_id, project_id, environment_id, parent_id, name,
     description, commit_id)
   select id, version, organization_id, project_id, environment_id, parent_id, name, description, $2 from folders
   where id = any($1::uuid[]) and parent_id is not null`,
);
const END = statement(
  'folder_versions.end',
  `update folder_versions set is_replaced = true, replaced_commit_id = $2
   where folder_id = any($1::uuid[]) and not is_replaced returning parent_id as "parentId"`,
);

/** Stores the current version of a folder that was just created or changed in `parentId`. */
export async function keepVersion(
  tx: Transaction,
  scope: Scope,
  { id, parentId }: { id: string; parentId: string },
): Promise<void> {
  await tx.sql(KEEP, [[id], commitIn(tx, scope, [parentId])]);
}

/** Ends the current versions of some folders, which are changed or deleted. */
export async function endVersions(tx: Transaction, scope: Scope, ids: readonly string[]): Promise<void> {
  const ended = await tx.sql<{ parentId: string }>(END, [ids, commitIn(tx, scope, [])]);
  commitIn(
    tx,
    scope,
    ended.map(({ parentId }) => parentId),
  );
}
