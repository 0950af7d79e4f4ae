import {
  authorize,
  authorizeById,
  organizationOf,
  readable,
  authorizeAnywhere,
  requireLasting,
  unlessHidden,
} from '../../access/index.ts';
import {
  givenFields,
  badRequest,
  eventOf,
  inTransaction,
  isId,
  newId,
  notFound,
  record,
  statement,
  type Context,
  type Permission,
  type Transaction,
} from '../../kernel/index.ts';
import { isOutward, runAsOf } from '../../secrets/import/replication/index.ts';
import { collectionPermissions, requireCollectionIn } from '../collection/index.ts';
import { certificatePermissions } from '../certificate/index.ts';
import { AlertEntity } from './alert.entity.ts';
import {
  alertAddressesRead,
  alertCreated,
  alertDeleted,
  alertPermissions,
  alertUpdated,
  daysOf,
  type Alert,
  type AlertEvent,
  type AlertRef,
  type CreateAlert,
  type ListAlerts,
  type UpdateAlert,
} from './alert.ts';
import { channelsOf, hasAddress, setChannels, shown, type Channel } from './channels.ts';
import { discardDeliveries } from './deliver.ts';
import { enqueueEvaluation } from './evaluate.ts';

const THING = 'alert';

/** Each of them looks through the certificates of its project. */
const MAX_ALERTS = 200;

/** An alert with its channels. */
export interface WholeAlert {
  readonly row: AlertEntity;
  readonly channels: readonly Channel[];
}

const toAlert = ({ row, channels }: WholeAlert, mayEdit: boolean): Alert => ({
  id: row.id,
  name: row.name,
  description: row.description ?? null,
  eventType: row.eventType as AlertEvent,
  alertBefore: row.alertBefore ?? null,
  filters: row.filters,
  enabled: row.enabled,
  projectId: row.projectId,
  channels: channels.map((channel) => shown(channel, mayEdit)),
  lastRun: row.lastRunAt
    ? { timestamp: row.lastRunAt, status: row.lastRunStatus ?? '', error: row.lastRunError ?? null }
    : null,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
const eventData = ({ id, name, eventType }: AlertEntity) => ({ pkiAlertId: id, name, eventType });

const whole = async (ctx: Context, row: AlertEntity): Promise<WholeAlert> => ({
  row,
  channels: (await channelsOf(ctx, [row])).get(row.id) ?? [],
});

/** Alerts in a project of which the caller is not a member get a 404. */
async function requireRow(ctx: Context, alertId: string, permission: Permission): Promise<AlertEntity> {
  const row = isId(alertId)
    ? await ctx.em.findOne(AlertEntity, { id: alertId, organizationId: organizationOf(ctx) })
    : null;
  if (!row) throw notFound(THING);
  await unlessHidden(THING, authorizeById(ctx, permission, { projectId: row.projectId }));
  return row;
}

/** @throws DomainError 404, 403 */
export const requireAlert = async (ctx: Context, alertId: string, permission: Permission): Promise<WholeAlert> =>
  whole(ctx, await requireRow(ctx, alertId, permission));

const LOCK = statement('pki_alerts.lock', 'select id from pki_alerts where id = $1 for update');

async function lock(tx: Transaction, id: string): Promise<AlertEntity> {
  const [there] = await tx.sql(LOCK, [id]);
  const row = there && (await tx.em.findOne(AlertEntity, id));
  if (!row) throw notFound(THING);
  return row;
}

/** What both generations make of an alert. */
export type AlertInput = CreateAlert & { readonly pkiCollectionId?: string | undefined };

/** Serializes creations in one project, so that each sees the earlier ones. */
const LOCK_PROJECT = statement('pki_alerts.lock_project', 'select id from projects where id = $1 for no key update');
const COUNT = statement('pki_alerts.count', 'select count(*)::integer as count from pki_alerts where project_id = $1');

/**
 * An alert discloses certificates to its recipients: saving it needs the right to read some, as lists do. It notifies
 * of what the actor that it runs as may read at that time; see `run-as.ts`.
 *
 * @throws DomainError 403
 */
const requireReader = (ctx: Context, projectId: string): Promise<void> =>
  authorizeAnywhere(ctx, certificatePermissions.read, { projectId });

/** An alert about a collection tells which certificates are in it: whoever it runs as has to be permitted to read that. @throws DomainError 404, 403 */
async function requireMayWatch(
  tx: Transaction,
  place: { readonly organizationId: string; readonly projectId: string },
  pkiCollectionId: string,
): Promise<void> {
  await requireCollectionIn(tx, place, pkiCollectionId);
  await authorize(tx, collectionPermissions.read, { projectId: place.projectId });
}

/**
 * An enabled alert notifies again and again: each time it checks the right to read, and not the right by which it was set up.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
async function requireMayNotify(
  tx: Transaction,
  { projectId, enabled }: { readonly projectId: string; readonly enabled: boolean },
  action: 'create' | 'edit',
): Promise<void> {
  if (enabled) await requireLasting(tx, projectId, { permission: alertPermissions[action], fields: { projectId } });
}

/**
 * @throws DomainError 404 for an unknown collection; 400 `pki_alert.before_needed`, `pki_alert.too_many`; 403, also by a right
 * that ends unless it is disabled.
 */
export async function makeAlert(ctx: Context, input: AlertInput): Promise<WholeAlert> {
  const { projectId, pkiCollectionId, name, description, eventType, filters, enabled, channels } = input;
  await authorize(ctx, alertPermissions.create, { projectId });
  await requireReader(ctx, projectId);
  return inTransaction(ctx, async (tx) => {
    await requireMayNotify(tx, input, 'create');
    await tx.sql(LOCK_PROJECT, [projectId]);
    const [{ count }] = (await tx.sql<{ count: number }>(COUNT, [projectId])) as [{ count: number }];
    if (count >= MAX_ALERTS) throw badRequest('pki_alert.too_many', `A project can have at most ${MAX_ALERTS} alerts`);
    const place = { id: newId(), organizationId: organizationOf(ctx), projectId };
    if (pkiCollectionId !== undefined) await requireMayWatch(tx, place, pkiCollectionId);
    const row = tx.em.create(AlertEntity, {
      ...place,
      pkiCollectionId: pkiCollectionId ?? null,
      name,
      description: description ?? null,
      eventType,
      ...beforeOf(eventType, input.alertBefore),
      filters,
      enabled,
      since: tx.now(),
      runAs: runAsOf(tx) ?? null,
    });
    await tx.em.persist(row).flush();
    const made = { row, channels: await setChannels(tx, place, channels) };
    enqueueEvaluation(tx, row);
    record(tx, alertCreated, eventData(row), { projectId });
    return made;
  });
}

function beforeOf(eventType: AlertEvent, alertBefore: string | undefined) {
  if (eventType !== 'expiration') return { alertBefore: null, alertBeforeDays: null };
  if (alertBefore === undefined)
    throw badRequest(
      'pki_alert.before_needed',
      'alertBefore is required: the time before the end at which the alert notifies',
    );
  return { alertBefore, alertBeforeDays: daysOf(alertBefore) };
}

export type AlertChanges = Omit<UpdateAlert, 'alertId'> & { readonly pkiCollectionId?: string | undefined };

/**
 * Updates the fields that `changesOf` gives for the alert as it is while it is locked; from then on the alert runs as the
 * caller, unless it only gets another name or description or is disabled (`isOutward`). An alert that is enabled, or gets
 * another kind of event, notifies of later events only. Waiting notifications are discarded if the kind changes or the alert is
 * disabled.
 *
 * @throws DomainError 404, 403, also by a right that ends unless it is disabled; 400 as for new ones.
 */
export async function changeAlert(
  ctx: Context,
  alertId: string,
  changesOf: (present: WholeAlert) => AlertChanges,
): Promise<WholeAlert> {
  const { projectId } = await requireRow(ctx, alertId, alertPermissions.edit);
  await requireReader(ctx, projectId);
  return inTransaction(ctx, async (tx) => {
    const row = await lock(tx, alertId);
    const present = await whole(tx, row);
    const changes = changesOf(present);
    const { pkiCollectionId, name, description, filters, channels } = changes;
    const isOfCaller = !isOutward(changes, 'enabled');
    const watched = pkiCollectionId ?? row.pkiCollectionId;
    if (isOfCaller && watched) await requireMayWatch(tx, row, watched);
    const eventType = changes.eventType ?? (row.eventType as AlertEvent);
    const enabled = changes.enabled ?? row.enabled;
    await requireMayNotify(tx, { projectId, enabled }, 'edit');
    const isOther = eventType !== row.eventType;
    const beginsAnew = isOther || (enabled && !row.enabled);
    if (isOther || !enabled) await discardDeliveries(tx, alertId);
    tx.em.assign(row, {
      ...(pkiCollectionId !== undefined && { pkiCollectionId }),
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(filters !== undefined && { filters }),
      eventType,
      enabled,
      ...(isOfCaller && { runAs: runAsOf(tx) ?? null }),
      ...beforeOf(eventType, changes.alertBefore ?? row.alertBefore ?? undefined),
      ...(beginsAnew && { since: tx.now() }),
    });
    await tx.em.flush();
    const changed = channels === undefined ? present : { row, channels: await setChannels(tx, row, channels) };
    enqueueEvaluation(tx, row);
    record(tx, alertUpdated, { ...eventData(row), changed: givenFields(changes) }, { projectId });
    return changed;
  });
}

/**
 * Deletes an alert with its channels and waiting notifications. `require` checks it while it is locked.
 *
 * @throws DomainError 404, 403; whatever `require` throws.
 */
export async function removeAlert(
  ctx: Context,
  alertId: string,
  require: (row: AlertEntity) => void = () => undefined,
): Promise<WholeAlert> {
  const { projectId } = await requireRow(ctx, alertId, alertPermissions.delete);
  return inTransaction(ctx, async (tx) => {
    const row = await lock(tx, alertId);
    require(row);
    const removed = await whole(tx, row);
    const data = eventData(row);
    await tx.em.remove(row).flush();
    record(tx, alertDeleted, data, { projectId });
    return removed;
  });
}

export const createAlert = async (ctx: Context, input: CreateAlert): Promise<Alert> =>
  toAlert(await makeAlert(ctx, input), true);
/** The recipients are visible to callers who may change them. */
const mayEditIn = async (ctx: Context, projectId: string): Promise<boolean> =>
  (await readable(ctx, alertPermissions.edit, { projectId }))({ projectId });

/** The answer to a read; the addresses of webhooks and Slack channels are credentials. */
async function readAlerts(ctx: Context, projectId: string, alerts: readonly WholeAlert[]): Promise<Alert[]> {
  const mayEdit = await mayEditIn(ctx, projectId);
  const pkiAlertIds = alerts.filter(({ channels }) => channels.some(hasAddress)).map(({ row }) => row.id);
  if (mayEdit && pkiAlertIds.length > 0)
    await ctx.commitRead(eventOf(alertAddressesRead, { pkiAlertIds }, { projectId }), ctx);
  return alerts.map((alert) => toAlert(alert, mayEdit));
}

export async function getAlert(ctx: Context, { alertId }: AlertRef): Promise<Alert> {
  const alert = await requireAlert(ctx, alertId, alertPermissions.read);
  return (await readAlerts(ctx, alert.row.projectId, [alert]))[0]!;
}
export const updateAlert = async (ctx: Context, { alertId, ...changes }: UpdateAlert): Promise<Alert> =>
  toAlert(await changeAlert(ctx, alertId, () => changes), true);
export async function deleteAlert(ctx: Context, input: AlertRef): Promise<Alert> {
  const alert = await removeAlert(ctx, input.alertId);
  return toAlert(alert, await mayEditIn(ctx, alert.row.projectId));
}

/** The alerts of a project, oldest first. */
export async function listAlerts(ctx: Context, input: ListAlerts): Promise<{ alerts: Alert[]; total: number }> {
  const { projectId, eventType, enabled, search, offset, limit } = input;
  await authorize(ctx, alertPermissions.read, { projectId });
  const [rows, total] = await ctx.em.findAndCount(
    AlertEntity,
    {
      organizationId: organizationOf(ctx),
      projectId,
      ...(eventType !== undefined && { eventType }),
      ...(enabled !== undefined && { enabled }),
      ...(search && { name: { $ilike: `%${search.replace(/[\\%_]/g, '\\$&')}%` } }),
    },
    { orderBy: { id: 'asc' }, offset, limit },
  );
  const channels = await channelsOf(ctx, rows);
  const alerts = rows.map((row) => ({ row, channels: channels.get(row.id) ?? [] }));
  return { alerts: await readAlerts(ctx, projectId, alerts), total };
}
