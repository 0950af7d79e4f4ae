import { authorizeChange, organizationOf, readable, filterInTurns } from '../../access/index.ts';
import {
  givenFields,
  explainConstraint,
  fewIn,
  inTransaction,
  newId,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { holdAnyAuthority, requireMayBind } from '../external-authority/index.ts';
import { altNamesOf, authorizeAutoRenewalBy, requireRenewable } from './content.ts';
import {
  authorizeSubscriber,
  lockPermittedSubscriber,
  lockSubscriber,
  requireSubscriber,
  SELECT,
  toSubscriber,
  type Said,
  type SubscriberRow,
} from './stored.ts';
import {
  subscriberCreated,
  subscriberDeleted,
  subscriberPermissions,
  subscriberUpdated,
  type CreateSubscriber,
  type Subscriber,
  type SubscriberRef,
  type UpdateSubscriber,
} from './subscriber.ts';

explainConstraint('pki_subscribers_name_unique', 'A subscriber with this name already exists in the project');

/** A list of them with all of their names fits into an answer. */
const requireFew = fewIn('project', {
  table: 'pki_subscribers',
  most: 2_000,
  code: 'pki_subscriber.too_many',
  of: 'subscribers',
});

const FIELDS = `ca_id, name, common_name, status, ttl, subject_alternative_names, key_usages, extended_key_usages,
  properties, enable_auto_renewal, auto_renewal_period_in_days, external_ca_id, updated_at`;
const INSERT = statement(
  'pki_subscribers.insert',
  `insert into pki_subscribers (id, organization_id, project_id, ${FIELDS}, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)`,
);
/** A change is later than what was ordered before, whichever process did so: `certificate-order/standing.ts` compares the times. */
const UPDATE = statement(
  'pki_subscribers.update',
  `update pki_subscribers set (${FIELDS}) = ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, greatest($16::timestamptz,
     (select max(o.created_at) + interval '1 millisecond' from certificate_orders o where o.pki_subscriber_id = $1)))
   where id = $1 and organization_id = $2 and project_id = $3`,
);
const DELETE = statement(
  'pki_subscribers.delete',
  'delete from pki_subscribers where organization_id = $1 and id = $2',
);
const OF_PROJECT = statement(
  'pki_subscribers.of_project',
  `${SELECT} where s.organization_id = $1 and s.project_id = $2 order by s.name`,
);

const valuesOf = (tx: Transaction, row: Said) => [
  ...[row.id, row.organizationId, row.projectId, row.caId, row.name, row.commonName, row.status, row.ttl],
  ...[row.subjectAlternativeNames, row.keyUsages, row.extendedKeyUsages],
  row.properties && JSON.stringify(row.properties),
  ...[row.enableAutoRenewal, row.autoRenewalPeriodInDays, row.externalCaId, tx.now()],
];

const eventData = (row: Said) => ({
  pkiSubscriberId: row.id,
  name: row.name,
  caId: row.caId ?? row.externalCaId,
  commonName: row.commonName,
  subjectAlternativeNames: row.subjectAlternativeNames,
  status: row.status,
  enableAutoRenewal: row.enableAutoRenewal,
});

/**
 * Auto-renewal issues without a caller: enabling it needs the right to issue, without an end.
 *
 * @throws DomainError 400, 403
 */
async function requireSound(ctx: Context, row: Said): Promise<void> {
  altNamesOf(row);
  requireRenewable(row);
  if (row.enableAutoRenewal && row.status === 'active') await authorizeAutoRenewalBy(ctx, row);
}

const distinct = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

/**
 * Creates a subscriber. With auto-renewal it gets its first certificate soon after.
 *
 * @throws DomainError 404 also for an unknown authority, 403 also without the right to read the authority (for auto-renewal also
 * without `issue-cert`); 400
 * `pki_subscribers_name_unique`, `pki_subscriber.auto_renewal`, `.too_many`, `alt_name.<kind>`.
 */
export async function createSubscriber(ctx: Context, input: CreateSubscriber): Promise<Subscriber> {
  const { projectId, name } = input;
  await authorizeSubscriber(ctx, subscriberPermissions.create, projectId, name);
  const row: Said = {
    id: newId(),
    organizationId: organizationOf(ctx),
    projectId,
    caId: input.caId,
    externalCaId: null,
    name,
    commonName: input.commonName,
    status: input.status,
    ttl: input.ttl || null,
    subjectAlternativeNames: distinct(input.subjectAlternativeNames),
    keyUsages: distinct(input.keyUsages),
    extendedKeyUsages: distinct(input.extendedKeyUsages),
    properties: input.properties ?? null,
    enableAutoRenewal: input.enableAutoRenewal,
    autoRenewalPeriodInDays: input.autoRenewalPeriodInDays ?? null,
  };
  await requireSound(ctx, row);
  return inTransaction(ctx, async (tx) => {
    const bound = await holdAnyAuthority(tx, projectId, input.caId);
    await requireMayBind(tx, bound);
    await tx.sql(INSERT, valuesOf(tx, { ...row, ...bound }));
    await requireFew(tx, projectId);
    record(tx, subscriberCreated, eventData(row), { projectId });
    return toSubscriber(await lockSubscriber(tx, row));
  });
}

/** @throws DomainError 404, 403. */
export const getSubscriber = async (ctx: Context, ref: SubscriberRef): Promise<Subscriber> =>
  toSubscriber(await requireSubscriber(ctx, subscriberPermissions.read, ref));

/** The subscribers of a project that the caller may read, by name. */
export async function listSubscribers(ctx: Context, { projectId }: { projectId: string }): Promise<Subscriber[]> {
  const isReadable = await readable(ctx, subscriberPermissions.read, { projectId });
  const rows = await ctx.sql<SubscriberRow>(OF_PROJECT, [organizationOf(ctx), projectId]);
  return (await filterInTurns(rows, ({ name }) => isReadable({ name }))).map(toSubscriber);
}

/**
 * Updates the given fields of a subscriber; issued certificates are unchanged.
 *
 * @throws DomainError 404, 403 (also for the new name); 400 as `createSubscriber`.
 */
export async function updateSubscriber(ctx: Context, input: UpdateSubscriber): Promise<Subscriber> {
  const { projectId } = input;
  const { edit } = subscriberPermissions;
  const seen = await requireSubscriber(ctx, edit, input);
  return inTransaction(ctx, async (tx) => {
    // Before its own row, as in the deletion of the authority.
    const bound = input.caId === undefined ? undefined : await holdAnyAuthority(tx, projectId, input.caId);
    const present = await lockSubscriber(tx, seen);
    const row = { ...changed(present, input), ...bound };
    await authorizeChange(tx, subscriberPermissions, {
      projectId,
      before: { name: present.name },
      after: { name: row.name },
    });
    if (bound && (bound.caId !== present.caId || bound.externalCaId !== present.externalCaId))
      await requireMayBind(tx, bound);
    await requireSound(tx, row);
    await tx.sql(UPDATE, valuesOf(tx, row));
    const { projectId: _, subscriberName: _name, ...changes } = input;
    record(tx, subscriberUpdated, { ...eventData(row), changed: givenFields(changes) }, { projectId });
    return toSubscriber(await lockSubscriber(tx, row));
  });
}

const changed = (row: SubscriberRow, input: UpdateSubscriber): Said => ({
  ...row,
  name: input.name ?? row.name,
  commonName: input.commonName ?? row.commonName,
  status: input.status ?? row.status,
  ttl: input.ttl === undefined ? row.ttl : input.ttl || null,
  subjectAlternativeNames: distinct(input.subjectAlternativeNames ?? row.subjectAlternativeNames),
  keyUsages: distinct(input.keyUsages ?? row.keyUsages),
  extendedKeyUsages: distinct(input.extendedKeyUsages ?? row.extendedKeyUsages),
  properties: input.properties ?? row.properties,
  enableAutoRenewal: input.enableAutoRenewal ?? row.enableAutoRenewal,
  autoRenewalPeriodInDays: input.autoRenewalPeriodInDays ?? row.autoRenewalPeriodInDays,
});

/** Deletes a subscriber; what was issued to it stays valid, and belongs to none. @throws DomainError 404, 403. */
export async function deleteSubscriber(ctx: Context, ref: SubscriberRef): Promise<Subscriber> {
  const seen = await requireSubscriber(ctx, subscriberPermissions.delete, ref);
  return inTransaction(ctx, async (tx) => {
    const row = await lockPermittedSubscriber(tx, seen, subscriberPermissions.delete);
    const { projectId, name } = row;
    await tx.sql(DELETE, [row.organizationId, row.id]);
    record(tx, subscriberDeleted, { pkiSubscriberId: row.id, name }, { projectId });
    return toSubscriber(row);
  });
}
