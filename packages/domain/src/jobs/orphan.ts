import type { Pool } from 'pg';
import type { Log } from '../kernel/index.ts';

/** Milliseconds between checks for dead workers: a queue waits for the job of one, and in it the leases of others that end. */
const EVERY = 10_000;

/** Milliseconds for which a worker may say nothing: it is stopped, though its connection is there. */
const SILENCE = 60_000;

/** The database lets go of it with the connection, however the process ends. */
const HOLD = 'select pg_advisory_lock(hashtextextended($1, 0))';

/**
 * The queue itself waits four hours for a silent worker. A quarter of a minute is enough for workers that have just started, and
 * for reconnecting.
 */
const FREE = `
  with ended as materialized (
    select locked_by from (
      select distinct locked_by from graphile_worker.jobs where locked_at < now() - interval '15 seconds') held
    where pg_try_advisory_xact_lock(hashtextextended(locked_by, 0)))
  select graphile_worker.force_unlock_workers(array(select locked_by from ended)), (select count(*)::int from ended) as workers
  where exists (select from ended)`;

/**
 * Announces that this process's worker is alive, and releases the jobs of killed workers. `pool` has a connection for
 * this; `workerIds` are known once the worker runs.
 *
 * @returns A function that stops it.
 */
export async function watchOrphans(
  pool: Pool,
  workerIds: readonly string[],
  log: Log,
  silence = SILENCE,
): Promise<() => void> {
  let held: Held | undefined;
  let isOver = false;
  const look = async () => {
    held ??= await holdAll(pool, workerIds, silence, () => (held = undefined));
    if (isOver) return held.release();
    const { rows } = await pool.query<{ workers: number }>(FREE);
    for (const { workers } of rows) log.warn({ workers }, 'Jobs of stopped workers are requeued');
  };
  await look();
  const timer = setInterval(
    () =>
      void look().catch((error: unknown) =>
        log.warn({ err: error }, 'Jobs of stopped workers could not be looked for'),
      ),
    EVERY,
  ).unref();
  return () => {
    isOver = true;
    clearInterval(timer);
    held?.release();
  };
}

/** The connection that holds the locks of the workers. */
interface Held {
  release(): void;
}

async function holdAll(pool: Pool, workerIds: readonly string[], silence: number, lost: () => void): Promise<Held> {
  const client = await pool.connect();
  try {
    await client.query(`set idle_session_timeout = ${silence}`);
    for (const id of workerIds) await client.query(HOLD, [id]);
  } catch (error) {
    client.release(true);
    throw error;
  }
  let isReleased = false;
  // A failure is the end of the connection.
  const alive = setInterval(() => void client.query('select 1').catch(() => undefined), silence / 3).unref();
  const release = () => {
    clearInterval(alive);
    // The pool counts a connection that was lost until it is given back.
    if (isReleased) return;
    isReleased = true;
    client.release(true);
  };
  client.once('end', () => {
    release();
    lost();
  });
  return { release };
}
