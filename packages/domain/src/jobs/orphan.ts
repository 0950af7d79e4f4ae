import type { Pool } from 'pg';
import type { Log } from '../kernel/index.ts';

/** Milliseconds between checks for dead workers: a queue waits for the job of one, and in it the leases of others that end. */
const EVERY = 10_000;

/** Milliseconds between attempts to take the locks again. */
const AGAIN = 1_000;

/** Milliseconds for which a worker may say nothing: it is stopped, though its connection is there. */
const SILENCE = 60_000;

/** The database lets go of it with the connection, however the process ends. */
const HOLD = 'select pg_advisory_lock(hashtextextended($1, 0))';

/**
 * The queue itself waits four hours for a silent worker. One that holds no lock at two looks in a row has ended: others have just
 * started, or have lost their connection, and take their locks again before the second look.
 */
const FREE = `
  with free as materialized (
    select locked_by from (
      select distinct locked_by from graphile_worker.jobs where locked_by is not null) held
    where pg_try_advisory_xact_lock(hashtextextended(locked_by, 0))),
  ended as materialized (select array(select locked_by from free where locked_by = any($1::text[])) as workers)
  select array(select locked_by from free) as free, cardinality(workers) as ended,
    case when cardinality(workers) > 0 then graphile_worker.force_unlock_workers(workers) end
  from ended`;

/** Milliseconds. */
interface Pace {
  readonly silence?: number;
  readonly every?: number;
}

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
  { silence = SILENCE, every = EVERY }: Pace = {},
): Promise<() => void> {
  /** Lets go of the locks. */
  let held: Promise<() => void> | undefined;
  let isOver = false;
  let freeBefore: readonly string[] = [];
  const complain = (error: unknown) => log.warn({ err: error }, 'Jobs of stopped workers could not be looked for');
  // Others of the pool may be lost as well.
  const holdAgain = () => {
    if (isOver) return;
    hold().catch((error: unknown) => {
      complain(error);
      setTimeout(holdAgain, AGAIN).unref();
    });
  };
  const lost = () => {
    held = undefined;
    holdAgain();
  };
  const hold = () =>
    (held ??= holdAll(pool, workerIds, silence, lost).catch((error: unknown) => {
      held = undefined;
      throw error;
    }));
  const look = async () => {
    const release = await hold();
    if (isOver) return release();
    const before = freeBefore;
    freeBefore = [];
    const { rows } = await pool.query<{ free: string[]; ended: number }>(FREE, [before]);
    const { free, ended: workers } = rows[0]!;
    freeBefore = free;
    if (workers > 0) log.warn({ workers }, 'Jobs of stopped workers are requeued');
  };
  await look();
  let timer: NodeJS.Timeout;
  const lookLater = () => {
    timer = setTimeout(() => void look().catch(complain).finally(lookLater), every).unref();
    if (isOver) clearTimeout(timer);
  };
  lookLater();
  return () => {
    isOver = true;
    clearTimeout(timer);
    held?.then((release) => release()).catch(() => undefined);
  };
}

/** Holds the locks of the workers by one connection, until the returned function is called, or the connection is lost. */
async function holdAll(
  pool: Pool,
  workerIds: readonly string[],
  silence: number,
  lost: () => void,
): Promise<() => void> {
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
  return release;
}
