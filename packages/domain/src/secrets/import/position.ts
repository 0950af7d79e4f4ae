import { statement, type Transaction } from '../../kernel/index.ts';
import type { FoundFolder } from '../folder/index.ts';
import type { SecretImportEntity } from './import.entity.ts';

/** Imports are deleted with their environment, so positions may have gaps. */
const LAST = statement(
  'secret_imports.last',
  'select position from secret_imports where folder_id = $1 order by position desc limit 1',
);
const RENUMBER = statement(
  'secret_imports.renumber',
  `update secret_imports i set position = n.position
   from (select id, row_number() over (order by position) as position from secret_imports where folder_id = $1) n
   where i.id = n.id and i.position <> n.position`,
);
const PLACE_AT = statement(
  'secret_imports.place_at',
  `update secret_imports i set position = n.position
   from (select o.id, row_number() over (order by
       case when coalesce(r.id, o.id) = $2 then $3::numeric else coalesce(r.position, o.position) * 2 end, o.is_reserved) as position
     from secret_imports o left join secret_imports r on r.id = o.replicates where o.folder_id = $1) n
   where i.id = n.id and i.position <> n.position`,
);

/** The position of a folder's next import; the first is 1. */
export async function nextPosition(tx: Transaction, { id }: FoundFolder): Promise<number> {
  const [last] = await tx.sql<{ position: number }>(LAST, [id]);
  return (last?.position ?? 0) + 1;
}

/** Closes the gap after a deletion. */
export const renumber = (tx: Transaction, { id }: FoundFolder) => tx.sql(RENUMBER, [id]);

/**
 * Moves an import to a position, at most the last one, with the others in their order around it. The import behind a
 * replication stays directly behind it.
 */
export async function reposition(
  tx: Transaction,
  folder: FoundFolder,
  row: SecretImportEntity,
  position: number,
): Promise<void> {
  const rank = position > row.position ? position * 2 + 1 : position * 2 - 1;
  await tx.sql(PLACE_AT, [folder.id, row.id, rank]);
  await tx.em.refresh(row);
}
