import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveSealed, auditSigningKey, parseRootKey } from '@coffer/domain';
import type { Pool } from 'pg';
import type { Stage } from './stage.ts';

/** Waits until every event is in a block of its chain. */
export async function allSealed(pool: Pool): Promise<void> {
  for (let open = 1; open > 0; await sleep(200)) {
    const { rows } = await pool.query<{ open: number }>(
      `select ((select count(*) from audit_events) - (select coalesce(sum(events), 0) from audit_blocks where kind = 'events'))::integer as open`,
    );
    open = rows[0]!.open;
  }
}

/** Moves all sealed events into segments, as the server does within the hour. Returns how many. */
export async function archiveAll(pool: Pool, { dataDir }: Pick<Stage, 'dataDir'>): Promise<number> {
  const rootKey = parseRootKey((await readFile(join(dataDir, 'root.key'), 'utf8')).trim());
  const signingKey = await auditSigningKey(pool, rootKey);
  const log = { debug: complain, info: complain, warn: complain, error: complain };
  const deps = { pool, signingKey, log, now: () => new Date() };
  return (await archiveSealed(deps, { age: 0, patience: Infinity })).events;
}

const complain = (_: object, text: string) => console.error(text);
