import { filterInTurns } from '../../access/index.ts';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { defineJob, enqueue, enqueueEach, turnsOf } from '../../jobs/index.ts';
import {
  at,
  badRequest,
  DAY,
  DomainError,
  inTransaction,
  newId,
  NIL_ID,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { countMails, MAILS_PER_DAY } from '../../mail/index.ts';
import { MatchingCost } from '../constraint/index.ts';
import { wholeSeconds } from '../x509.ts';
import { alertRaised, type AlertEvent, type AlertFilter } from './alert.ts';
import { channelsOf, type Channel } from './channels.ts';
import { deliveries } from './deliver.ts';
import { AUTHORITY_ENDS, CERTIFICATE_ENDS } from './expiring.ts';
import { comparisonsOf, includesAuthorities, passes } from './match.ts';
import type { NotificationItem } from './message.ts';
import { NOTHING_VISIBLE, visibilityOf, withProfile, type Visibility, type AlertedItem } from './run-as.ts';

/** Milliseconds after which an event is too old for a notification. */
const LATEST = 7 * DAY;
/** Certificates per statement, per message, and per evaluation. */
const PAGE = 500;
const MAX_NAMED = 100;
const MAX_TOLD = 5_000;
/** The maximum cost of comparing one certificate with the filters, in steps of `MatchingCost`. */
const MAX_COST = 2_000_000;
/** Milliseconds after which an evaluation, and within a page the comparing, goes on in another job. */
const MAX_MS = 2_000;
/** Before the first item, in the order of `finding`. */
const START = { at: '-infinity', id: NIL_ID };

interface OfAlert {
  readonly organizationId: string;
  readonly alertId: string;
}

const Place = z.object({ at: z.string(), id: z.string() });
type Place = z.output<typeof Place>;

/** Evaluates one alert, or the rest of it. */
export const evaluateAlert = defineJob({
  name: 'pki_alert.evaluate',
  formerNames: ['pki_alert.look'],
  payload: z.object({ organizationId: z.string(), alertId: z.string(), after: Place.optional() }),
  turns: turnsOf('pki_alert.evaluate'),
  run: (ctx, { alertId, after }) => look(ctx, alertId, after),
});

/** Behind the work that somebody waits for. */
const JOB = { priority: 12, maxAttempts: 3 };
const jobOf = ({ alertId }: OfAlert) => ({ ...JOB, key: `pki_alert:${alertId}` });

/** The key of the job that goes on. One from the start would replace it, and what is behind would not be reached. */
const restOf = (alertId: string): string => `pki_alert_rest:${alertId}`;
const REST_WAITS = statement(
  'pki_alerts.rest_waits',
  'select 1 from graphile_worker.jobs where key = $1 and attempts < max_attempts',
);

/** Queues the evaluation of one alert for after the commit. */
export function enqueueEvaluation(
  tx: Transaction,
  { id, organizationId }: { id: string; organizationId: string },
): void {
  const payload = { organizationId, alertId: id };
  enqueue(tx, evaluateAlert, payload, jobOf(payload));
}

const ENABLED = statement(
  'pki_alerts.enabled',
  `select id as "alertId", organization_id as "organizationId" from pki_alerts where enabled order by id`,
);

/** Once an hour, all of them. */
export const evaluateAlerts = defineJob({
  name: 'pki_alert.evaluate_all',
  formerNames: ['pki_alert.look_all'],
  payload: z.object({}),
  schedule: '13 * * * *',
  run: async (ctx) => {
    const alerts = await ctx.sql<OfAlert>(ENABLED, []);
    await enqueueEach(ctx, evaluateAlert, alerts, jobOf);
  },
});

interface AlertRow {
  id: string;
  organizationId: string;
  projectId: string;
  pkiCollectionId: string | null;
  name: string;
  eventType: AlertEvent;
  days: number | null;
  filters: AlertFilter[];
  since: string;
  runAs: unknown;
}
/** Serializes evaluations of one alert between processes. */
const LOCK = statement(
  'pki_alerts.lock_enabled',
  `select id, organization_id as "organizationId", project_id as "projectId", pki_collection_id as "pkiCollectionId",
     name, event_type as "eventType", alert_before_days as days, filters, since,
     run_as as "runAs"
   from pki_alerts where id = $1 and enabled for update`,
);

interface FoundRow extends AlertedItem {
  altNames: string;
  profileName: string | null;
  notBefore: string;
  notAfter: string;
  about: string;
}

const IS_WANTED = `c.project_id = $1
  and ($5::uuid is null or exists (
    select 1 from pki_collection_items i where i.pki_collection_id = $5 and i.certificate_id = c.id))
  -- The certificate of a local authority is notified with the authority.
  and (not c.is_ca or $5::uuid is not null or ($6 and not exists (
    select 1 from ca_certificates own where own.project_id = c.project_id and own.serial_number = c.serial_number
      and own.body = c.body)))`;

/**
 * $1 project, $2 now, $3 the bound, $4 alert, $5 collection, $6 authorities too, $7 and $8 where the last page ended.
 */
const finding = (event: AlertEvent, about: string, isDue: string, others = '') =>
  statement(
    `pki_alerts.find_${event}`,
    `select t.* from (
       select c.id, 'certificate' as type, c.common_name as "commonName", coalesce(c.alt_names, '') as "altNames",
         c.names, c.subject, c.status, '' as name, c.serial_number as "serialNumber", c.friendly_name as "friendlyName", f.slug as "profileName",
         c.not_before as "notBefore", c.not_after as "notAfter", ${about} as about
       from certificates c left join certificate_profiles f on f.id = c.profile_id
       where ${IS_WANTED} and ${isDue} and $2::timestamptz is not null
       ${others}) t
     where (t.about, t.id) > ($7::timestamptz, $8::uuid)
       and not exists (select 1 from pki_alert_notifications sent
         where sent.alert_id = $4 and sent.item_id = t.id and sent.event_at = t.about)
     order by t.about, t.id limit ${PAGE}`,
  );

const FIND: Readonly<Record<AlertEvent, ReturnType<typeof statement>>> = {
  expiration: finding(
    'expiration',
    'c.not_after',
    `${CERTIFICATE_ENDS} and c.not_after > $2 and c.not_after <= $3::timestamptz`,
    `union all
     select a.id, 'ca', coalesce(a.subject->>'commonName', ''), '', '[]'::jsonb, '{}'::jsonb, a.status, a.name, coalesce(a.serial_number, ''),
       a.friendly_name, null,
       a.not_before, a.not_after, a.not_after
     from certificate_authorities a
     where a.project_id = $1 and ${AUTHORITY_ENDS} and a.not_after > $2 and a.not_after <= $3::timestamptz
       and (case when $5::uuid is null then $6 else exists (
         select 1 from pki_collection_items i where i.pki_collection_id = $5 and i.ca_id = a.id) end)`,
  ),
  issuance: finding(
    'issuance',
    'c.created_at',
    `c.created_at >= $3::timestamptz and c.renewed_from_id is null and c.source <> 'import'`,
  ),
  renewal: finding('renewal', 'c.created_at', 'c.created_at >= $3::timestamptz and c.renewed_from_id is not null'),
  revocation: finding('revocation', 'c.revoked_at', `c.status = 'revoked' and c.revoked_at >= $3::timestamptz`),
};

const ADD_SENT = statement(
  'pki_alert_notifications.add',
  `insert into pki_alert_notifications (alert_id, item_id, event_at, organization_id)
   select $1, t.id, t.about, $2 from json_to_recordset($3::json) as t (id uuid, about timestamptz)
   on conflict do nothing`,
);
const DELIVER = statement(
  'pki_alert_deliveries.add',
  `insert into pki_alert_deliveries
     (id, organization_id, alert_id, channel_id, recipient, certificates, total, created_at, due_at, queue)
   values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $8, $9)`,
);
const NOT_REFUSED = statement(
  'pki_alerts.not_refused',
  `update pki_alerts set last_run_at = null, last_run_status = null, last_run_error = null
   where id = $1 and last_run_error = any($2::text[])`,
);
const REFUSED = statement(
  'pki_alerts.refused',
  `update pki_alerts set last_run_at = $3, last_run_status = 'failed', last_run_error = $2 where id = $1`,
);
/** What cannot come again need not be remembered. */
const DELETE_OLD = statement(
  'pki_alert_notifications.delete',
  'delete from pki_alert_notifications where alert_id = $1 and event_at < $2',
);

/** What an evaluation found is not stored as notified of: it is found again. */
const TOO_MANY_MAILS = 'pki_alert.too_many_mails';
const MAILS_ARE_SENT = `The alerts of this project have sent ${MAILS_PER_DAY} e-mails today (UTC): what is new is sent tomorrow`;

/** Evaluates an alert; one whose e-mails are too many for today is evaluated again by the next schedule. */
async function look(ctx: Context, alertId: string, after?: Place): Promise<void> {
  try {
    await inTransaction(ctx, (tx) => lookIn(tx, alertId, after));
  } catch (error) {
    if (!(error instanceof DomainError && error.code === TOO_MANY_MAILS)) throw error;
    await ctx.sql(REFUSED, [alertId, MAILS_ARE_SENT, ctx.now()]);
  }
}

/**
 * Records what an alert has not yet notified of, and queues its messages. Each item is notified once, for all channels.
 *
 * @throws DomainError 400 `pki_alert.too_many_mails`
 */
async function lookIn(tx: Transaction, alertId: string, after?: Place): Promise<void> {
  const [alert] = await tx.sql<AlertRow>(LOCK, [alertId]);
  if (!alert) return;
  if (!after && (await tx.sql(REST_WAITS, [restOf(alertId)])).length > 0) return;
  const channels = ((await channelsOf(tx, [alert])).get(alert.id) ?? []).filter((channel) => isUsable(tx, channel));
  // They are notified once there is a recipient.
  if (channels.length === 0) return;
  await tx.sql(DELETE_OLD, [alert.id, new Date(tx.now().getTime() - LATEST - DAY)]);
  const visibility = await visibilityOf(tx, alert);
  if (!visibility.seesAny) return void (await tx.sql(REFUSED, [alert.id, NOTHING_VISIBLE, tx.now()]));
  await tx.sql(NOT_REFUSED, [alert.id, [NOTHING_VISIBLE, MAILS_ARE_SENT]]);
  const { found, rest } = await findAll(tx, alert, visibility, after);
  if (rest) {
    const { organizationId } = alert;
    enqueue(tx, evaluateAlert, { organizationId, alertId, after: rest }, { ...JOB, key: restOf(alertId) });
  }
  if (found.length === 0) return;
  const readers = readersOf(channels);
  const mails = readers.filter(({ recipient }) => recipient !== null).length;
  if (mails > 0 && !(await countMails(tx, alert, mails))) throw badRequest(TOO_MANY_MAILS, MAILS_ARE_SENT);
  for (const reader of readers) await deliverTo(tx, alert, reader, found);
  const { id: pkiAlertId, name, eventType, projectId } = alert;
  record(tx, alertRaised, { pkiAlertId, name, eventType, total: found.length }, { projectId });
}

const isUsable = (tx: Transaction, { enabled, channelType }: Channel): boolean =>
  enabled && (channelType !== 'email' || tx.settings.emailConfigured);

/** `rest` is where it ended because it took too long. */
async function findAll(
  tx: Transaction,
  alert: AlertRow,
  visibility: Visibility,
  after = START,
): Promise<{ found: FoundRow[]; rest?: Place }> {
  const now = tx.now();
  const began = performance.now();
  const { id, projectId, pkiCollectionId, filters, organizationId } = alert;
  const wanted = [projectId, now, boundOf(alert, now), id, pkiCollectionId, includesAuthorities(filters)];
  const [comparisons, cost] = [comparisonsOf(filters), new MatchingCost(MAX_COST)];
  const found: FoundRow[] = [];
  let end: Place = after;
  for (let isMore = true; isMore && found.length < MAX_TOLD;) {
    const page = await tx.sql<FoundRow>(FIND[alert.eventType], [...wanted, end.at, end.id]);
    const seen = (await filterInTurns(page, visibility.sees)).map((thing) => withProfile(visibility, thing));
    const fitting: FoundRow[] = [];
    const last = page.at(-1);
    if (last) end = placeOf(last);
    isMore = page.length === PAGE;
    const seenAt = performance.now();
    for (const thing of seen) {
      cost.renew();
      if (await passes(comparisons, thing, cost)) fitting.push(thing);
      if (thing === seen.at(-1) || performance.now() - seenAt <= MAX_MS) continue;
      end = placeOf(thing);
      isMore = true;
      break;
    }
    const items = fitting.map(({ id: thing, about }) => ({ id: thing, about }));
    await tx.sql(ADD_SENT, [id, organizationId, JSON.stringify(items)]);
    found.push(...fitting);
    if (isMore && performance.now() - began > MAX_MS) return { found, rest: end };
  }
  return { found };
}

const placeOf = ({ about, id }: FoundRow): Place => ({ at: about, id });

/** Up to when expiring items are included, or since when events are; revocations have whole seconds. */
function boundOf({ eventType, days, since }: AlertRow, now: Date): Date {
  if (eventType === 'expiration') return new Date(now.getTime() + (days ?? 0) * DAY);
  const bound = Math.max(at(since).getTime(), now.getTime() - LATEST);
  return eventType === 'revocation' ? wholeSeconds(bound) : new Date(bound);
}

interface Reader {
  readonly channelId: string;
  readonly recipient: string | null;
  /** That is called. */
  readonly host?: string;
}

/** Each recipient gets its own message and retries; a mailbox in two channels gets one. */
function readersOf(channels: readonly Channel[]): Reader[] {
  const written = new Set<string>();
  return channels.flatMap(({ id: channelId, config }): Reader[] => {
    if ('url' in config) return [{ channelId, recipient: null, host: new URL(config.url).host }];
    if ('webhookUrl' in config) return [{ channelId, recipient: null, host: new URL(config.webhookUrl).host }];
    const recipients = config.recipients.filter((one) => !written.has(one) && written.add(one));
    return recipients.map((recipient) => ({ channelId, recipient }));
  });
}

async function deliverTo(tx: Transaction, alert: AlertRow, reader: Reader, found: readonly FoundRow[]): Promise<void> {
  const { id: alertId, organizationId } = alert;
  const { channelId, recipient, host } = reader;
  const id = newId();
  const queue = host === undefined ? null : queueOf(organizationId, host);
  const named = JSON.stringify(found.slice(0, MAX_NAMED).map(toItem));
  const values = [id, organizationId, alertId, channelId, recipient, named, found.length, tx.now(), queue];
  await tx.sql(DELIVER, values);
  deliveries.enqueue(tx, { id, organizationId, queue });
}

/** That it calls a host; the previous release has a queue for each. */
const queueOf = (organizationId: string, host: string): string =>
  `pki_alert:${hash('sha256', `${organizationId} ${host}`, 'hex').slice(0, 32)}`;

const toItem = ({ notBefore, notAfter, ...row }: FoundRow): NotificationItem => ({
  id: row.id,
  type: row.type,
  commonName: row.commonName,
  altNames: row.altNames,
  serialNumber: row.serialNumber,
  friendlyName: row.friendlyName,
  profileName: row.profileName,
  notBefore: at(notBefore).toISOString(),
  notAfter: at(notAfter).toISOString(),
});
