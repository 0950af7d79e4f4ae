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

/** An import that was deleted with its environment, and its neighbours in the folder. */
export interface FormerImport {
  readonly id: string;
  readonly position: number;
  /** The imports directly before and after it; null for the first and the last one. */
  readonly previousId: string | null;
  readonly nextId: string | null;
}

const ORDER = statement(
  'secret_imports.order',
  'select id, position, is_reserved as "isReserved" from secret_imports where folder_id = $1 order by position',
);
const MAKE_ROOM = statement(
  'secret_imports.make_room',
  'update secret_imports set position = position + 1 where folder_id = $1 and position >= $2',
);

/**
 * The position of an import that comes back: behind the one that it followed and before the one that followed it, as far as
 * these are there, and between them as its former position says. So it wins over what it won over, and over nothing that was
 * added since. The others make room.
 */
export async function formerPosition(
  tx: Transaction,
  { id: folderId }: FoundFolder,
  { position, previousId, nextId }: FormerImport,
): Promise<number> {
  const rows = await tx.sql<{ id: string; position: number; isReserved: boolean }>(ORDER, [folderId]);
  const end = rows.findIndex(({ id }) => id === nextId);
  const begin = rows.findIndex(({ id }) => id === previousId) + 1;
  // One that was moved before the other decides nothing. What a replication makes stays directly behind it.
  const isWithin = (at: number) => at >= begin || at === end;
  const next = rows.find((row, at) => isWithin(at) && !row.isReserved && (at === end || row.position >= position));
  if (!next) return Math.max(position, (rows.at(-1)?.position ?? 0) + 1);
  const previous = rows[rows.indexOf(next) - 1]?.position ?? 0;
  if (previous < position && position < next.position) return position;
  await tx.sql(MAKE_ROOM, [folderId, next.position]);
  return next.position;
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
