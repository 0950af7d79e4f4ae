import { z } from 'zod';
import { defineJob, enqueueEach, turnsOf } from '../../jobs/index.ts';
import { statement } from '../../kernel/index.ts';
import { PRIORITY, webhooks } from './deliver.ts';
import { collectDeliveries } from './collect.ts';

/** Creates the deliveries of one project. */
export const collectJob = defineJob({
  name: 'webhook.collect',
  payload: z.object({ organizationId: z.string(), projectId: z.string() }),
  turns: turnsOf('webhook.collect'),
  run: collectDeliveries,
});

/** First one of each organization: what others have does not keep anybody's out. */
const BEHIND = statement(
  'webhook_cursors.behind',
  `select b.project_id as "projectId", b.organization_id as "organizationId" from (
     select c.project_id, c.organization_id, row_number() over (partition by c.organization_id order by random()) as turn
     from webhook_cursors c join project_revisions r on r.project_id = c.project_id where r.revision > c.revision) b
   order by b.turn, random() limit 1000`,
);

/** Requeues, once a minute, what was lost with a process. */
export const orphanedWebhooks = defineJob({
  name: 'webhook.orphaned',
  formerNames: ['webhook.forgotten'],
  payload: z.object({}),
  schedule: '* * * * *',
  run: async (ctx) => {
    await webhooks.requeueOrphaned(ctx);
    const behind = await ctx.sql<{ projectId: string; organizationId: string }>(BEHIND, []);
    await enqueueEach(ctx, collectJob, behind, ({ projectId }) => ({
      key: `webhooks:${projectId}`,
      priority: PRIORITY,
      maxAttempts: 3,
    }));
  },
});
