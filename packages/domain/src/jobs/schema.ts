import type { Pool } from 'pg';

/** What the schema of the job queue is recorded as; another release of graphile-worker is another name. */
export const JOBS_MIGRATION = 'graphile-worker-0.18.0';

/** Creates the schema of the job queue. Loading the library takes 100 ms, so this runs only when needed. */
export async function migrateJobs(pool: Pool): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker');
  // The library warns about a pool without an error handler.
  const ignore = () => undefined;
  pool.on('error', ignore).on('connect', ignore);
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => ignore) });
  } finally {
    pool.off('error', ignore).off('connect', ignore);
  }
}
