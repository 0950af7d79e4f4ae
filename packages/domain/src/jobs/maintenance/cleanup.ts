import { z } from 'zod';
import { KNOWN_CLIENT_SECONDS } from '../../access/index.ts';
import { statement, type Context } from '../../kernel/index.ts';
import { defineJob } from '../job.ts';

/** Expired rows are kept for a day, for diagnosis. */
const KEPT_MS = 86_400_000;
const BATCH = 5_000;

const remove = (table: string, condition: string) =>
  statement(
    `cleanup.${table}`,
    `delete from ${table} where ctid in (select ctid from ${table} where ${condition} limit ${BATCH}) returning 1`,
  );

/** `$1` is the time before which something has finally expired. */
const REMOVALS = [
  remove('user_access_tokens', 'expires_at < $1'),
  remove('user_sessions', 'expires_at < $1'),
  remove('user_api_keys', 'expires_at < $1'),
  remove('password_resets', 'expires_at < $1'),
  remove('sign_up_codes', 'expires_at < $1'),
  remove('command_line_codes', 'expires_at < $1'),
  remove('identity_access_tokens', 'expires_at < $1 and (previous_expires_at is null or previous_expires_at < $1)'),
  remove('used_login_proofs', 'expires_at < $1'),
  remove('known_clients', `last_seen_at < $1::timestamptz - interval '${KNOWN_CLIENT_SECONDS} seconds'`),
  remove('daily_counts', 'day < $1::date'),
  remove('lockouts', 'last_failure_at < $1 and (locked_until is null or locked_until < $1)'),
  // The log has the outcome; the content is not kept longer than needed.
  statement(
    'cleanup.failed_jobs',
    `select 1 from graphile_worker.complete_jobs(array(select id from graphile_worker.jobs
       where attempts >= max_attempts and locked_at is null and updated_at < $1 limit ${BATCH}))`,
  ),
];

/** Deletes expired rows, and jobs that have finally failed. Not time-critical: expiry is checked at every use. */
export async function removeExpired(ctx: Context): Promise<number> {
  const before = new Date(ctx.now().getTime() - KEPT_MS);
  let removed = 0;
  for (const removal of REMOVALS) {
    for (;;) {
      const rows = await ctx.sql(removal, [before]);
      removed += rows.length;
      if (rows.length < BATCH) break;
    }
  }
  return removed;
}

export const cleanup = defineJob({
  name: 'cleanup.expired',
  payload: z.object({}),
  schedule: '37 * * * *',
  run: async (ctx) => {
    const removed = await removeExpired(ctx);
    if (removed > 0) ctx.log.info({ removed }, 'Expired tokens, sessions, lock-outs and failed jobs were removed');
  },
});
