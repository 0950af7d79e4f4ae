import { z } from 'zod';
import { notifyReceiver } from '../../family/index.ts';
import { defineJob } from '../../jobs/index.ts';
import { DomainError, inTransaction, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { deliver } from '../../mail/index.ts';
import { signatureHeaders } from '../../secrets/webhook/index.ts';
import type { AlertEvent } from './alert.ts';
import { channelsOf, type Channel } from './channels.ts';
import { stillExpiring } from './expiring.ts';
import { BLIND, stillTellable } from './run-as.ts';
import { mailOf, slackBody, webhookBody, type AlertMessage, type NotificationItem } from './message.ts';

const MAX_ERROR = 255;

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
}
const GET = statement(
  'pki_alert_deliveries.get',
  `select d.id, d.organization_id as "organizationId", a.project_id as "projectId", p.name as "projectName",
     a.id as "alertId", a.name as "alertName", a.event_type as "eventType", a.alert_before as "alertBefore",
     d.channel_id as "channelId", d.recipient, d.certificates, d.total,
     a.run_as as "runAs"
   from pki_alert_deliveries d join pki_alerts a on a.id = d.alert_id join projects p on p.id = a.project_id
   where d.id = $1 and d.organization_id = $2`,
);
const REMOVE = statement('pki_alert_deliveries.remove', 'delete from pki_alert_deliveries where id = $1');
const FAILED = statement(
  'pki_alerts.failed',
  `update pki_alerts set last_run_at = $2, last_run_status = 'failed', last_run_error = $3 where id = $1`,
);
/** A failure is shown until no message waits; a missing permission of the actor, until the next evaluation. */
const TOLD = statement(
  'pki_alerts.told',
  `update pki_alerts set last_run_at = $2, last_run_status = 'success', last_run_error = null
   where id = $1 and last_run_error is distinct from $3 and (last_run_status is distinct from 'failed'
     or not exists (select 1 from pki_alert_deliveries where alert_id = $1))`,
);
const DISCARD = statement('pki_alert_deliveries.delete', 'delete from pki_alert_deliveries where alert_id = $1');

/** Discards all waiting notifications of an alert. */
export const discardDeliveries = async (tx: Transaction, alertId: string): Promise<void> =>
  void (await tx.sql(DISCARD, [alertId]));

/** Notifies one recipient; failures are retried with backoff. */
export const alertDelivery = defineJob({
  name: 'pki_alert.deliver',
  payload: z.object({ organizationId: z.string(), deliveryId: z.string() }),
  run: async (ctx, { organizationId, deliveryId }, { job }) => {
    const [row] = await ctx.sql<DeliveryRow>(GET, [deliveryId, organizationId]);
    if (!row) return;
    try {
      await send(ctx, row);
    } catch (error) {
      if (job.attempts >= job.max_attempts) await ctx.sql(REMOVE, [deliveryId]);
      await ctx.sql(FAILED, [row.alertId, ctx.now(), reasonOf(error)]);
      throw error;
    }
    await ctx.sql(REMOVE, [deliveryId]);
    await ctx.sql(TOLD, [row.alertId, ctx.now(), BLIND]);
  },
});

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
  const told = await inTransaction(ctx, (tx) => stillTellable(tx, ending));
  if (told.total > 0) await tell(ctx, channel, told);
}

async function tell(
  ctx: Context,
  { config }: Channel,
  { recipient, organizationId, runAs: _, ...row }: DeliveryRow,
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
