import { at, inTransaction, notFound, parseDuration, statement, type Context } from '../../kernel/index.ts';
import {
  authorizeRenewalBy,
  findCertificate,
  isDueForRenewal,
  keyFor,
  lockCertificate,
  lockRenewedCertificate,
  maySucceed,
  policyRulesOf,
  renewalFailed,
  renewalRules,
  renewCertificate,
  succeeding,
  type Issued,
  type Order,
  type OrderedKey,
  type RenewCertificate,
  type StoredCertificate,
} from '../certificate/index.ts';
import { reading, refused } from '../constraint/index.ts';
import { externalAuthorityById } from '../external-authority/index.ts';
import { defineRenewal, type Due } from '../renewal/index.ts';
import { readCsr, type ExtendedKeyUsage, type KeyAlgorithm, type KeyUsage } from '../x509.ts';
import type { PlacedOrder } from './certificate-order.ts';
import { placeOrder } from './place.ts';

/**
 * Renews a certificate. One of an external authority is ordered there: see `placeOrder`.
 *
 * @throws DomainError as `renewCertificate`.
 */
export async function renewAnyCertificate(ctx: Context, input: RenewCertificate): Promise<Issued | PlacedOrder> {
  const row = await findCertificate(ctx, input.id);
  if (row.externalCaId === null) return renewCertificate(ctx, input);
  const { allowed } = await authorizeRenewalBy(ctx, row, input);
  const ttl = input.ttl === undefined ? undefined : parseDuration(input.ttl);
  const csr = input.csr === undefined ? undefined : reading(() => readCsr(input.csr!)).der;
  const isSuccessor = await maySucceed(ctx, row);
  return orderAnew(ctx, row, {
    key: await keyFor(ctx, row, input),
    csr,
    ttl,
    allowed,
    isSuccessor,
    isAutomatic: false,
  });
}

interface Anew {
  readonly key: OrderedKey;
  readonly csr?: Buffer | undefined;
  readonly ttl?: number | undefined;
  readonly allowed?: Order['subject'];
  readonly isSuccessor: boolean;
  readonly isAutomatic: boolean;
}

const BEFORE = statement(
  'certificate_orders.before',
  `select (select r.id from certificates r where r.renewed_from_id = $1) as renewed,
     exists (select from certificate_orders o where o.renewed_from_id = $1 and o.status = 'pending' and o.id <> $2) as "isOrdered"`,
);

async function orderAnew(ctx: Context, row: StoredCertificate, anew: Anew): Promise<PlacedOrder> {
  const { externalCaId } = row;
  const authority = externalCaId === null ? undefined : await externalAuthorityById(ctx, externalCaId);
  if (!authority) throw notFound('certificate authority');
  requireRenewable(row);
  const { constraints, allowedSubjects, profile } = await renewalRules(ctx, row);
  const rules = await policyRulesOf(ctx, row);
  // With the key of a CSR or an earlier one, the names are in the request.
  const order: Order = {
    subject: row.subject,
    altNames: row.names,
    key: anew.key,
    ttl: anew.ttl ?? at(row.notAfter).getTime() - at(row.notBefore).getTime(),
    keyUsages: (row.keyUsages ?? []) as KeyUsage[],
    extendedKeyUsages: (row.extendedKeyUsages ?? []) as ExtendedKeyUsage[],
    constraints,
    allowedSubjects: anew.allowed ? [...allowedSubjects, anew.allowed] : allowedSubjects,
    source: 'make' in anew.key ? 'issue' : 'sign',
    profile,
    ...(anew.isSuccessor && succeeding(row)),
  };
  const toOrder = { order, csr: anew.csr, rules, isAutomatic: anew.isAutomatic, isRequest: true };
  return placeOrder(ctx, authority, toOrder, async (tx, { orderId }) => {
    requireRenewable(await lockRenewedCertificate(tx, row));
    if (!anew.isSuccessor) return;
    const [before] = await tx.sql<{ renewed: string | null; isOrdered: boolean }>(BEFORE, [row.id, orderId]);
    if (before?.renewed)
      throw refused('certificates_renewed_from_unique', 'The certificate was already renewed; renew its successor');
    if (before?.isOrdered) throw refused('certificate_order.pending', 'The renewal is already ordered');
  });
}

function requireRenewable({ status, pkiSubscriberId }: StoredCertificate): void {
  if (status === 'revoked') throw refused('certificate.revoked', 'A revoked certificate cannot be renewed');
  if (pkiSubscriberId !== null)
    throw refused('certificate.subscriber', 'The certificate belongs to a subscriber: order by the subscriber');
}

/** Between orders of a certificate that have failed: authorities limit these. */
const REST = '6 hours';

/** Certificates of external authorities due for auto-renewal: an order of each is placed. */
const certificates = defineRenewal({
  name: 'external_certificate',
  table: 'certificates',
  isDue: `${isDueForRenewal('t.external_ca_id is not null and t.pki_subscriber_id is null')}
    and not exists (select from certificate_orders o where o.renewed_from_id = t.id
      and (o.status = 'pending' or o.updated_at > $1::timestamptz - interval '${REST}'))`,
  order: 't.renewal_failed_at nulls first, t.not_after',
  schedule: '7,17,27,37,47,57 * * * *',
  renew,
  failed: renewalFailed,
});

export const { renewJob: renewExternalCertificateJob, findJob: dueExternalCertificates } = certificates;

async function renew(ctx: Context, { id }: Due): Promise<void> {
  const row = await inTransaction(ctx, (tx) => lockCertificate(tx, id));
  await orderAnew(ctx, row, { key: { make: row.keyAlgorithm as KeyAlgorithm }, isSuccessor: true, isAutomatic: true });
}
