import { z } from 'zod';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { inTransaction, statement } from '../../kernel/index.ts';
import { CLAIM, enqueueDelivery, PRIORITY, type Due } from './deliver.ts';
import { collectDeliveries } from './collect.ts';

/** Makes the deliveries of one project. */
export const collectJob = defineJob({
  name: 'webhook.collect',
  payload: z.object({ organizationId: z.string(), projectId: z.string() }),
  run: collectDeliveries,
});

/** What is due and not under way: those who were at it may be gone. */
const ORPHANED = statement(
  'webhooks.orphaned',
  `select w.id as "webhookId", w.organization_id as "organizationId", w.rests_until as "restsUntil" from webhooks w
   where not w.is_disabled and (w.claimed_until is null or w.claimed_until <= $1)
     and (w.rests_until is null or w.rests_until <= $1)
     and exists (select 1 from webhook_deliveries d where d.webhook_id = w.id and d.created_at <= $2)
   limit 1000`,
);
const BEHIND = statement(
  'webhook_cursors.behind',
  `select c.project_id as "projectId", c.organization_id as "organizationId" from webhook_cursors c
   join project_revisions r on r.project_id = c.project_id where r.revision > c.revision limit 1000`,
);

/** Takes up, once a minute, what was lost with a process. */
export const orphanedWebhooks = defineJob({
  name: 'webhook.orphaned',
  formerNames: ['webhook.forgotten'],
  payload: z.object({}),
  schedule: '* * * * *',
  run: async (ctx) => {
    const now = ctx.now();
    const due = await ctx.sql<Due>(ORPHANED, [now, new Date(now.getTime() - CLAIM)]);
    const behind = await ctx.sql<{ projectId: string; organizationId: string }>(BEHIND, []);
    await inTransaction(ctx, async (tx) => {
      for (const one of due) enqueueDelivery(tx, one);
      for (const one of behind)
        enqueue(tx, collectJob, one, { key: `webhooks:${one.projectId}`, priority: PRIORITY, maxAttempts: 3 });
    });
  },
});
