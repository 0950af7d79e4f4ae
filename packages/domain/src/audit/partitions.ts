import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { databaseFault } from '../kernel/index.ts';
import { PARTITION_LOCK, transaction, type Connection } from './transaction.ts';

/** This month and the next ones have a partition each. */
const MONTHS_AHEAD = 2;
/** Changing partitions stops writers for a moment; where it would have to wait longer for its turn, it gives way. */
const LOCK_TIMEOUT = '200ms';
const ATTEMPTS = 10;
const PAUSE_MS = 200;

/**
 * Makes the partitions of this month and the next two, and of every month whose events lie in the default partition.
 * Changes nothing where they are there; any number of processes may call it at once. Answers the names of those made.
 */
export async function ensurePartitions(pool: Pool, now: Date): Promise<string[]> {
  const made: string[] = [];
  for (const month of await missingMonths(pool, now)) {
    const isMade = await patiently(() => transaction(pool, (client) => makePartition(client, month)));
    if (isMade) made.push(nameOf(month));
  }
  return made;
}

/** Drops partitions that ended more than a month ago and hold nothing any more. Answers their names. */
export async function dropEmptyPartitions(pool: Pool, now: Date): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'audit_events'::regclass and c.relname ~ '^audit_events_\\d{4}_\\d\\d$' and c.relname < $1 order by 1`,
    [nameOf(addMonths(now, -1))],
  );
  const dropped: string[] = [];
  for (const { name } of rows) {
    const isDropped = await transaction(pool, (client) => dropIfEmpty(client, name)).catch(unlessBusy);
    if (isDropped) dropped.push(name);
  }
  return dropped;
}

async function missingMonths(pool: Pool, now: Date): Promise<Date[]> {
  const wanted = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => addMonths(now, ahead));
  const { rows } = await pool.query<{ month: string }>(
    `select m.month from (
       select unnest($1::text[]) as month
       union select distinct to_char(created_at at time zone 'UTC', 'YYYY_MM') from audit_events_default) m
     where to_regclass('audit_events_' || m.month) is null order by 1`,
    [wanted.map(monthOf)],
  );
  return rows.map(({ month }) => new Date(`${month.replace('_', '-')}-01T00:00:00.000Z`));
}

async function makePartition(client: Connection, month: Date): Promise<boolean> {
  const name = nameOf(month);
  const range = [month.toISOString(), addMonths(month, 1).toISOString()] as const;
  await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
  await client.query(`select pg_advisory_xact_lock(${PARTITION_LOCK})`);
  // The catalogue as a table: what a function says of it may be older than the lock.
  const { rowCount } = await client.query(
    `select 1 from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_events'::regclass and c.relname = $1`,
    [name],
  );
  if (rowCount) return false;
  // Attaching locks the default partition in any case; locked from the start, nothing slips into it meanwhile.
  await client.query('lock table audit_events_default in access exclusive mode');
  await client.query(`create table ${name} (like audit_events including all)`);
  await client.query(
    `with moved as (delete from audit_events_default where created_at >= $1 and created_at < $2 returning *)
     insert into ${name} select * from moved`,
    [...range],
  );
  await client.query(
    `alter table audit_events attach partition ${name} for values from ('${range[0]}') to ('${range[1]}')`,
  );
  return true;
}

async function dropIfEmpty(client: Connection, name: string): Promise<boolean> {
  const isEmpty = async () => {
    const { rows } = await client.query<{ used: boolean }>(`select exists (select 1 from ${name}) as used`);
    return rows[0]?.used === false;
  };
  if (!(await isEmpty())) return false;
  await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
  await client.query(`select pg_advisory_xact_lock(${PARTITION_LOCK})`);
  await client.query(`lock table only audit_events in access exclusive mode`);
  if (!(await isEmpty())) return false;
  await client.query(`drop table ${name}`);
  return true;
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

const isBusy = (error: unknown): boolean => ['55P03', '40P01'].includes(databaseFault(error)?.sqlState ?? '');

function unlessBusy(error: unknown): false {
  if (isBusy(error)) return false;
  throw error;
}

const monthOf = (time: Date): string => time.toISOString().slice(0, 7).replace('-', '_');
const nameOf = (time: Date): string => `audit_events_${monthOf(time)}`;
const addMonths = (time: Date, months: number): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1));
