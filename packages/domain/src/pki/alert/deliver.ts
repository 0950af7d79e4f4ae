import { notifyReceiver } from '../../family/index.ts';
import { DONE, firstAndLater, orphanJob, reconcileJob, retry, WorkTable, type Claim } from '../../jobs/index.ts';
import { DomainError, inTransaction, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { deliver, noticeTurns } from '../../mail/index.ts';
import { signatureHeaders } from '../../secrets/webhook/index.ts';
import type { AlertEvent } from './alert.ts';
import { channelsOf, type Channel } from './channels.ts';
import { stillExpiring } from './expiring.ts';
import { NOTHING_VISIBLE, stillVisible } from './run-as.ts';
import { mailOf, slackBody, webhookBody, type AlertMessage, type NotificationItem } from './message.ts';

const MAX_ERROR = 255;
/** Number of retries, over about sixteen hours. After that the message is dropped. */
const MAX_RETRIES = 24;
/** Longer than handing over a message, or a call with its waiting, may take (120 and 21 seconds), in milliseconds. */
const CLAIM_MS = 180_000;

const callsOfOrganization = firstAndLater('pki_alerts');

/** Messages as reconciled work. */
export const deliveries = new WorkTable({
  table: 'pki_alert_deliveries',
  claimMs: CLAIM_MS,
  // Set for those that call a host.
  queuedBy: 'queue',
  orphanedAfterMs: CLAIM_MS,
  job: {
    name: 'pki_alert.deliver',
    idName: 'deliveryId',
    key: 'pki_alert_delivery',
    priority: 10,
    // The previous release takes it, too, and drops the message after them.
    maxAttempts: 12,
    queueOf: (due) => (due.queue ? callsOfOrganization(due) : noticeTurns.queueOf(due)),
  },
});

interface DeliveryRow {
  id: string;
  organizationId: string;
  projectId: string;
  projectName: string;
  alertId: string;
  alertName: string;
  eventType: AlertEvent;
  alertBefore: string | null;
  channelId: string;
  recipient: string | null;
  certificates: NotificationItem[];
  total: number;
  runAs: unknown;
  pkiCollectionId: string | null;
}
const GET = statement(
  'pki_alert_deliveries.get',
  `select d.id, d.organization_id as "organizationId", a.project_id as "projectId", p.name as "projectName",
     a.id as "alertId", a.name as "alertName", a.event_type as "eventType", a.alert_before as "alertBefore",
     d.channel_id as "channelId", d.recipient, d.certificates, d.total,
     a.run_as as "runAs", a.pki_collection_id as "pkiCollectionId"
   from pki_alert_deliveries d join pki_alerts a on a.id = d.alert_id join projects p on p.id = a.project_id
   where d.id = $1 and d.organization_id = $2`,
);
/** Locks an alert before its messages, in the same order as changes of alerts. */
const LOCK = statement('pki_alerts.lock_for_result', 'select id from pki_alerts where id = $1 for no key update');
const REMOVE = statement('pki_alert_deliveries.remove', 'delete from pki_alert_deliveries where id = $1');
const FAILED = statement(
  'pki_alerts.failed',
  `update pki_alerts set last_run_at = $2, last_run_status = 'failed', last_run_error = $3 where id = $1`,
);
/** A failure is shown until no message waits; a missing permission of the actor, until the next evaluation. */
const SUCCEEDED = statement(
  'pki_alerts.succeeded',
  `update pki_alerts set last_run_at = $2, last_run_status = 'success', last_run_error = null
   where id = $1 and last_run_error is distinct from $3 and (last_run_status is distinct from 'failed'
     or not exists (select 1 from pki_alert_deliveries where alert_id = $1))`,
);
const DISCARD = statement('pki_alert_deliveries.delete', 'delete from pki_alert_deliveries where alert_id = $1');

/** Discards all waiting notifications of an alert. */
export const discardDeliveries = async (tx: Transaction, alertId: string): Promise<void> =>
  void (await tx.sql(DISCARD, [alertId]));

/** Notifies one recipient; failures are retried with backoff. */
export const alertDelivery = reconcileJob(deliveries, {
  attempt: (ctx, { claim }) => attempt(ctx, claim),
});

/** Requeues messages that were lost with a process. */
export const orphanedDeliveries = orphanJob(deliveries, { name: 'pki_alert.orphaned', schedule: '* * * * *' });

async function attempt(ctx: Context, claim: Claim): Promise<void> {
  const [row] = await ctx.sql<DeliveryRow>(GET, [claim.id, claim.organizationId]);
  if (!row) return;
  try {
    await send(ctx, row);
  } catch (error) {
    await settle(ctx, claim, row, reasonOf(error));
    if (!(error instanceof DomainError)) throw error;
    return;
  }
  await settle(ctx, claim, row);
}

/** Stores the result; a message that was sent, or failed too often, is removed. */
async function settle(ctx: Context, claim: Claim, { alertId }: DeliveryRow, reason?: string): Promise<void> {
  const isSent = reason === undefined;
  const next = isSent ? DONE : retry(claim.failures, ctx.now(), { maxRetries: MAX_RETRIES });
  await inTransaction(ctx, async (tx) => {
    await tx.sql(LOCK, [alertId]);
    if (!(await deliveries.settle(tx, claim, next))) return;
    if (next.dueAt === null) await tx.sql(REMOVE, [claim.id]);
    await (isSent
      ? tx.sql(SUCCEEDED, [alertId, tx.now(), NOTHING_VISIBLE])
      : tx.sql(FAILED, [alertId, tx.now(), reason]));
  });
  if (!isSent) ctx.log.warn({ pkiAlertId: alertId, failures: next.failures, reason }, 'A notification failed');
}

/** Contains at most a host: addresses and responses of receivers may be secret. */
const reasonOf = (failure: unknown): string =>
  failure instanceof DomainError
    ? failure.message.slice(0, MAX_ERROR)
    : 'Internal error; the log of the server has the details';

async function send(ctx: Context, row: DeliveryRow): Promise<void> {
  const { alertId: id, organizationId, projectId } = row;
  const channels = (await channelsOf(ctx, [{ id, organizationId, projectId }])).get(id) ?? [];
  const channel = channels.find((one) => one.id === row.channelId);
  if (!channel?.enabled) return;
  const ending = row.eventType === 'expiration' ? await stillExpiring(ctx, row) : row;
  const notification = await inTransaction(ctx, (tx) => stillVisible(tx, ending));
  if (notification.total > 0) await notify(ctx, channel, notification);
}

async function notify(
  ctx: Context,
  { config }: Channel,
  { recipient, organizationId, runAs: _, pkiCollectionId: _about, ...row }: DeliveryRow,
): Promise<void> {
  const message: AlertMessage = row;
  if ('recipients' in config) {
    // Who was taken off the list is not written to any more.
    if (recipient !== null && config.recipients.includes(recipient))
      await deliver(ctx, mailOf(message, recipient, ctx.settings.siteUrl));
    return;
  }
  const timestamp = ctx.now().getTime();
  const [url, content] =
    'webhookUrl' in config
      ? [config.webhookUrl, slackBody(message, config)]
      : [config.url, webhookBody(message, timestamp)];
  const body = JSON.stringify(content);
  const key = 'signingSecret' in config ? config.signingSecret : null;
  const headers = key === null ? {} : signatureHeaders(body, key, timestamp);
  await notifyReceiver(ctx, organizationId, { id: row.id, url, body, headers });
}
