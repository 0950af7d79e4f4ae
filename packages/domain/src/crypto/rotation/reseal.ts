import type { Pool } from 'pg';
import { NIL_ID, type SealingKeys } from '../../kernel/index.ts';
import { openBytes, sealBytes } from '../seal.ts';
import type { SealedColumn } from './sealed-columns.ts';

/** Number of rows read at once. */
const PAGE = 100;
/** Locked rows are left for the next pass; after this many passes, for the next run. */
const PASSES = 20;
const PAUSE_MS = 50;

export interface Resealed {
  readonly rows: number;
  /** Rows whose value does not open: their keys stay. */
  readonly unreadable: readonly string[];
  /** Whether nothing is left under an older key. */
  readonly isComplete: boolean;
}

interface Row {
  id: string;
  version: number;
  sealed: Buffer;
}

/** The four bytes after the format of a sealed value: the version of its key. */
const keyVersionBytes = (version: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(version);
  return bytes;
};

const isStale = (column: string, bind: string) =>
  `${column} is not null and substring(${column} from 2 for 4) <> ${bind}`;

/** Whether any value of this owner is sealed under another key than its newest. */
export async function hasStale(
  pool: Pool,
  { table, column, ownerColumn, where = 'true' }: SealedColumn,
  owner: string,
  newest: number,
): Promise<boolean> {
  const { rows } = await pool.query<{ stale: boolean }>(
    `select exists (select 1 from ${table} where ${ownerColumn} = $1 and ${where} and ${isStale(column, '$2')}) as stale`,
    [owner, keyVersionBytes(newest)],
  );
  return rows[0]!.stale;
}

/**
 * Seals every value of a column of this owner under its newest key, concurrently with reads and writes: a row that has
 * changed since it was read, or is locked, is left to its writer, who uses the newest key. Never waits for a lock.
 */
export async function resealColumn(
  pool: Pool,
  column: SealedColumn,
  owner: string,
  keysOf: () => Promise<SealingKeys>,
): Promise<Resealed> {
  let rows = 0;
  for (let pass = 1; ; pass++) {
    const { found, changed, unreadable } = await onePass(pool, column, owner, keysOf);
    rows += changed;
    if (found === unreadable.length) return { rows, unreadable, isComplete: found === 0 };
    if (pass === PASSES) return { rows, unreadable, isComplete: false };
    if (changed < found - unreadable.length) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function onePass(pool: Pool, column: SealedColumn, owner: string, keysOf: () => Promise<SealingKeys>) {
  let [found, changed] = [0, 0];
  const unreadable: string[] = [];
  for (let after: Pick<Row, 'id' | 'version'> = { id: NIL_ID, version: 0 }; ;) {
    // For each page: reserves enough uses of the key.
    const keys = await keysOf();
    const page = await readPage(pool, column, owner, keys.newest.version, after);
    found += page.length;
    const readable = page.flatMap((row) => {
      const resealed = reseal(keys, column, owner, row);
      if (!resealed) unreadable.push(`${column.table}.${column.column} of ${row.id} (version ${row.version})`);
      return resealed ? [{ ...row, resealed }] : [];
    });
    changed += await writePage(pool, column, readable);
    if (page.length < PAGE) return { found, changed, unreadable };
    after = page.at(-1)!;
  }
}

function reseal(
  keys: SealingKeys,
  { sealedAs, versionColumn }: SealedColumn,
  owner: string,
  row: Row,
): Buffer | undefined {
  const place = { column: sealedAs, owner, row: row.id, version: versionColumn ? row.version : 0 };
  try {
    return sealBytes(keys.newest, openBytes(keys, row.sealed, place), place);
  } catch {
    return undefined;
  }
}

async function readPage(
  pool: Pool,
  { table, column, idColumn, ownerColumn, versionColumn = '0', where = 'true' }: SealedColumn,
  owner: string,
  newest: number,
  after: Pick<Row, 'id' | 'version'>,
): Promise<Row[]> {
  const { rows } = await pool.query<Row>(
    `select ${idColumn} as id, ${versionColumn}::integer as version, ${column} as sealed from ${table}
     where ${ownerColumn} = $1 and ${where} and ${isStale(column, '$2')} and ${idColumn} >= $3 and (${idColumn}, ${versionColumn}) > ($3, $4::integer)
     order by ${idColumn}, ${versionColumn}::integer limit ${PAGE}`,
    [owner, keyVersionBytes(newest), after.id, after.version],
  );
  return rows;
}

/** Writes rows that are unchanged and not locked; returns their number. */
async function writePage(
  pool: Pool,
  { table, column, idColumn, versionColumn = '0' }: SealedColumn,
  rows: readonly (Row & { resealed: Buffer })[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const { rowCount } = await pool.query(
    `with given as (select * from unnest($1::uuid[], $2::integer[], $3::bytea[], $4::bytea[]) as g (id, version, before, after)),
       free as (select t.${idColumn} as id, g.version, g.before, g.after from ${table} t
         join given g on t.${idColumn} = g.id and t.${column} = g.before ${versionColumn === '0' ? '' : `and t.${versionColumn} = g.version`}
         order by 1, 2 for update of t skip locked)
     update ${table} t set ${column} = f.after from free f
     where t.${idColumn} = f.id and t.${column} = f.before ${versionColumn === '0' ? '' : `and t.${versionColumn} = f.version`}`,
    [
      rows.map(({ id }) => id),
      rows.map(({ version }) => version),
      rows.map(({ sealed }) => sealed),
      rows.map(({ resealed }) => resealed),
    ],
  );
  return rowCount ?? 0;
}
