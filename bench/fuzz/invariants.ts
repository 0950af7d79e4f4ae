import type { Pool } from 'pg';

interface ForeignKey {
  name: string;
  child: string;
  parent: string;
  columns: string[];
  referenced: string[];
}

/** Every foreign key between two tables that both have the scope `column`. */
const KEYS = `
  select c.conname as name, c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent,
    (select array_agg(a.attname::text order by k.at) from unnest(c.conkey) with ordinality k (n, at) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n) as columns,
    (select array_agg(a.attname::text order by k.at) from unnest(c.confkey) with ordinality k (n, at) join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n) as referenced
  from pg_constraint c
  where c.contype = 'f' and c.connamespace = 'public'::regnamespace
    and exists (select from pg_attribute a where a.attrelid = c.conrelid and a.attname = $1)
    and exists (select from pg_attribute a where a.attrelid = c.confrelid and a.attname = $1)`;

/** A user's session continues in the last selected organization; its earlier access tokens stay in theirs. */
const ACROSS = new Set(['user_access_tokens_session_id_fkey']);

/** Invariants of every database that no constraint keeps; returns the violations. */
export async function brokenInvariants(pool: Pool): Promise<string[]> {
  const broken: string[] = [];
  const count = async (sql: string): Promise<number> =>
    Number((await pool.query<{ count: string }>(sql)).rows[0]!.count);

  const { rows: keys } = await pool.query<ForeignKey>(KEYS, ['organization_id']);
  if (keys.length === 0) throw new Error('No foreign key was found: the search for invariants sees nothing');
  for (const { name, child, parent, columns, referenced } of keys.filter((key) => !ACROSS.has(key.name))) {
    const joined = columns.map((column, i) => `c.${column} = p.${referenced[i]}`).join(' and ');
    const foreign = await count(
      `select count(*) from ${child} c join ${parent} p on ${joined} where c.organization_id <> p.organization_id`,
    );
    if (foreign > 0) broken.push(`${name}: ${foreign} rows of ${child} refer to another organization`);
  }
  const cycles = await count(
    `with recursive up as (
       select id as start, parent_id, 1 as depth from folders
       union all select up.start, f.parent_id, up.depth + 1 from up join folders f on f.id = up.parent_id where up.depth < 200
     ) select count(distinct start) from up where depth >= 200`,
  );
  if (cycles > 0) broken.push(`folders: ${cycles} lie in a cycle`);
  return broken;
}

/** On these Coffer itself works in the background. */
const BACKGROUND = ['pki_syncs', 'secret_syncs', 'revocation_lists'];

/** The contents of an organization, by table, without its audit log and counters of uses. */
export async function fingerprintOf(pool: Pool, organizationId: string): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ table: string }>(
    `select c.table_name as table from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.column_name = 'organization_id' and c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and c.table_name not like 'audit%' and c.table_name <> all($1) order by 1`,
    [BACKGROUND],
  );
  const found = new Map<string, string>();
  for (const { table } of rows) {
    const { rows: sums } = await pool.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${table} t where organization_id = $1`,
      [organizationId],
    );
    found.set(table, sums[0]!.sum);
  }
  return found;
}
