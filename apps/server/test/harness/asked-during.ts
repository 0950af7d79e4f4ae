import { expect } from 'vitest';
import type { Answer, TestServer } from './test-server.ts';

export type StatementWithValues = readonly [text: string, values: unknown[]];

/** Asks for something that waits for these changes; what is done meanwhile comes before they are committed. */
export async function askedDuring(
  { coffer: { pool } }: TestServer,
  changes: readonly StatementWithValues[],
  ask: () => Promise<Answer>,
  meanwhile?: () => Promise<unknown>,
): Promise<Answer> {
  const changing = await pool.connect();
  try {
    await changing.query('begin');
    for (const [text, values] of changes) await changing.query(text, values);
    const asked = ask();
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
    await meanwhile?.();
    await changing.query('commit');
    return await asked;
  } finally {
    changing.release();
  }
}
