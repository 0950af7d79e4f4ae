import { isDeepStrictEqual } from 'node:util';
import { authorize, organizationOf, unlessHidden } from '../../access/index.ts';
import { atOrNull, notFound, statement, type Context, type Permission, type Transaction } from '../../kernel/index.ts';
import type { ExtendedKeyUsage, KeyUsage } from '../x509.ts';
import type { Subscriber, SubscriberProperties, SubscriberRef } from './subscriber.ts';

const SUBSCRIBER = 'pki subscriber';

export interface SubscriberRow {
  id: string;
  organization_id: string;
  project_id: string;
  ca_id: string | null;
  name: string;
  common_name: string;
  status: 'active' | 'disabled';
  ttl: string | null;
  subject_alternative_names: string[];
  key_usages: KeyUsage[];
  extended_key_usages: ExtendedKeyUsage[];
  properties: SubscriberProperties | null;
  enable_auto_renewal: boolean;
  auto_renewal_period_in_days: number | null;
  last_auto_renew_at: string | null;
  last_operation_status: 'success' | 'failed' | null;
  last_operation_message: string | null;
  last_operation_at: string | null;
}

/** The definition of a subscriber, without its history. */
export type Said = Omit<
  SubscriberRow,
  'last_auto_renew_at' | 'last_operation_status' | 'last_operation_message' | 'last_operation_at'
>;

/** Whether two versions of a subscriber have the same definition. */
export const saySame = (one: SubscriberRow, other: SubscriberRow): boolean =>
  isDeepStrictEqual(saidOf(one), saidOf(other));

const saidOf = (row: SubscriberRow) => Object.entries(row).filter(([column]) => !column.startsWith('last_'));

export const SELECT = `select s.id, s.organization_id, s.project_id, s.ca_id, s.name, s.common_name, s.status, s.ttl,
  s.subject_alternative_names, s.key_usages, s.extended_key_usages, s.properties, s.enable_auto_renewal,
  s.auto_renewal_period_in_days, s.last_auto_renew_at, s.last_operation_status, s.last_operation_message,
  s.last_operation_at from pki_subscribers s`;
const BY_NAME = statement(
  'pki_subscribers.by_name',
  `${SELECT} where s.organization_id = $1 and s.project_id = $2 and s.name = $3`,
);
const BY_ID = statement('pki_subscribers.by_id', `${SELECT} where s.organization_id = $1 and s.id = $2`);
const LOCK = statement('pki_subscribers.lock', `${SELECT} where s.organization_id = $1 and s.id = $2 for update`);

/** @throws DomainError 403, 404 also for a project that the caller is no member of. */
export const authorizeSubscriber = (ctx: Context, permission: Permission, projectId: string, name: string) =>
  unlessHidden(SUBSCRIBER, authorize(ctx, permission, { projectId, name }));

/**
 * The subscriber with this name, for callers with this permission on the name. Others do not learn whether it exists.
 *
 * @throws DomainError 404, 403
 */
export async function requireSubscriber(
  ctx: Context,
  permission: Permission,
  { projectId, subscriberName }: SubscriberRef,
): Promise<SubscriberRow> {
  await authorizeSubscriber(ctx, permission, projectId, subscriberName);
  const [row] = await ctx.sql<SubscriberRow>(BY_NAME, [organizationOf(ctx), projectId, subscriberName]);
  if (!row) throw notFound(SUBSCRIBER);
  return row;
}

/** The same by its id, for Coffer itself. */
export async function subscriberById(ctx: Context, organizationId: string, id: string): Promise<SubscriberRow> {
  const [row] = await ctx.sql<SubscriberRow>(BY_ID, [organizationId, id]);
  if (!row) throw notFound(SUBSCRIBER);
  return row;
}

/**
 * The current row, locked until the transaction ends.
 *
 * @throws DomainError 404
 */
export async function lockSubscriber(
  tx: Transaction,
  { id, organization_id }: Pick<SubscriberRow, 'id' | 'organization_id'>,
): Promise<SubscriberRow> {
  const [row] = await tx.sql<SubscriberRow>(LOCK, [organization_id, id]);
  if (!row) throw notFound(SUBSCRIBER);
  return row;
}

/** The published form. */
export const toSubscriber = (row: SubscriberRow): Subscriber => ({
  id: row.id,
  projectId: row.project_id,
  caId: row.ca_id,
  name: row.name,
  commonName: row.common_name,
  status: row.status,
  subjectAlternativeNames: row.subject_alternative_names,
  ttl: row.ttl,
  keyUsages: row.key_usages,
  extendedKeyUsages: row.extended_key_usages,
  lastOperationStatus: row.last_operation_status,
  lastOperationMessage: row.last_operation_message,
  lastOperationAt: atOrNull(row.last_operation_at),
  enableAutoRenewal: row.enable_auto_renewal,
  autoRenewalPeriodInDays: row.auto_renewal_period_in_days,
  lastAutoRenewAt: atOrNull(row.last_auto_renew_at),
  properties: row.properties,
  supportsImmediateCertIssuance: row.ca_id !== null,
});
