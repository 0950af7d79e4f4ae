import type { Pool, PoolClient } from 'pg';

type Connection = Pick<PoolClient, 'query'>;

/** The schema of the job queue, whose tables hide their rows from everybody but their owner. */
const JOBS = 'graphile_worker';

const EVERYTHING = ['select', 'insert', 'update', 'delete'];

/** The privileges of the serving role on a table or view; all privileges if it is not listed. */
const LESS: Readonly<Record<string, readonly string[]>> = {
  // Append-only. The database itself sets the transaction and epoch of an event.
  audit_events: [
    'select',
    `insert (id, organization_id, project_id, type, published, actor_type, actor_id, actor, ip_address, user_agent,
       user_agent_type, request_id, data, created_at)`,
  ],
  // Looked into for months that lack a partition.
  audit_events_default: ['select'],
  // A key's owner, organization, hash and end never change.
  user_api_keys: ['select', 'insert', 'delete', 'update (last_used_at)'],
  audit_blocks: ['select', 'insert'],
  // Written by functions, which ask for a proof.
  audit_segments: ['select'],
  audit_volume: ['select', 'update (warned_at)'],
  audit_organization_volumes: ['select'],
  audit_archive_key: [],
  audit_cursor: ['select', 'update', 'delete'],
  schema_migrations: ['select'],
  // One row, inserted by a migration.
  rate_limits: ['select', 'update'],
  [`${JOBS}.migrations`]: ['select'],
};

const FUNCTIONS = [
  'audit_make_partition(text)',
  'audit_drop_partition(text)',
  'audit_expire(uuid, uuid, timestamptz, integer)',
  'audit_forget_blocks(uuid, bigint, bigint)',
  'audit_begin_epoch(uuid)',
  'audit_is_proven(bytea, bytea)',
  'audit_store_segment(uuid, bigint, bigint, text, bytea, bytea, bytea)',
  'audit_release(uuid, bigint, bytea)',
];

/**
 * Tables and views with the privileges of a role, without partitions except the default one: they are accessed through
 * their parent.
 */
const GRANTED = `
  select n.nspname as schema, c.relname as name, quote_ident(n.nspname) || '.' || quote_ident(c.relname) as place,
    c.relrowsecurity and not exists (select 1 from pg_policy p where p.polrelid = c.oid) as "hidesRows",
    array(select lower(a.privilege_type) from aclexplode(c.relacl) a where a.grantee = $1::regrole order by 1) as held,
    exists (select 1 from pg_attribute t, aclexplode(t.attacl) a
      where t.attrelid = c.oid and a.grantee = $1::regrole) as "holdsColumns"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in (current_schema(), '${JOBS}') and c.relkind in ('r', 'p', 'v')
    and (not c.relispartition or c.relname like '%_default')
  order by 1, 2`;

interface Granted {
  schema: string;
  name: string;
  place: string;
  hidesRows: boolean;
  held: string[];
  holdsColumns: boolean;
}

/**
 * Grants the serving role what it needs, and revokes the rest: it reads and writes rows, appends to the audit log, and
 * cannot create, alter or drop anything. Idempotent. Called by the owner after each migration, under its lock.
 */
export async function grantServing(owner: Connection, role: string): Promise<void> {
  const { rows } = await owner.query<Granted>(GRANTED, [role]);
  const statements = rows.flatMap((table) => corrections(table, role));
  const { rows: general } = await owner.query<{
    lacks: boolean;
    mayCreate: boolean;
    schema: string;
    database: string;
  }>(
    `select quote_ident(current_schema()) as schema, quote_ident(current_database()) as database,
       not has_schema_privilege($1, '${JOBS}', 'usage') or not has_schema_privilege($1, current_schema(), 'usage')
         or exists (select 1 from unnest($2::text[]) f where not has_function_privilege($1, f, 'execute'))
         or exists (select 1 from pg_class c where c.relnamespace in (current_schema()::regnamespace, '${JOBS}'::regnamespace)
           and case when c.relkind = 'S' then not has_sequence_privilege($1, c.oid, 'usage') end) as lacks,
       has_schema_privilege($1, current_schema(), 'create')
         or has_database_privilege($1, current_database(), 'temporary') as "mayCreate"`,
    [role, FUNCTIONS],
  );
  const { lacks, mayCreate, schema, database } = general[0]!;
  if (lacks)
    statements.push(
      `grant usage on schema ${schema}, ${JOBS} to ${quoted(role)}`,
      `grant usage, select on all sequences in schema ${schema}, ${JOBS} to ${quoted(role)}`,
      `grant execute on all functions in schema ${JOBS} to ${quoted(role)}`,
      `grant execute on function ${FUNCTIONS.join(', ')} to ${quoted(role)}`,
    );
  if (mayCreate)
    statements.push(
      `revoke create on schema ${schema} from public, ${quoted(role)}`,
      `revoke temporary on database ${database} from public, ${quoted(role)}`,
    );
  if (statements.length > 0) await owner.query(`begin; ${statements.join('; ')}; commit`);
}

function corrections({ schema, name, place, hidesRows, held, holdsColumns }: Granted, role: string): string[] {
  const wanted = LESS[schema === JOBS ? `${JOBS}.${name}` : name] ?? EVERYTHING;
  const whole = wanted.filter((privilege) => !privilege.includes('(')).toSorted();
  const isRight = whole.join() === held.join() && holdsColumns === wanted.length > whole.length;
  return [
    // Every user of the queue sees all of it.
    ...(hidesRows ? [`create policy granted on ${place} using (true) with check (true)`] : []),
    ...(isRight
      ? []
      : [
          `revoke all on ${place} from ${quoted(role)}`,
          ...(wanted.length > 0 ? [`grant ${wanted.join(', ')} on ${place} to ${quoted(role)}`] : []),
        ]),
  ];
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The unneeded privileges of the role of these connections, for a warning. */
export async function excessOf(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<Record<string, boolean>>(
    `select rolsuper as "is a superuser", rolcreaterole as "may create roles", rolreplication as "may replicate",
       rolbypassrls as "bypasses row security",
       coalesce((select pg_has_role(c.relowner, 'member') from pg_class c where c.oid = to_regclass('audit_events')), false)
         as "owns the audit log"
     from pg_roles where rolname = current_user`,
  );
  return Object.entries(rows[0] ?? {}).flatMap(([what, is]) => (is ? [what] : []));
}
