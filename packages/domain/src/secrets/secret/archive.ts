import { statement, type Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { removeSecrets } from './write.ts';

const OF_FOLDERS = statement(
  'secrets.of_folders',
  'select id from secrets where folder_id = any($1::uuid[]) order by id for update',
);

/** Locks the secrets in some folders, including personal ones. */
export const lockSecretsOf = (tx: Transaction, folderIds: readonly string[]): Promise<{ id: string }[]> =>
  tx.sql<{ id: string }>(OF_FOLDERS, [folderIds]);

/** Deletes all secrets of some folders, for the deletion of the folders: the history keeps their last versions. */
export async function archiveSecrets(
  tx: Transaction,
  scope: Scope,
  { folderIds }: { folderIds: readonly string[] },
): Promise<number> {
  const rows = await lockSecretsOf(tx, folderIds);
  if (rows.length > 0)
    await removeSecrets(
      tx,
      scope,
      rows.map((row) => row.id),
    );
  return rows.length;
}
