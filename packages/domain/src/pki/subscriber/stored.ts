import { isDeepStrictEqual } from 'node:util';
import { authorize, organizationOf, permittedNow, unlessHidden } from '../../access/index.ts';
import { atOrNull, notFound, statement, type Context, type Permission, type Transaction } from '../../kernel/index.ts';
import type { ExtendedKeyUsage, KeyUsage } from '../x509.ts';
import type { Subscriber, SubscriberProperties, SubscriberRef } from './subscriber.ts';

const SUBSCRIBER = 'pki subscriber';

export interface SubscriberRow {
  id: string;
  organizationId: string;
  projectId: string;
  caId: string | null;
  externalCaId: string | null;
  name: string;
  commonName: string;
  status: 'active' | 'disabled';
  ttl: string | null;
  subjectAlternativeNames: string[];
  keyUsages: KeyUsage[];
  extendedKeyUsages: ExtendedKeyUsage[];
  properties: SubscriberProperties | null;
  enableAutoRenewal: boolean;
  autoRenewalPeriodInDays: number | null;
  lastAutoRenewAt: string | null;
  lastOperationStatus: 'success' | 'failed' | null;
  lastOperationMessage: string | null;
  lastOperationAt: string | null;
}

/** The definition of a subscriber, without its history. */
export type Said = Omit<
  SubscriberRow,
  'lastAutoRenewAt' | 'lastOperationStatus' | 'lastOperationMessage' | 'lastOperationAt'
>;

/** Whether two versions of a subscriber have the same definition. */
export const saySame = (one: SubscriberRow, other: SubscriberRow): boolean =>
  isDeepStrictEqual(saidOf(one), saidOf(other));

const saidOf = (row: SubscriberRow) => Object.entries(row).filter(([property]) => !property.startsWith('last'));

export const SELECT = `select s.id, s.organization_id as "organizationId", s.project_id as "projectId", s.ca_id as "caId",
  s.external_ca_id as "externalCaId",
  s.name, s.common_name as "commonName", s.status, s.ttl,
  s.subject_alternative_names as "subjectAlternativeNames", s.key_usages as "keyUsages",
  s.extended_key_usages as "extendedKeyUsages", s.properties, s.enable_auto_renewal as "enableAutoRenewal",
  s.auto_renewal_period_in_days as "autoRenewalPeriodInDays", s.last_auto_renew_at as "lastAutoRenewAt",
  s.last_operation_status as "lastOperationStatus", s.last_operation_message as "lastOperationMessage",
  s.last_operation_at as "lastOperationAt"
  from pki_subscribers s`;
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
  { id, organizationId }: Pick<SubscriberRow, 'id' | 'organizationId'>,
): Promise<SubscriberRow> {
  const [row] = await tx.sql<SubscriberRow>(LOCK, [organizationId, id]);
  if (!row) throw notFound(SUBSCRIBER);
  return row;
}

/** The same for a caller with this permission on its present name. @throws DomainError 404, 403 */
export const lockPermittedSubscriber = (
  tx: Transaction,
  seen: Pick<SubscriberRow, 'id' | 'organizationId'>,
  permission: Permission,
): Promise<SubscriberRow> => permittedNow(tx, permission, lockSubscriber(tx, seen), ({ name }) => ({ name }));

/** The published form. */
export const toSubscriber = (row: SubscriberRow): Subscriber => ({
  id: row.id,
  projectId: row.projectId,
  caId: row.caId ?? row.externalCaId,
  name: row.name,
  commonName: row.commonName,
  status: row.status,
  subjectAlternativeNames: row.subjectAlternativeNames,
  ttl: row.ttl,
  keyUsages: row.keyUsages,
  extendedKeyUsages: row.extendedKeyUsages,
  lastOperationStatus: row.lastOperationStatus,
  lastOperationMessage: row.lastOperationMessage,
  lastOperationAt: atOrNull(row.lastOperationAt),
  enableAutoRenewal: row.enableAutoRenewal,
  autoRenewalPeriodInDays: row.autoRenewalPeriodInDays,
  lastAutoRenewAt: atOrNull(row.lastAutoRenewAt),
  properties: row.properties,
  supportsImmediateCertIssuance: row.caId !== null,
});
