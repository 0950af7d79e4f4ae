import { authorize, organizationOf } from '../../access/index.ts';
import { notFound, type Context } from '../../kernel/index.ts';
import { AlertEntity } from './alert.entity.ts';
import { changeAlert, makeAlert, removeAlert, requireAlert, type WholeAlert } from './alert.service.ts';
import {
  alertPermissions,
  type AlertRef,
  type CollectionAlert,
  type CreateCollectionAlert,
  type UpdateCollectionAlert,
} from './alert.ts';
import { MAX_RECIPIENTS, type AlertChannelInput } from './channel.ts';
import { asGiven, channelsOf, type Channel } from './channels.ts';

// Legacy: an alert about a collection, by e-mail. It is stored like any other alert with such channels.

const isAboutCollection = ({ pkiCollectionId, eventType }: AlertEntity): boolean =>
  Boolean(pkiCollectionId) && eventType === 'expiration';

/** @throws DomainError 404 for alerts without a collection. */
function requireAboutCollection(row: AlertEntity): void {
  if (!isAboutCollection(row)) throw notFound('alert');
}

function toOlder({ row, channels }: WholeAlert): CollectionAlert {
  const recipients = channels.flatMap(({ config }) => ('recipients' in config ? config.recipients : []));
  const { id, createdAt, updatedAt, projectId, pkiCollectionId, name, alertBeforeDays } = row;
  return {
    id,
    createdAt,
    updatedAt,
    projectId,
    pkiCollectionId: pkiCollectionId!,
    name,
    alertBeforeDays: alertBeforeDays!,
    recipientEmails: recipients.join(','),
  };
}

/** As many channels as the addresses need; existing ones keep their IDs. */
const emailTo = (emails: readonly string[], there: readonly Channel[] = []): AlertChannelInput[] =>
  Array.from({ length: Math.ceil(emails.length / MAX_RECIPIENTS) }, (_, n) => ({
    id: there[n]?.id,
    channelType: 'email',
    config: { recipients: emails.slice(n * MAX_RECIPIENTS, (n + 1) * MAX_RECIPIENTS) },
  }));

/** @throws DomainError 404 for an unknown collection; 400 `pki_alert.too_many`; 403 */
export async function createCollectionAlert(ctx: Context, input: CreateCollectionAlert): Promise<CollectionAlert> {
  const { emails, alertBeforeDays, ...named } = input;
  const alert = { eventType: 'expiration' as const, alertBefore: `${alertBeforeDays}d`, filters: [], enabled: true };
  return toOlder(await makeAlert(ctx, { ...named, ...alert, channels: emailTo(emails) }));
}

export async function getCollectionAlert(ctx: Context, { alertId }: AlertRef): Promise<CollectionAlert> {
  const alert = await requireAlert(ctx, alertId, alertPermissions.read);
  requireAboutCollection(alert.row);
  return toOlder(alert);
}

/** Updates the given fields. New addresses replace those of all e-mail channels. @throws DomainError 404, 403 */
export async function updateCollectionAlert(ctx: Context, input: UpdateCollectionAlert): Promise<CollectionAlert> {
  const { alertId, emails, alertBeforeDays, name, pkiCollectionId } = input;
  const changed = await changeAlert(ctx, alertId, ({ row, channels }) => {
    requireAboutCollection(row);
    const byEmail = channels.filter(({ channelType }) => channelType === 'email');
    const others = channels.filter(({ channelType }) => channelType !== 'email');
    return {
      name,
      pkiCollectionId,
      ...(alertBeforeDays !== undefined && { alertBefore: `${alertBeforeDays}d` }),
      ...(emails && { channels: [...emailTo(emails, byEmail), ...others.map(asGiven)] }),
    };
  });
  return toOlder(changed);
}

/** @throws DomainError 404, 403 */
export const deleteCollectionAlert = async (ctx: Context, { alertId }: AlertRef): Promise<CollectionAlert> =>
  toOlder(await removeAlert(ctx, alertId, requireAboutCollection));

/** The alerts about collections of a project, oldest first. */
export async function listCollectionAlerts(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<CollectionAlert[]> {
  await authorize(ctx, alertPermissions.read, { projectId });
  const of = { organizationId: organizationOf(ctx), projectId, pkiCollectionId: { $ne: null } };
  const rows = (await ctx.em.find(AlertEntity, of, { orderBy: { id: 'asc' } })).filter(isAboutCollection);
  const channels = await channelsOf(ctx, rows);
  return rows.map((row) => toOlder({ row, channels: channels.get(row.id) ?? [] }));
}
