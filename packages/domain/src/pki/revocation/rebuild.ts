import { z } from 'zod';
import { defineJob, enqueue, enqueueEach, firstInTurns, turnsOf } from '../../jobs/index.ts';
import { statement, type Transaction } from '../../kernel/index.ts';
import { rebuild, RENEWAL } from './list.ts';

/** Milliseconds: revocations within this window share one new list. */
const WINDOW = 5_000;
/** Milliseconds after which something that was revoked and is in no list was missed. */
const MISSED = 20_000;

interface OfKey {
  readonly organizationId: string;
  readonly caKeyId: string;
}

export const rebuildList = defineJob({
  name: 'revocation.rebuild_list',
  payload: z.object({ organizationId: z.string(), caKeyId: z.string() }),
  turns: turnsOf('crl'),
  run: (ctx, { caKeyId }) => rebuild(ctx, caKeyId),
});

/**
 * Enqueues one rebuild of the list at the end of the current window. Each window has its own job: with a single one,
 * continuous revocations would delay it forever.
 */
export function enqueueRebuild(tx: Transaction, { organizationId, caKeyId }: OfKey): void {
  const window = Math.floor(tx.now().getTime() / WINDOW) + 1;
  enqueue(tx, rebuildList, { organizationId, caKeyId }, jobOf(caKeyId, String(window), new Date(window * WINDOW)));
}

const jobOf = (caKeyId: string, which: string, runAt?: Date) => ({
  key: `crl:${caKeyId}:${which}`,
  maxAttempts: 5,
  ...(runAt && { runAt }),
});

/** The keys whose certificates are good, and whose lists are missing, a day old, or behind. */
const DUE = statement(
  'revocation_lists.due',
  firstInTurns({
    table: 'ca_keys',
    isDue: `exists (select 1 from ca_certificates c where c.ca_key_id = t.id and c.not_after > $1)
      and (not exists (select 1 from revocation_lists l where l.ca_key_id = t.id and l.this_update > $2)
        or exists (select 1 from revocation_entries e where e.ca_key_id = t.id and not e.is_listed
          and e.revoked_at <= $3))`,
    order: '(select l.this_update from revocation_lists l where l.ca_key_id = t.id) nulls first',
    most: 1_000,
  }),
);

/**
 * Once a minute: new lists before the old ones expire, the first ones of new keys, and jobs that were lost with a
 * process.
 */
export const dueLists = defineJob({
  name: 'revocation.due_lists',
  payload: z.object({}),
  schedule: '* * * * *',
  run: async (ctx) => {
    const now = ctx.now();
    const before = (ms: number) => new Date(now.getTime() - ms);
    const rows = await ctx.sql<{ id: string; organizationId: string }>(DUE, [now, before(RENEWAL), before(MISSED)]);
    const due = rows.map(({ id: caKeyId, organizationId }) => ({ organizationId, caKeyId }));
    await enqueueEach(ctx, rebuildList, due, ({ caKeyId }) => jobOf(caKeyId, 'due'));
  },
});
