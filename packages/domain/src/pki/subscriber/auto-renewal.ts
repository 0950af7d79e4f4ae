import { at, conflict, DomainError, inTransaction, statement, type Context } from '../../kernel/index.ts';
import type { Signer } from '../authority/index.ts';
import { refused } from '../constraint/index.ts';
import { defineRenewal, type Due } from '../renewal/index.ts';
import { ttlOf } from './content.ts';
import { orderTo } from './order.ts';
import { issueTo, signerFor, type Way } from './issue.ts';
import { subscriberById, type SubscriberRow } from './stored.ts';
import { subscriberRenewed } from './subscriber.ts';

/**
 * Whether it has no certificate with a key here that is valid for longer: short-lived ones are renewed in the second half of
 * their validity. A certificate for the key of a CSR takes the place of none that is renewed: it has no key to go on with.
 */
const lacks = (besides = '') => `not exists (select from certificates c where c.pki_subscriber_id = t.id
    and c.status = 'active' and c.private_key is not null ${besides} and c.not_after > $1
    and c.not_after - least(make_interval(days => t.auto_renewal_period_in_days),
    (c.not_after - c.not_before) / 2) > $1)`;

/** Whether a key here is asked for: where all certificates are for keys of CSRs, nobody has asked for one. The first one is made. */
const keyIsAsked = (besides = '') => `(exists (select from certificates c where c.pki_subscriber_id = t.id
    and c.private_key is not null ${besides})
    or not exists (select from certificates c where c.pki_subscriber_id = t.id ${besides}))`;

/** External authorities limit orders that fail. */
const NOT_ORDERED = `not exists (select from certificate_orders o where o.pki_subscriber_id = t.id
    and (o.status = 'pending' or (o.status = 'failed' and o.updated_at > $1::timestamptz - interval '6 hours')))`;

/** Every ten minutes, because certificates may be valid for only an hour. Those with the oldest attempt come first. */
const subscribers = defineRenewal({
  name: 'subscriber',
  table: 'pki_subscribers',
  isDue: `t.enable_auto_renewal and t.status = 'active' and ${lacks()} and ${keyIsAsked()} and ${NOT_ORDERED}`,
  order: 't.last_operation_at nulls first',
  schedule: '3,13,23,33,43,53 * * * *',
  renew,
  failed,
});

export const { renewJob: renewSubscriberJob, findJob: dueSubscribers, enqueueDue: enqueueDueSubscribers } = subscribers;

/** The newest currently valid certificate, and whether it was renewed. */
const findLatest = (name: string, which = '') =>
  statement(
    `pki_subscribers.${name}`,
    `select c.id, c.not_after as "notAfter", exists (select from certificates r where r.renewed_from_id = c.id) as "isRenewed"
   from certificates c where c.organization_id = $1 and c.pki_subscriber_id = $2 and c.status = 'active' ${which}
     and c.not_after > $3 order by c.created_at desc, c.id desc limit 1`,
  );
const LATEST = findLatest('latest');
const LATEST_WITH_KEY = findLatest('latest_with_key', 'and c.private_key is not null');
interface Latest {
  readonly id: string;
  readonly notAfter: string;
  readonly isRenewed: boolean;
}
const DUE_BESIDES = statement(
  'pki_subscribers.due_besides',
  `select 1 from pki_subscribers t where t.enable_auto_renewal and t.organization_id = $2 and t.id = $3
     and ${lacks('and c.id <> $4')} and ${keyIsAsked('and c.id <> $4')}`,
);

/** The newest currently valid certificate of a subscriber. */
export async function latestOf(ctx: Context, { organizationId, id }: SubscriberRow): Promise<Latest | undefined> {
  const [latest] = await ctx.sql<Latest>(LATEST, [organizationId, id, ctx.now()]);
  return latest;
}

/** Issues the subscriber's current content with a new key; also the first one. */
async function renew(ctx: Context, { id, organizationId }: Due): Promise<void> {
  const row = await subscriberById(ctx, organizationId, id);
  const [renewed] = await ctx.sql<Latest>(LATEST_WITH_KEY, [organizationId, id, ctx.now()]);
  if (row.externalCaId !== null) return void (await orderTo(ctx, row, renewed, true));
  const signer = await signerFor(ctx, row);
  const way: Way = {
    event: subscriberRenewed,
    message: 'A certificate was renewed automatically',
    isAutomatic: true,
    notAfter: endFor(ctx, row, signer, renewed),
    renewedFromId: renewed?.isRenewed ? undefined : renewed?.id,
    also: async (tx, { certificateId }) => {
      const still = await tx.sql(DUE_BESIDES, [tx.now(), organizationId, id, certificateId]);
      if (still.length === 0) throw conflict('pki_subscriber.renewed', 'The subscriber already has a certificate');
    },
  };
  await issueTo(ctx, row, signer, { make: signer.issuer.algorithm }, way);
}

/**
 * Limited by the authority, which must allow a later expiry than the previous one.
 *
 * @throws DomainError 400
 */
function endFor(ctx: Context, row: SubscriberRow, { issuer }: Signer, renewed: Latest | undefined): Date {
  const end = new Date(ctx.now().getTime() + ttlOf(row));
  if (end <= issuer.notAfter) return end;
  if (renewed && issuer.notAfter <= at(renewed.notAfter))
    throw refused('certificate.validity', 'The authority ends with the present certificate: renew the authority');
  return issuer.notAfter;
}

const FAILED = statement(
  'pki_subscribers.failed',
  `update pki_subscribers set last_operation_status = 'failed', last_operation_message = $3, last_operation_at = $4
   where organization_id = $1 and id = $2`,
);
const LONGEST = 1_000;

/** Stored for readers of the subscriber until it succeeds. */
async function failed(ctx: Context, { id, organizationId }: Due, error: unknown): Promise<void> {
  const message =
    error instanceof DomainError ? error.message : 'Internal error; the log of the server has the details';
  await inTransaction(ctx, async (tx) => {
    await tx.sql(FAILED, [organizationId, id, message.slice(0, LONGEST), tx.now()]);
  });
}
