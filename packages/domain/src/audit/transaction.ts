import type { Pool, PoolClient } from 'pg';
import { PATIENTLY } from '../kernel/index.ts';

/** What the log's own upkeep needs; it runs beside the requests, with plain connections of the same pool. */
export type Connection = Pick<PoolClient, 'query'>;

/** Runs work in a transaction on a separate connection. */
export async function transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(`begin; ${PATIENTLY}`);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((fault: Error) => {
      broken = fault;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * An advisory lock for changes of the chains of events. The next number, 0x0c0f_fe22, is for changes of the partitions
 * (migrations/0036-database-roles.ts).
 */
export const CHAIN_LOCK = 0x0c0f_fe21;
