import { hostname } from 'node:os';
import { z } from 'zod';
import { atOrNull, Instant, statement, type Context } from '../kernel/index.ts';
import { requireSuperAdmin } from '../users/user/index.ts';

const Bytes = z.number().describe('Bytes');

/** How one process and the database are, for the administrators of the instance. */
export const InstanceOverview = z.object({
  takenAt: Instant,
  process: z
    .object({
      id: z.string().describe('Its machine, and its process ID there'),
      startedAt: Instant,
      resident: Bytes,
      heapUsed: Bytes,
      external: Bytes,
    })
    .describe('The process that answers; others serve the same port where COFFER_WORKERS is set'),
  database: z.object({
    bytes: Bytes,
    version: z.string(),
    connections: z.int().describe('Open connections to this database, of all clients'),
    maxConnections: z.int().describe('Of the whole server'),
    tables: z
      .array(z.object({ name: z.string(), bytes: Bytes, rows: z.number().describe('As the statistics have it') }))
      .describe('The largest ones, with their indexes'),
  }),
  jobs: z
    .array(
      z.object({
        task: z.string(),
        due: z.int().describe('Ready to run'),
        later: z.int().describe('To run later: scheduled, or tried again'),
        running: z.int(),
        failed: z.int().describe('Given up; kept for a day'),
        oldestDueAt: Instant.nullable(),
      }),
    )
    .describe('Background jobs in the queue, by task'),
  keys: z.object({
    organizations: z.int().describe('Organizations with keys'),
    active: z.int(),
    retired: z.int().describe('Replaced, and not destroyed yet'),
    changedAt: Instant.nullable().describe('The last change of any key'),
    rotations: z
      .array(
        z.object({
          organizationId: z.string(),
          organizationName: z.string(),
          staged: z.int().describe('New keys that are being distributed'),
          replaced: z.int().describe('Older keys under which values are still sealed'),
          done: z.int().describe('Keys whose values are all sealed under a new one'),
        }),
      )
      .describe('Unfinished rotations'),
  }),
});
export type InstanceOverview = z.output<typeof InstanceOverview>;

const DATABASE = statement(
  'instance.database',
  `select pg_database_size(current_database())::float8 as bytes, current_setting('server_version') as version,
     (select count(*)::int from pg_stat_activity
       where datid = (select oid from pg_database where datname = current_database())) as connections,
     current_setting('max_connections')::int as "maxConnections"`,
);

const TABLES = statement(
  'instance.tables',
  `select relname as name, pg_total_relation_size(oid)::float8 as bytes, greatest(reltuples, 0)::float8 as rows
   from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' order by 2 desc, 1 limit 12`,
);

const JOBS = statement(
  'instance.jobs',
  `select task_identifier as task,
     count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now())::int as due,
     count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now())::int as later,
     count(*) filter (where locked_at is not null)::int as running,
     count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed,
     min(run_at) filter (where locked_at is null and attempts < max_attempts and run_at <= now()) as "oldestDueAt"
   from graphile_worker.jobs group by 1 order by 1 limit 200`,
);

const KEYS = statement(
  'instance.keys',
  `select count(distinct organization_id)::int as organizations, count(*) filter (where state = 'active')::int as active,
     count(*) filter (where state = 'retired')::int as retired, max(changed_at) as "changedAt" from data_keys`,
);

/** An owner of keys, the organization or a project, has one active version where nothing is rotated. */
const ROTATIONS = statement(
  'instance.rotations',
  `select o.id as "organizationId", o.name as "organizationName", sum(k.staged)::int as staged,
     sum(greatest(k.active - 1, 0))::int as replaced, count(*) filter (where k.active = 1 and k.staged = 0)::int as done
   from (select organization_id, project_id, count(*) filter (where state = 'staged') as staged,
       count(*) filter (where state = 'active') as active from data_keys group by 1, 2) k
   join organizations o on o.id = k.organization_id
   group by o.id, o.name having sum(k.staged) > 0 or max(k.active) > 1 order by o.name, o.id limit 100`,
);

interface DatabaseRow {
  readonly bytes: number;
  readonly version: string;
  readonly connections: number;
  readonly maxConnections: number;
}
interface TableRow {
  readonly name: string;
  readonly bytes: number;
  readonly rows: number;
}
interface JobRow {
  readonly task: string;
  readonly due: number;
  readonly later: number;
  readonly running: number;
  readonly failed: number;
  readonly oldestDueAt: string | null;
}
interface KeysRow {
  readonly organizations: number;
  readonly active: number;
  readonly retired: number;
  readonly changedAt: string | null;
}
type RotationRow = InstanceOverview['keys']['rotations'][number];

/** @throws DomainError 403 unless the caller administers the instance. */
export async function instanceOverview(ctx: Context): Promise<InstanceOverview> {
  requireSuperAdmin(ctx);
  const [database] = await ctx.sql<DatabaseRow>(DATABASE, []);
  const tables = await ctx.sql<TableRow>(TABLES, []);
  const jobs = await ctx.sql<JobRow>(JOBS, []);
  const [keys] = await ctx.sql<KeysRow>(KEYS, []);
  const rotations = await ctx.sql<RotationRow>(ROTATIONS, []);
  const { rss: resident, heapUsed, external } = process.memoryUsage();
  return {
    takenAt: ctx.now(),
    process: {
      id: `${hostname()} ${process.pid}`,
      startedAt: new Date(ctx.now().getTime() - process.uptime() * 1000),
      resident,
      heapUsed,
      external,
    },
    database: { ...database!, tables },
    jobs: jobs.map((job) => ({ ...job, oldestDueAt: atOrNull(job.oldestDueAt) })),
    keys: { ...keys!, changedAt: atOrNull(keys!.changedAt), rotations },
  };
}
