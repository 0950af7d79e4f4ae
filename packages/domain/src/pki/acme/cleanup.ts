import { z } from 'zod';
import { defineJob } from '../../jobs/index.ts';
import { statement, type Context } from '../../kernel/index.ts';

const BATCH = 5_000;
/** Failed orders are kept this long for diagnosis; milliseconds. */
const KEPT = 7 * 86_400_000;

const NONCES = statement(
  'acme_nonces.clean',
  `delete from acme_nonces where ctid in
     (select ctid from acme_nonces where expires_at < $1 limit ${BATCH}) returning 1`,
);
const ORDERS = statement(
  'acme_orders.clean',
  `delete from acme_orders where ctid in
     (select ctid from acme_orders where status <> 'valid' and expires_at < $1 limit ${BATCH}) returning 1`,
);

/**
 * Deletes expired nonces and old failed orders.
 *
 * @returns Their number.
 */
export async function removeOverAcme(ctx: Context): Promise<number> {
  const now = ctx.now().getTime();
  let removed = 0;
  for (const [removal, before] of [
    [NONCES, new Date(now)],
    [ORDERS, new Date(now - KEPT)],
  ] as const) {
    for (;;) {
      const { length } = await ctx.sql(removal, [before]);
      removed += length;
      if (length < BATCH) break;
    }
  }
  return removed;
}

export const acmeCleanup = defineJob({
  name: 'acme.cleanup',
  payload: z.object({}),
  schedule: '13 * * * *',
  run: async (ctx) => void (await removeOverAcme(ctx)),
});
