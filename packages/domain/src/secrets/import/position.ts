import { statement, type Transaction } from '../../kernel/index.ts';
import type { FoundFolder } from '../folder/index.ts';
import type { SecretImportEntity } from './import.entity.ts';

/** An environment takes its imports with it when it goes, so positions may have gaps. */
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

/** Closes up what was left open by one that is gone. */
export const renumber = (tx: Transaction, { id }: FoundFolder) => tx.sql(RENUMBER, [id]);

/**
 * Puts an import at a position, the last one where there are fewer, and the others in their order around it. What stands
 * behind a replication stays behind it, at a position of its own.
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
