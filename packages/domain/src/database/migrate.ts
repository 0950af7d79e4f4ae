import type { Pool, PoolClient } from 'pg';
import { JOBS_MIGRATION, migrateJobs } from '../jobs/index.ts';
import { migrations } from '../migrations/index.ts';
import { grantServing } from './roles.ts';

/** The advisory lock of migrations: one process migrates, the others wait. */
const MIGRATION_LOCK = 0x0c0f_fe20;

/**
 * Migrates the schema to this release. Each migration runs in a transaction with the row that records it, so that a
 * killed migration is rolled back and the next start continues. Returns the names of the migrations that ran.
 *
 * @param servingRole A role other than the pool's, which is granted what serving needs (`grantServing`).
 */
export async function migrate(pool: Pool, servingRole?: string): Promise<string[]> {
  const client = await pool.connect();
  try {
    if (servingRole === undefined && (await isMigrated(client))) return [];
    // Other processes migrate as long as it takes.
    await client.query('set lock_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`create table if not exists schema_migrations (
      name text primary key, ran_at timestamptz(3) not null default now())`);
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
    const done = new Set(rows.map((row) => row.name));
    const ran: string[] = [];
    for (const { name, sql } of migrations) {
      if (done.has(name)) continue;
      await client.query('begin');
      await client.query(sql);
      await client.query('insert into schema_migrations (name) values ($1)', [name]);
      await client.query('commit');
      ran.push(name);
    }
    if (!done.has(JOBS_MIGRATION)) {
      await migrateJobs(pool);
      await client.query('insert into schema_migrations (name) values ($1)', [JOBS_MIGRATION]);
      ran.push(JOBS_MIGRATION);
    }
    if (servingRole !== undefined) await grantServing(client, servingRole);
    return ran;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await client.query('select pg_advisory_unlock_all(); reset lock_timeout').catch(() => undefined);
    client.release();
  }
}

/**
 * Checks first, so that a role without the right to create tables can serve a database that another role has migrated.
 */
async function isMigrated(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ known: boolean }>(
    `select to_regclass('schema_migrations') is not null as known`,
  );
  if (!rows[0]!.known) return false;
  const { rows: ran } = await client.query<{ name: string }>('select name from schema_migrations');
  const done = new Set(ran.map(({ name }) => name));
  return [...migrations.map(({ name }) => name), JOBS_MIGRATION].every((name) => done.has(name));
}
