import type { Pool } from 'pg';
import { expect, vi } from 'vitest';

/** A table with work that is claimed, as its `WorkTable` describes it. */
export interface KilledWork {
  readonly table: string;
  /** The column with the time when a row is due. */
  readonly due: string;
  /** The column with the end of a claim. */
  readonly claimedUntil: string;
  /** What the keys of its jobs begin with, before the colon. */
  readonly key: string;
}

/** Milliseconds that work may take, with its retries. */
const PATIENCE = 240_000;

const CONNECTIONS = `select pid, query from pg_stat_activity where datname = current_database() and application_name like 'coffer%'`;
const UNLOCK = `select graphile_worker.force_unlock_workers(array(
  select locked_by from graphile_worker._private_jobs where locked_by is not null
  union select locked_by from graphile_worker._private_job_queues where locked_by is not null))`;

/** Waits until the statements of a killed server have ended in its database, or in another one that it called. */
export const connectionsEnded = (database: Pool): Promise<void> =>
  expect.poll(async () => (await database.query(CONNECTIONS)).rows).toEqual([]);

/**
 * As long after a kill as claims and locks last: what the killed server had is free again. To be called before the next server
 * starts, whose claims are left alone.
 */
export async function freeKilled(database: Pool, work: Pick<KilledWork, 'table' | 'claimedUntil'>): Promise<void> {
  await connectionsEnded(database);
  await database.query(UNLOCK);
  await database.query(`update ${work.table} set ${work.claimedUntil} = now() where ${work.claimedUntil} is not null`);
}

/**
 * Lets the time pass until retries are due, and waits until no row fulfils `isLeft`. What the running server works at is
 * left alone, however long that takes.
 */
export async function settleKilled(database: Pool, work: KilledWork, isLeft: string): Promise<void> {
  const { table, due, claimedUntil, key } = work;
  const left = async () => {
    const { rows } = await database.query<{ id: string; free: boolean }>(
      `select id, ${claimedUntil} is null or ${claimedUntil} <= now() as free from ${table} where ${isLeft}`,
    );
    const free = rows.filter((row) => row.free).map(({ id }) => id);
    await database.query(
      `update ${table} set ${due} = now()
       where id = any($1::uuid[]) and ${due} > now() and (${claimedUntil} is null or ${claimedUntil} <= now())`,
      [free],
    );
    // Also one whose attempts are used up, as rows get a new job that have lost theirs.
    await database.query(
      `update graphile_worker._private_jobs set run_at = now(), attempts = 0
       where key = any($1) and locked_at is null and (run_at > now() or attempts >= max_attempts)`,
      [free.map((id) => `${key}:${id}`)],
    );
    return rows.length;
  };
  await vi.waitUntil(async () => (await left()) === 0, { timeout: PATIENCE, interval: 200 });
}
