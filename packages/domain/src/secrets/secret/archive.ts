import { statement, type Transaction } from '../../kernel/index.ts';
import { removeSecrets } from './write.ts';

const OF_FOLDERS = statement(
  'secrets.of_folders',
  'select id from secrets where folder_id = any($1::uuid[]) order by id for update',
);

/** Deletes all secrets of some folders, as the folders' own deletion asks: the history keeps their last versions. */
export async function archiveSecrets(
  tx: Transaction,
  { folderIds }: { folderIds: readonly string[] },
): Promise<number> {
  const rows = await tx.sql<{ id: string }>(OF_FOLDERS, [folderIds]);
  if (rows.length > 0)
    await removeSecrets(
      tx,
      rows.map((row) => row.id),
    );
  return rows.length;
}
