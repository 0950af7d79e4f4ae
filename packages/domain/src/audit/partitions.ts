import type { Pool } from 'pg';
import { databaseFault, doAgain, type Again } from '../kernel/index.ts';

/** The current month and the next ones have a partition each. */
const MONTHS_AHEAD = 2;
/**
 * Creates the partitions of this month and the next two, and of every month with events in the default partition.
 * Idempotent; processes may call it concurrently. Returns the names of the new ones.
 */
export async function ensurePartitions(pool: Pool, now: Date): Promise<string[]> {
  const made: string[] = [];
  for (const month of await missingMonths(pool, now)) {
    const isMade = await doAgain(PATIENTLY, () => call(pool, 'select audit_make_partition($1) as done', month));
    if (isMade) made.push(`audit_events_${month}`);
  }
  return made;
}

/** Drops empty partitions that ended more than a month ago. Returns their names. */
export async function dropEmptyPartitions(pool: Pool, now: Date): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'audit_events'::regclass and c.relname ~ '^audit_events_\\d{4}_\\d\\d$' and c.relname < $1 order by 1`,
    [nameOf(addMonths(now, -1))],
  );
  const dropped: string[] = [];
  for (const { name } of rows) {
    const isDropped = await call(pool, 'select audit_drop_partition($1) as done', name).catch(unlessBusy);
    if (isDropped) dropped.push(name);
  }
  return dropped;
}

/** The functions belong to the owner, who may alter the table; they return instead of waiting for a lock. */
async function call(pool: Pool, text: string, value: string): Promise<boolean> {
  const { rows } = await pool.query<{ done: boolean }>(text, [value]);
  return rows[0]!.done;
}

async function missingMonths(pool: Pool, now: Date): Promise<string[]> {
  const wanted = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => addMonths(now, ahead));
  const { rows } = await pool.query<{ month: string }>(
    `select m.month from (
       select unnest($1::text[]) as month
       union select distinct to_char(created_at at time zone 'UTC', 'YYYY_MM') from audit_events_default) m
     where to_regclass('audit_events_' || m.month) is null order by 1`,
    [wanted.map(monthOf)],
  );
  return rows.map(({ month }) => month);
}

const isBusy = (error: unknown): boolean => ['55P03', '40P01'].includes(databaseFault(error)?.sqlState ?? '');
/**
 * A change of partitions blocks writers for a moment, and gives up rather than delay them: each attempt waits for its lock for
 * 200 ms at most (`audit_make_partition`, `audit_drop_partition`).
 */
const PATIENTLY: Again = { attempts: 10, passes: isBusy, pauseMs: 200 };

function unlessBusy(error: unknown): false {
  if (isBusy(error)) return false;
  throw error;
}

const monthOf = (time: Date): string => time.toISOString().slice(0, 7).replace('-', '_');
const nameOf = (time: Date): string => `audit_events_${monthOf(time)}`;
const addMonths = (time: Date, months: number): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1));
