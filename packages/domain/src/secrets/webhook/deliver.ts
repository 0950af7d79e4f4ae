import { BACKOFF, DONE, lanes, reconcileJob, retry, WorkTable, type Claim } from '../../jobs/index.ts';
import { inTransaction, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { SecretActor } from '../commit/index.ts';
import { callWebhook, type Callee } from './call.ts';
import type { Message, RotationFailure } from './message.ts';
import { noteNothingVisible, visibleFolders } from './visible-folders.ts';

const RETRY = { ...BACKOFF, firstMs: 5_000 };
/**
 * Maximum number of attempts, over most of a day. Then the delivery is abandoned; the next one is due an hour later.
 */
const MAX_FAILURES = 30;
/**
 * Maximum number of deliveries per job, and milliseconds after which it begins no further one, so that others get their
 * turn.
 */
const BATCH = 20;
const TURN = 5_000;
/** Milliseconds for which a webhook is claimed: longer than a call may take. */
const CLAIM_MS = 60_000;
/** Lower priority than interactive work and mail; failed ones have the lowest. */
export const PRIORITY = 10;
const LATER = 20;

/** Webhooks, as work that is due while deliveries wait, but for the time for which a webhook rests after a failure. */
export const webhooks = new WorkTable({
  table: 'webhooks',
  columns: { due: 'rests_until' },
  where: 'not t.is_disabled',
  due: `(select greatest(d.created_at, t.rests_until) from webhook_deliveries d where d.webhook_id = t.id
     order by d.revision, d.secret_path limit 1)`,
  claimMs: CLAIM_MS,
  orphanedAfterMs: CLAIM_MS,
  job: {
    name: 'webhook.deliver',
    idName: 'webhookId',
    key: 'webhook',
    priority: PRIORITY,
    laterPriority: LATER,
    maxAttempts: 3,
    queueOf: lanes('webhooks'),
  },
});

/** Sends the waiting deliveries of one webhook, in order. */
export const webhookJob = reconcileJob(webhooks, { attempt: (ctx, { claim }) => deliverTo(ctx, claim) });

interface Waiting extends Callee {
  projectName: string;
  environment: string;
  failures: number;
  deliveryId: string;
  secretPath: string;
  /** A folder that has changed, where the path is of one that contains several. */
  changedPath: string | null;
  actor: SecretActor | null;
  event: Message['event'];
  details: RotationFailure | null;
  runAs: unknown;
}
/** The next one, if the claim is still held, which is extended; with the current webhook. */
const NEXT = statement(
  'webhook_deliveries.next',
  `with held as (
     update webhooks w set claimed_until = $3 from environments e, projects p
     where w.id = $1 and w.claim_id = $2 and not w.is_disabled and e.id = w.environment_id and p.id = w.project_id
     returning w.*, p.name as project_name, e.slug as environment
   )
   update webhook_deliveries n set is_tried = true from held
   where n.id = (select d.id from webhook_deliveries d where d.webhook_id = $1 order by d.revision, d.secret_path limit 1)
   returning n.id as "deliveryId", n.secret_path as "secretPath", n.changed_path as "changedPath", n.actor, n.event, n.details, held.id,
     held.organization_id as "organizationId", held.project_id as "projectId", held.type, held.url,
     held.secret_key as "secretKey", held.failures, held.project_name as "projectName", held.environment,
     held.run_as as "runAs"`,
);
const OMIT = statement('webhook_deliveries.omit', 'delete from webhook_deliveries where id = $1');

async function deliverTo(ctx: Context, claim: Claim): Promise<void> {
  const began = ctx.now().getTime();
  for (let count = 0; count < BATCH && ctx.now().getTime() - began < TURN; count++) {
    const until = new Date(ctx.now().getTime() + CLAIM_MS);
    const [next] = await ctx.sql<Waiting>(NEXT, [claim.id, claim.claimId, until]);
    if (!next) break;
    if (!(await inTransaction(ctx, (tx) => mayBeNamed(tx, next)))) {
      await ctx.sql(OMIT, [next.deliveryId]);
      continue;
    }
    const failure = await callWebhook(ctx, next, messageOf(next));
    await settle(ctx, next, failure);
    if (failure !== undefined) break;
  }
  await webhooks.release(ctx, claim);
}

/** Whether the webhook may name now what a delivery names, or what this contains: rights may have changed since it was made. */
async function mayBeNamed(tx: Transaction, { id, environment, event, ...of }: Waiting): Promise<boolean> {
  const visible = await visibleFolders(tx, of, of.runAs);
  if (!visible.seesAny) await noteNothingVisible(tx, [id]);
  const place = { environment, secretPath: of.changedPath ?? of.secretPath };
  return (event === 'secrets.rotation-failed' ? visible.seesRotations : visible.sees)(place);
}

const messageOf = ({ deliveryId, event, projectId, projectName, environment, ...of }: Waiting): Message => ({
  id: deliveryId,
  event,
  projectId,
  projectName,
  environment,
  secretPath: of.secretPath,
  actor: of.actor ?? undefined,
  details: of.details ?? undefined,
});

/** The result of a call to a meanwhile changed address does not count: the number of failures is unchanged. */
const SETTLE = statement(
  'webhook_deliveries.settle',
  `with settled as (
     update webhooks set last_status = $2, last_run_error_message = $3, failures = $4, rests_until = $5
     where id = $1 and failures = $7 returning id
   )
   delete from webhook_deliveries where id = $6 and exists (select from settled)`,
);

/** Stores the result of a call; deliveries that succeeded, or failed too often, are removed. */
async function settle(ctx: Context, { id, deliveryId, failures: before }: Waiting, failure?: string): Promise<void> {
  const { failures, dueAt: restsUntil } = failure === undefined ? DONE : retry(before, ctx.now(), { policy: RETRY });
  const isDone = failure === undefined || failures >= MAX_FAILURES;
  const status = failure === undefined ? 'success' : 'failed';
  const message = failure ?? null;
  await ctx.sql(SETTLE, [id, status, message, failures, restsUntil, isDone ? deliveryId : null, before]);
}
