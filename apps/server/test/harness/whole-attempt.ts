import { vi } from 'vitest';
import type { TestServer } from './test-server.ts';

/**
 * Runs the job of a row, with what the job leaves to the background after a second. A claim that was there before is of
 * another worker, and one that has lapsed of a killed one; neither is waited for.
 */
export async function wholeAttempt(
  { coffer }: TestServer,
  table: string,
  id: string,
  job: () => Promise<unknown>,
): Promise<void> {
  const claim = async (): Promise<string | null> => {
    const { rows } = await coffer.pool.query<{ claim_id: string | null }>(
      `select case when claimed_until > $2 then claim_id end as claim_id from ${table} where id = $1`,
      [id, coffer.now()],
    );
    return rows[0]?.claim_id ?? null;
  };
  const before = await claim();
  await job();
  await vi.waitUntil(async () => [null, before].includes(await claim()), { timeout: 60_000, interval: 20 });
}
