import { shareOf } from '@coffer/domain/offline';
import type { Config } from '../config.ts';
import { MIN_PLACES, MIN_POOL } from '../config/workers.ts';

/** The configuration of one worker: all together have what one process would have, and each enough to share it fairly. */
export const configOfWorker = (config: Config, workers: number): Config => ({
  ...config,
  COFFER_DATABASE_POOL: shareOf(config.COFFER_DATABASE_POOL, workers, MIN_POOL),
  // One process works on as few as the operator wants.
  ...(workers > 1 && { COFFER_CONCURRENCY: shareOf(config.COFFER_CONCURRENCY, workers, MIN_PLACES) }),
});

/** Connections beside the pool: of the job queue, which one process has; for invalidations and uses of keys, in each. */
const OF_JOBS = 7;
const OF_EACH = 2;

/** The connections to the database of all workers together, while one more is replacing another. */
export function connectionsOf(config: Config): number {
  const workers = config.COFFER_WORKERS;
  const together = config.COFFER_DATABASE_POOL + OF_JOBS + OF_EACH * workers;
  return workers === 1 ? together : together + configOfWorker(config, workers).COFFER_DATABASE_POOL + OF_JOBS + OF_EACH;
}
