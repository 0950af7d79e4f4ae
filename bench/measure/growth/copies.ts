import type { Client } from 'pg';

/** A table with the rows that are copied, and how the values of a copy are made from theirs. */
interface Copied {
  readonly table: string;
  /** SQL of the rows. */
  readonly rows: string;
  readonly columns: readonly string[];
  /** An expression for each column; `n` is the number of the copy. */
  readonly values: readonly string[];
}

export interface Root {
  readonly table: string;
  readonly where: string;
  /** SQL of further values that differ in each copy: by table and column, of the row `r` and the number `n`. */
  readonly others?: Readonly<Record<string, string>>;
}

interface ForeignKey {
  table: string;
  column: string;
  parent: string;
  parentColumn: string;
}

const FOREIGN_KEYS = `
  select c.conrelid::regclass::text as table, a.attname as column, c.confrelid::regclass::text as parent, p.attname as "parentColumn"
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    join pg_attribute p on p.attrelid = c.confrelid and p.attnum = c.confkey[array_position(c.conkey, a.attnum)]
  where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0`;

interface Column {
  table: string;
  column: string;
  type: string;
  /** The unique indexes that it is part of. */
  unique: string[];
}

const COLUMNS = `
  select c.oid::regclass::text as table, a.attname as column, format_type(a.atttypid, null) as type,
    array(select i.indexrelid::regclass::text from pg_index i where i.indrelid = c.oid and i.indisunique and (
      a.attnum = any(i.indkey) or exists (select from pg_depend d where d.objid = i.indexrelid and d.refobjid = c.oid and d.refobjsubid = a.attnum))) as unique
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' and a.attidentity = ''
  order by a.attnum`;

/**
 * Copies rows of a table so many times, with all rows that refer to them. A copy has IDs of its own, and other values
 * where an index asks for them; everything else is as it was. Ciphertexts are therefore as long as real ones, and do not open: what is measured
 * lies among the copies and is none of them.
 */
export async function copyRows(db: Client, root: Root, copies: number): Promise<void> {
  const { rows: keys } = await db.query<ForeignKey>(FOREIGN_KEYS);
  const { rows: columns } = await db.query<Column>(COLUMNS);
  const copied = plan(root, keys, columns);
  // Neither triggers nor checks of foreign keys: the copies are as whole as what they are made from.
  await db.query(`set session_replication_role = replica`);
  try {
    for (const { table, rows } of copied) await db.query(`create temp table "from_${table}" as ${rows}`);
    for (let from = 1; from <= copies; from += PORTION)
      await insert(db, copied, from, Math.min(copies, from + PORTION - 1));
    for (const { table } of copied) await db.query(`drop table "from_${table}"`);
  } finally {
    await db.query('reset session_replication_role');
  }
  // What autovacuum does within minutes.
  for (const { table } of copied) await db.query(`vacuum (analyze) ${table}`);
}

const PORTION = 1_000;

async function insert(db: Client, copied: readonly Copied[], from: number, to: number): Promise<void> {
  for (const { table, columns, values } of copied)
    await db.query(
      `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from "from_${table}" r, generate_series($1::integer, $2) n`,
      [from, to],
    );
}

/** The table and those that refer to it, and to these. */
function plan(root: Root, keys: readonly ForeignKey[], columns: readonly Column[]): Copied[] {
  const rowsOf = new Map([[root.table, `select r.* from ${root.table} r where ${root.where}`]]);
  for (const [parent, rows] of rowsOf)
    for (const { table, column, parentColumn } of keys.filter((key) => key.parent === parent))
      if (!rowsOf.has(table) && parentColumn === 'id')
        rowsOf.set(table, `select r.* from ${table} r where r.${column} in (select p.id from (${rows}) p)`);
  return [...rowsOf].map(([table, rows]) => {
    const own = columns.filter((column) => column.table === table);
    const parentOf = ({ column }: Column) => keys.find((key) => key.table === table && key.column === column)?.parent;
    const isRenewed = (column: Column) => {
      const parent = parentOf(column);
      return column.type === 'uuid' && column.column !== 'organization_id' && (!parent || rowsOf.has(parent));
    };
    const renewed = (column: Column) => {
      const [value, parent] = [`r."${column.column}"`, parentOf(column)];
      const copy = `md5(${value}::text || n)::uuid`;
      return parent ? `case when ${value} in (select id from "from_${parent}") then ${copy} else ${value} end` : copy;
    };
    const unique = new Set(own.filter(isRenewed).flatMap((column) => column.unique));
    return {
      table,
      rows,
      columns: own.map(({ column }) => `"${column}"`),
      values: own.map((column) => {
        const other = root.others?.[`${table}.${column.column}`];
        if (other !== undefined) return other;
        if (isRenewed(column)) return renewed(column);
        return column.unique.every((index) => unique.has(index)) ? `r."${column.column}"` : another(column);
      }),
    };
  });
}

/** A value that no other row has. */
function another({ column, type }: Column): string {
  const value = `r."${column}"`;
  if (type === 'text') return `md5(${value} || n)`;
  if (type === 'bytea') return `sha256(${value} || n::text::bytea)`;
  return value;
}
