import type { Pool } from 'pg';

/** What the schema of the job queue is recorded as; another release of graphile-worker is another name. */
export const JOBS_MIGRATION = 'graphile-worker-0.18.0';

/** Makes the schema of the job queue. Loading the library takes a tenth of a second, so that this runs only when due. */
export async function migrateJobs(pool: Pool): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker');
  // The library complains of a pool that would fall with one of its connections.
  const ignore = () => undefined;
  pool.on('error', ignore).on('connect', ignore);
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => ignore) });
  } finally {
    pool.off('error', ignore).off('connect', ignore);
  }
}
