import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Statement } from '../kernel/index.ts';

/** Tables that stay small, and why. All others grow: with the instance, with use, or with time. */
export const SMALL_TABLES: Readonly<Record<string, string>> = {
  instance: 'one row',
  rate_limits: 'one row',
  audit_volume: 'one row',
  audit_cursor: 'one row, or a few after the restore into another cluster',
  audit_archive_key: 'one row',
  setup_codes: 'a few rows until an instance is claimed',
  schema_migrations: 'one row for each migration',
};

/** How many rows a table has, and whether PostgreSQL was ever told of them. */
interface Size {
  readonly rows: number;
  readonly isAnalyzed: boolean;
}

const isAbout = (tables: readonly string[], ours: Size, others: Size) => (table: string) =>
  tables.includes(table) ? ours : others;
const SECRETS = ['secrets', 'secret_versions'];

/** What PostgreSQL may believe of the sizes of tables. Autovacuum analyzes no table of fewer than 50 rows, and others a minute late. */
export const STATISTICS: Readonly<Record<string, (table: string) => Size>> = {
  'never analyzed': () => ({ rows: 300_000, isAnalyzed: false }),
  'few folders, many secrets': isAbout(SECRETS, { rows: 1_000_000, isAnalyzed: true }, { rows: 10, isAnalyzed: false }),
  'many folders, few secrets': isAbout(SECRETS, { rows: 40, isAnalyzed: false }, { rows: 100_000, isAnalyzed: true }),
};

/** Rows from which on a table is not to be read as a whole. */
const LARGE = 1_000;
const PAGE = 8_192;

/** A plan as `explain (format json)` gives it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Total Cost': number;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly PlanNode[];
}

interface Relation {
  readonly name: string;
  readonly path: string;
  /** The table of an index. */
  readonly table: string;
  /** Bytes of one row, about. */
  readonly width: number;
}

const RELATIONS = `
  select c.relname as name, pg_relation_filepath(c.oid) as path, coalesce(t.relname, c.relname) as table,
    case when i.indexrelid is not null then 16 + 20 * i.indnatts else (
      select 28 + sum(case when a.attlen > 0 then a.attlen else 40 end)::integer from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0) end as width
  from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i')`;

/** Columns with how many different values they have: as many as rows, as the rows of another table, two, or unknown. */
const COLUMNS = `
  select c.relname as table, a.attname as name, a.attnotnull as "isFilled", a.attname = 'id' as "isKey",
    t.typname = 'bool' as "isFlag", t.typname in ('uuid', 'timestamptz') as "isNearlyUnique", (
      select min(r.relname) from pg_constraint f join pg_class r on r.oid = f.confrelid
      where f.contype = 'f' and f.conrelid = c.oid and a.attnum = any(f.conkey)) as "refersTo"
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`;

interface Column {
  table: string;
  name: string;
  isFilled: boolean;
  isKey: boolean;
  isFlag: boolean;
  isNearlyUnique: boolean;
  refersTo: string | null;
}

/** What columns refer to without a foreign key, since another one of their table implies it: a secret is in a folder. */
const IMPLIED: Readonly<Record<string, string>> = {
  'secrets.organization_id': 'organizations',
  'secrets.project_id': 'projects',
};

/** The planner's unit for «as many as there are rows». */
const UNIQUE = -1;
const NEARLY_UNIQUE = -0.9;

function distinctValues(column: Column, sizeOf: (table: string) => Size): number | undefined {
  const { rows } = sizeOf(column.table);
  if (column.isKey) return UNIQUE;
  const refersTo = column.refersTo ?? IMPLIED[`${column.table}.${column.name}`];
  if (refersTo !== undefined) return Math.min(rows, sizeOf(refersTo).rows);
  if (column.isFlag) return 2;
  return column.isNearlyUnique ? NEARLY_UNIQUE : undefined;
}

/**
 * Makes an empty database look as if its tables had such sizes: their files are extended by pages without content, which take
 * no space, and statistics are imported instead of rows. `owner` owns the tables, of a server on this machine.
 */
export async function pretendSizes(owner: Pool, sizeOf: (table: string) => Size): Promise<void> {
  const { rows: settings } = await owner.query<{ directory: string }>(
    `select current_setting('data_directory') as directory`,
  );
  const { rows: relations } = await owner.query<Relation>(RELATIONS);
  const pagesOf = ({ table, width }: Relation) => Math.max(1, Math.ceil((sizeOf(table).rows * width) / PAGE));
  for (const relation of relations)
    await truncate(join(settings[0]!.directory, relation.path), pagesOf(relation) * PAGE);
  const analyzed = relations.filter(({ table }) => sizeOf(table).isAnalyzed);
  await owner.query(
    `select pg_restore_relation_stats('schemaname', 'public', 'relname', r.name, 'relpages', r.pages, 'reltuples', r.tuples)
     from unnest($1::text[], $2::integer[], $3::real[]) as r (name, pages, tuples)`,
    [analyzed.map(({ name }) => name), analyzed.map(pagesOf), analyzed.map(({ table }) => sizeOf(table).rows)],
  );
  const { rows: all } = await owner.query<Column>(COLUMNS);
  const columns = all.filter(({ table }) => sizeOf(table).isAnalyzed);
  const known = columns.flatMap((column) => {
    const distinct = distinctValues(column, sizeOf);
    return distinct === undefined ? [] : [{ ...column, distinct, nulls: column.isFilled ? 0 : 0.5 }];
  });
  await owner.query(
    `select pg_restore_attribute_stats('schemaname', 'public', 'relname', c.table_name, 'attname', c.name, 'inherited', false,
       'null_frac', c.nulls, 'avg_width', 16, 'n_distinct', c.distinct_values)
     from unnest($1::text[], $2::text[], $3::real[], $4::real[]) as c (table_name, name, nulls, distinct_values)`,
    [
      known.map(({ table }) => table),
      known.map(({ name }) => name),
      known.map(({ nulls }) => nulls),
      known.map(({ distinct }) => distinct),
    ],
  );
}

/** The plan that PostgreSQL keeps of a statement, whatever its values. */
export async function explain(pool: Pool, { text }: Pick<Statement, 'text'>): Promise<PlanNode> {
  const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (generic_plan, format json) ${text}`,
  );
  return rows[0]!['QUERY PLAN'][0]!.Plan;
}

/** The first column of each index; none where it is an expression. */
export async function firstColumns(pool: Pool): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ index: string; column: string }>(
    `select i.indexrelid::regclass::text as index, a.attname as column from pg_index i
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]`,
  );
  return new Map(rows.map(({ index, column }) => [index, column]));
}

interface About {
  readonly isLarge: (table: string) => boolean;
  readonly firstColumns: ReadonlyMap<string, string>;
}

/** What of a plan costs as much as a large table is large, however little is asked for. */
export function faultsOf(plan: PlanNode, { isLarge, firstColumns: columns }: About): string[] {
  const faults = new Set<string>();
  visit(plan, [], (node, above) => {
    const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, 'Index Cond': condition } = node;
    const tables = tablesOf(node).filter(isLarge);
    const input = node.Plans?.[0]?.['Plan Rows'] ?? 0;
    if (type.endsWith('Sort') && tables.length > 0 && input > Math.max(MANY, MUCH * pageOf(above)))
      faults.add(`sorts ${tables.join(', ')} for a page`);
    const scanned = table ?? above.findLast((one) => one['Relation Name'] !== undefined)?.['Relation Name'];
    if (scanned === undefined || !isLarge(scanned)) return;
    if (type === 'Seq Scan') faults.add(`reads all of ${scanned}`);
    if (!/Index/.test(type) || isKeyed(node, columns) || isBesideKeyed(node, above.at(-1), columns)) return;
    if (condition !== undefined) faults.add(`reads much of ${scanned} by ${index} for ${condition}`);
    else if (pageOf(above) === Infinity) faults.add(`reads all of ${scanned} by ${index}`);
  });
  return [...faults];
}

/** Rows that may be sorted for a page, and for each row of it. */
const MANY = 20_000;
const MUCH = 20;

/** How many rows are asked for, if no more are read than are asked for; otherwise no limit. */
function pageOf(above: readonly PlanNode[]): number {
  const limit = above.findLastIndex((node) => node['Node Type'] === 'Limit');
  const isWhole = limit < 0 || above.slice(limit + 1).some((node) => /Sort|Aggregate|Unique/.test(node['Node Type']));
  return isWhole ? Infinity : above[limit]!['Plan Rows'];
}

/** Whether an index is entered by its first column. */
function isKeyed({ 'Index Name': index, 'Index Cond': condition }: PlanNode, columns: About['firstColumns']): boolean {
  const first = columns.get(index!);
  return condition !== undefined && (first === undefined || new RegExp(`\\b${first}\\b`).test(condition));
}

/** Whether the same rows are also looked up in an index by its first column. */
const isBesideKeyed = (node: PlanNode, parent: PlanNode | undefined, columns: About['firstColumns']): boolean =>
  parent?.['Node Type'] === 'BitmapAnd' && parent.Plans!.some((other) => other !== node && isKeyed(other, columns));

const tablesOf = (node: PlanNode): string[] => [
  ...(node['Relation Name'] === undefined ? [] : [node['Relation Name']]),
  ...(node.Plans ?? []).flatMap(tablesOf),
];

function visit(node: PlanNode, above: readonly PlanNode[], look: (node: PlanNode, above: readonly PlanNode[]) => void) {
  look(node, above);
  for (const next of node.Plans ?? []) visit(next, [...above, node], look);
}

/** Whether a table is large in these statistics, and not one that stays small. */
export const isLargeIn =
  (sizeOf: (table: string) => Size) =>
  (table: string): boolean =>
    !(table in SMALL_TABLES) && sizeOf(table).rows >= LARGE;
