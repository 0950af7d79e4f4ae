import { conflict, record, statement, type Context, type EventType, type Transaction } from '../../kernel/index.ts';
import { signerOf, type Signer } from '../authority/index.ts';
import { issueCertificate, readRequest, type Issued, type OrderedKey } from '../certificate/index.ts';
import { refused } from '../constraint/index.ts';
import { keyAlgorithmOf } from '../x509.ts';
import { altNamesOf, authorizeIssueBy, keyUsagesOf, requireOwn, subjectOf, ttlOf } from './content.ts';
import { lockSubscriber, requireSubscriber, saySame, type SubscriberRow } from './stored.ts';
import {
  subscriberIssued,
  subscriberPermissions,
  subscriberSigned,
  type SignForSubscriber,
  type SubscriberRef,
} from './subscriber.ts';

const DONE = statement(
  'pki_subscribers.done',
  `update pki_subscribers set last_operation_status = 'success', last_operation_message = $3, last_operation_at = $4,
     last_auto_renew_at = case when $5::boolean then $4 else last_auto_renew_at end
   where organization_id = $1 and id = $2`,
);

/** How a subscriber gets a certificate. */
export interface Way {
  readonly event: EventType<{ pkiSubscriberId: string; name: string; certificateId: string; serialNumber: string }>;
  /** For readers of the subscriber. */
  readonly message: string;
  readonly isAutomatic?: boolean;
  readonly renewedFromId?: string | undefined;
  /** Default: the subscriber's TTL from now. */
  readonly notAfter?: Date;
  /** Joins the transaction that stores it, when the subscriber is locked. */
  readonly also?: (tx: Transaction, issued: Issued) => Promise<void>;
}

/**
 * The authority of a subscriber that issues now.
 *
 * @throws DomainError 400 `pki_subscriber.disabled`, `pki_subscriber.no_authority`, `certificate_authority.not_active`.
 */
export async function signerFor(ctx: Context, row: SubscriberRow): Promise<Signer> {
  requireActive(row);
  if (row.externalCaId !== null)
    throw refused('pki_subscriber.external_authority', 'The authority is external: use order-certificate');
  if (row.caId === null)
    throw refused('pki_subscriber.no_authority', 'The authority of the subscriber was deleted: set another caId');
  return signerOf(ctx, row.caId);
}

/** @throws DomainError 400 */
export function requireActive({ status }: SubscriberRow): void {
  if (status === 'disabled') throw refused('pki_subscriber.disabled', 'The subscriber is disabled');
}

/**
 * Issues a subscriber's content, for the key of a CSR or a new one. Permissions were checked.
 *
 * @throws DomainError 400 with the violated rule, `pki_subscriber.changed` if it was updated meanwhile.
 */
export function issueTo(ctx: Context, row: SubscriberRow, signer: Signer, key: OrderedKey, way: Way): Promise<Issued> {
  const algorithm = 'make' in key ? key.make : keyAlgorithmOf(key.publicKey);
  const order = {
    subject: subjectOf(row),
    altNames: altNamesOf(row),
    key,
    ...(way.notAfter ? { notAfter: way.notAfter } : { ttl: ttlOf(row) }),
    keyUsages: keyUsagesOf(row, algorithm ?? signer.issuer.algorithm),
    extendedKeyUsages: row.extendedKeyUsages,
    constraints: [],
    // Creators of subscribers choose the names.
    allowedSubjects: [subjectOf(row)],
    source: 'subscriber' as const,
    friendlyName: row.commonName,
    pkiSubscriberId: row.id,
    renewedFromId: way.renewedFromId,
  };
  const first = async (tx: Transaction) => {
    const now = await lockSubscriber(tx, row);
    requireActive(now);
    if (!saySame(now, row))
      throw conflict('pki_subscriber.changed', 'The subscriber was changed concurrently: try again');
  };
  const also = async (tx: Transaction, issued: Issued) => {
    const { id, name, organizationId, projectId } = row;
    await way.also?.(tx, issued);
    await tx.sql(DONE, [organizationId, id, way.message, tx.now(), way.isAutomatic ?? false]);
    const { certificateId, serialNumber } = issued;
    const data = { pkiSubscriberId: id, name, certificateId, serialNumber };
    record(tx, way.event, data, { organizationId, projectId });
  };
  return issueCertificate(ctx, signer, order, { first, also });
}

/**
 * Issues a certificate to a subscriber, for a key that is made here.
 *
 * @throws DomainError 404, 403; 400 `pki_subscriber.disabled`, or by the rule that it breaks.
 */
export async function issueForSubscriber(ctx: Context, ref: SubscriberRef): Promise<Issued & { privateKey: string }> {
  const row = await requireIssuing(ctx, ref);
  const signer = await signerFor(ctx, row);
  const way = { event: subscriberIssued, message: 'A certificate was issued' };
  const { privateKey, ...issued } = await issueTo(ctx, row, signer, { make: signer.issuer.algorithm }, way);
  return { ...issued, privateKey: privateKey! };
}

/**
 * Issues a certificate to a subscriber, for the key of a CSR, which is all that is used of it.
 *
 * @throws DomainError as `issueForSubscriber`; 400 `csr.<rule>`, and `subscriber.<rule>` if the CSR requests something
 * beyond the subscriber's content.
 */
export async function signForSubscriber(ctx: Context, { csr: pem, ...ref }: SignForSubscriber): Promise<Issued> {
  const row = await requireIssuing(ctx, ref);
  const signer = await signerFor(ctx, row);
  const { csr, subject, altNames } = readRequest(pem);
  await requireOwn(ctx, row, csr, subject, altNames);
  const way = { event: subscriberSigned, message: 'A certificate was issued for a CSR' };
  return issueTo(ctx, row, signer, { publicKey: csr.publicKey }, way);
}

/** The subscriber, if the caller may issue by it. @throws DomainError 404, 403 */
export async function requireIssuing(ctx: Context, ref: SubscriberRef): Promise<SubscriberRow> {
  const row = await requireSubscriber(ctx, subscriberPermissions['issue-cert'], ref);
  await authorizeIssueBy(ctx, row);
  return row;
}
