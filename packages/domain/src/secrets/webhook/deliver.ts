import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { BACKOFF, backoff, defineJob, enqueue } from '../../jobs/index.ts';
import { at, inTransaction, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { SecretActor } from '../commit/index.ts';
import { callWebhook, type Callee } from './call.ts';
import type { Message } from './message.ts';

const RETRY = { ...BACKOFF, firstMs: 5_000 };
/** Then the delivery is given up: that is after most of a day. The next one has its turn an hour later. */
const MAX_FAILURES = 30;
/** Deliveries that one job makes, and milliseconds after which it begins no other, before others have their turn. */
const BATCH = 20;
const TURN = 5_000;
/** Milliseconds after which what was claimed is anybody's again: longer than a call may take. */
export const CLAIM = 60_000;
/** Behind what people wait for, and behind mail; those that fail last of all. */
export const PRIORITY = 10;
const LATER = 20;

/** Tells one webhook what waits for it, in order. */
export const webhookJob = defineJob({
  name: 'webhook.deliver',
  payload: z.object({ organizationId: z.string(), webhookId: z.string() }),
  run: async (ctx, { webhookId }) => deliverTo(ctx, webhookId),
});

export interface Due {
  readonly organizationId: string;
  readonly webhookId: string;
  readonly restsUntil: string | Date | null;
}

/** Asks for the job; where the webhook rests after a failure, for afterwards. */
export function enqueueDelivery(tx: Transaction, { organizationId, webhookId, restsUntil }: Due): void {
  const runAt = typeof restsUntil === 'string' ? at(restsUntil) : restsUntil;
  const isResting = runAt !== null && runAt > tx.now();
  const payload = { organizationId, webhookId };
  enqueue(tx, webhookJob, payload, {
    key: `webhook:${webhookId}`,
    priority: isResting ? LATER : PRIORITY,
    maxAttempts: 3,
    ...(isResting && { runAt }),
  });
}

const CLAIM_ONE = statement(
  'webhooks.claim',
  `update webhooks set claim_id = $2, claimed_until = $4
   where id = $1 and not is_disabled
     and (claimed_until is null or claimed_until <= $3) and (rests_until is null or rests_until <= $3)
   returning organization_id as "organizationId"`,
);
const RELEASE = statement(
  'webhooks.release',
  `update webhooks set claim_id = null, claimed_until = null where id = $1 and claim_id = $2
   returning rests_until as "restsUntil", is_disabled as "isDisabled"`,
);

interface Waiting extends Callee {
  projectName: string;
  environment: string;
  failures: number;
  deliveryId: string;
  secretPath: string;
  actor: SecretActor;
}
/** The next one, as long as the claim holds, which it then does for longer; with the webhook as it is now. */
const NEXT = statement(
  'webhook_deliveries.next',
  `with held as (
     update webhooks w set claimed_until = $3 from environments e, projects p
     where w.id = $1 and w.claim_id = $2 and not w.is_disabled and e.id = w.environment_id and p.id = w.project_id
     returning w.*, p.name as project_name, e.slug as environment
   )
   update webhook_deliveries n set is_tried = true from held
   where n.id = (select d.id from webhook_deliveries d where d.webhook_id = $1 order by d.revision, d.secret_path limit 1)
   returning n.id as "deliveryId", n.secret_path as "secretPath", n.actor, held.id,
     held.organization_id as "organizationId", held.project_id as "projectId", held.type, held.url,
     held.secret_key as "secretKey", held.failures, held.project_name as "projectName", held.environment`,
);
const IS_WAITING = statement(
  'webhook_deliveries.is_waiting',
  'select exists (select 1 from webhook_deliveries where webhook_id = $1) as "isWaiting"',
);

async function deliverTo(ctx: Context, webhookId: string): Promise<void> {
  const claimId = randomUUID();
  const began = ctx.now().getTime();
  const until = () => new Date(ctx.now().getTime() + CLAIM);
  const claim = [webhookId, claimId, ctx.now(), until()];
  const [claimed] = await ctx.sql<{ organizationId: string }>(CLAIM_ONE, claim);
  if (!claimed) return;
  try {
    for (let count = 0; count < BATCH && ctx.now().getTime() - began < TURN; count++) {
      const [next] = await ctx.sql<Waiting>(NEXT, [webhookId, claimId, until()]);
      if (!next) break;
      const failure = await callWebhook(ctx, next, messageOf(next));
      await settle(ctx, next, failure);
      if (failure !== undefined) break;
    }
  } finally {
    await giveBack(ctx, { organizationId: claimed.organizationId, webhookId, claimId });
  }
}

const messageOf = ({ deliveryId, projectId, projectName, environment, secretPath, actor }: Waiting): Message => ({
  id: deliveryId,
  event: 'secrets.modified',
  projectId,
  projectName,
  environment,
  secretPath,
  actor,
});

/** What a call says of an address that has just been changed is of no matter: it failed as often as it had before. */
const SETTLE = statement(
  'webhooks.settle',
  `with settled as (
     update webhooks set last_status = $2, last_run_error_message = $3, failures = $4, rests_until = $5
     where id = $1 and failures = $7 returning id
   )
   delete from webhook_deliveries where id = $6 and exists (select from settled)`,
);

/** Writes what came of a call; what was heard, or has failed too often, need not be told any more. */
async function settle(ctx: Context, { id, deliveryId, failures: before }: Waiting, failure?: string): Promise<void> {
  const failures = failure === undefined ? 0 : before + 1;
  const isDone = failure === undefined || failures >= MAX_FAILURES;
  const status = failure === undefined ? 'success' : 'failed';
  const restsUntil = failure === undefined ? null : new Date(ctx.now().getTime() + backoff(failures, RETRY));
  const message = failure ?? null;
  await ctx.sql(SETTLE, [id, status, message, failures, restsUntil, isDone ? deliveryId : null, before]);
}

interface Claim {
  readonly organizationId: string;
  readonly webhookId: string;
  readonly claimId: string;
}

/** Lets go of a webhook; where something still waits for it, or has come in the meantime, the job is asked for again. */
async function giveBack(ctx: Context, { organizationId, webhookId, claimId }: Claim): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const release = [webhookId, claimId];
    const [released] = await tx.sql<{ restsUntil: string | null; isDisabled: boolean }>(RELEASE, release);
    if (!released || released.isDisabled) return;
    const [row] = await tx.sql<{ isWaiting: boolean }>(IS_WAITING, [webhookId]);
    if (row!.isWaiting) enqueueDelivery(tx, { organizationId, webhookId, restsUntil: released.restsUntil });
  });
}
