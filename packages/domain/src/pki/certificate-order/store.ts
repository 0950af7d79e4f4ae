import { inTransaction, newId, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { DONE, type Claim } from '../../jobs/index.ts';
import {
  certificateIssued,
  certificateRenewed,
  certificateSigned,
  constraintsFound,
  isForAuthorities,
  lockCertificate,
  namedOf,
  sameNames,
  storeForeign,
  USUAL_RENEW_BEFORE,
} from '../certificate/index.ts';
import { refused, refuseErrors } from '../constraint/index.ts';
import type { IssuedElsewhere } from '../external-authority/index.ts';
import { compilePolicy, type PolicyRules } from '../policy/index.ts';
import { chainPem, readCsr, readChain, sameKey, verifyChain, type ReadCertificate } from '../x509.ts';
import { takingOf } from './imported.ts';
import { requireStanding } from './standing.ts';
import { eventDataOf, lockOrder, orderKeys, type OrderRow } from './stored.ts';
import { certificateOrderFailed } from './certificate-order.ts';
import { orders } from './work.ts';

const ISSUED = statement(
  'certificate_orders.issued',
  `update certificate_orders set status = 'issued', certificate_id = $2, private_key = null, message = null,
     updated_at = $3 where id = $1`,
);
const REQUEST = statement(
  'certificate_orders.request',
  'update certificate_requests set certificate_id = $2 where id = $1',
);
const RENEWED = statement(
  'certificate_orders.renewed',
  'update certificates set renewal_error = null, renewal_failed_at = null where id = $1 and renewal_error is not null',
);
const FAILED = statement(
  'certificate_orders.failed',
  `update certificate_orders set status = $2, private_key = null, message = $3, updated_at = $4 where id = $1`,
);
const RENEWAL_FAILED = statement(
  'certificate_orders.renewal_failed',
  'update certificates set renewal_error = $2, renewal_failed_at = $3 where id = $1',
);
const SUBSCRIBER = statement(
  'certificate_orders.subscriber',
  `update pki_subscribers set last_operation_status = $2, last_operation_message = $3, last_operation_at = $4,
     last_auto_renew_at = case when $5::boolean then $4 else last_auto_renew_at end where id = $1`,
);

/**
 * Checks that a certificate is the one that was ordered.
 *
 * @throws DomainError 400 with the violated rule.
 */
function requireOrdered(order: OrderRow, { chain }: IssuedElsewhere): readonly [ReadCertificate, ...ReadCertificate[]] {
  const path = readChain(chain);
  const [certificate, ...above] = path;
  if (!certificate) throw refused('certificate_order.chain', 'The authority returned no certificate');
  if (!sameKey(certificate.publicKey, readCsr(order.csr).publicKey))
    throw refused('certificate_order.key', 'The authority has certified another key');
  if (!sameNames(certificate.altNames, order.names) || certificate.hasOtherAltNames)
    throw refused('certificate_order.names', 'The authority has issued a certificate with other names');
  const { commonName } = certificate.subject;
  // A public authority may add what it has verified itself, such as the organization; a name it has from the order.
  if (commonName !== undefined && ![order.commonName, ...order.names.map(({ value }) => value)].includes(commonName))
    throw refused('certificate_order.subject', 'The authority has issued a certificate with another common name');
  // None of these are ordered: see `placeOrder`.
  if (certificate.ca || isForAuthorities(certificate) || certificate.extendedKeyUsages.includes('ocspSigning'))
    throw refused(
      'certificate_order.usage',
      'The authority has issued a certificate that signs others, or their status',
    );
  if (above.length > 0) {
    const problem = verifyChain(certificate, above, certificate.notBefore);
    if (problem && problem.rule !== 'expired' && problem.rule !== 'not_yet_valid')
      throw refused('certificate_order.chain', problem.message);
  }
  return [certificate, ...above];
}

/** The authority decides the validity, the usages and the signature. @throws DomainError 400 with the violated rule of the policy. */
async function requireWithin(rules: PolicyRules, certificate: ReadCertificate): Promise<void> {
  const { other: _, ...subject } = certificate.subject;
  const content = { ...certificate, subject, ocspNoCheck: certificate.ocspNoCheck };
  const by = { constraints: [compilePolicy(rules)], allowedSubjects: [subject] };
  refuseErrors(await constraintsFound(by, content, certificate.signatureAlgorithm));
}

const IS_REVOKED = statement(
  'certificate_orders.is_revoked',
  `select from certificate_orders where organization_id = $1 and revoked_fingerprint = $2 and external_ca_id = $3
   limit 1`,
);

/**
 * An authority may answer two of its orders alike: what was revoked for one of them is not stored for the other. What another
 * authority, which may be anybody's, has answered says nothing.
 *
 * @throws DomainError 400
 */
async function requireNotRevoked(tx: Transaction, order: OrderRow, certificate: ReadCertificate): Promise<void> {
  const fingerprint = Buffer.from(certificate.fingerprintSha256, 'hex');
  if ((await tx.sql(IS_REVOKED, [order.organizationId, fingerprint, order.externalCaId])).length > 0)
    throw refused(
      'certificate_order.revoked',
      'The certificate was revoked: it was issued for an order that has ended',
    );
}

/**
 * Stores the certificate of an order, and settles the claim, unless the order was cancelled meanwhile.
 *
 * @throws DomainError 400 if it is another certificate than was ordered, or is no longer to be issued.
 */
export async function storeIssued(ctx: Context, claim: Claim, order: OrderRow, issued: IssuedElsewhere): Promise<void> {
  const [certificate, ...above] = requireOrdered(order, issued);
  await inTransaction(ctx, async (tx) => {
    const rules = await requireStanding(tx, order);
    if (rules) await requireWithin(rules, certificate);
    await requireNotRevoked(tx, order, certificate);
    const row = await lockOrder(tx, order.organizationId, order.id);
    if (row?.status !== 'pending') {
      // What was issued is withdrawn at once.
      await orders.settle(tx, claim, { failures: 0, dueAt: tx.now() });
      return;
    }
    if (!(await orders.settle(tx, claim, DONE))) return;
    const { organizationId, projectId, content } = row;
    const sealedAt = { id: row.id, organizationId, projectId };
    const privateKey = row.privateKey ? await orderKeys.openBytes(tx, sealedAt, row.privateKey) : undefined;
    const place = { id: newId(), organizationId, projectId };
    const certificateId = await storeForeign(tx, place, {
      certificate,
      chain: above.length > 0 ? chainPem(above.map(({ der }) => der)) : '',
      privateKey,
      friendlyName: row.friendlyName,
      source: content.source,
      ordered: {
        externalCaId: row.externalCaId,
        externalReference: issued.reference ?? null,
        profileId: row.profileId,
        pkiSubscriberId: row.pkiSubscriberId,
        renewedFromId: row.renewedFromId,
        renewBeforeDays: await renewBeforeDaysOf(tx, row),
        metadata: content.metadata,
        taking: (imported) => takingOf(tx, row, imported),
      },
    });
    privateKey?.fill(0);
    await tx.sql(ISSUED, [row.id, certificateId, tx.now()]);
    await tx.sql(REQUEST, [row.id, certificateId]);
    await noteIssued(tx, row, certificateId, certificate.serialNumber);
  });
}

const CONFIG = statement(
  'certificate_orders.profile_config',
  'select config from certificate_profiles where organization_id = $1 and id = $2',
);

/**
 * When the next one is renewed by itself: as the one that it renews, or as the profile says. Both may have been changed since the
 * order was placed.
 */
async function renewBeforeDaysOf(tx: Transaction, order: OrderRow): Promise<number | null> {
  const { organizationId, profileId, renewedFromId, content } = order;
  if (renewedFromId !== null) return (await lockCertificate(tx, renewedFromId)).renewBeforeDays;
  if (content.renewBeforeDays === undefined || profileId === null) return content.renewBeforeDays ?? null;
  type Config = { autoRenew?: boolean; renewBeforeDays?: number | null };
  const [profile] = await tx.sql<{ config: Config }>(CONFIG, [organizationId, profileId]);
  return profile?.config.autoRenew ? (profile.config.renewBeforeDays ?? USUAL_RENEW_BEFORE) : null;
}

async function noteIssued(tx: Transaction, row: OrderRow, certificateId: string, serialNumber: string): Promise<void> {
  const { organizationId, projectId, commonName, profileId, content } = row;
  const data = {
    certificateId,
    serialNumber,
    commonName,
    caId: row.externalCaId,
    certificateTemplateId: null,
    profileId,
  };
  const event = content.source === 'sign' ? certificateSigned : certificateIssued;
  record(tx, event, { ...data, source: content.source }, { organizationId, projectId });
  if (row.pkiSubscriberId !== null) {
    const message = content.isAutomatic ? 'A certificate was renewed automatically' : 'A certificate was issued';
    await tx.sql(SUBSCRIBER, [row.pkiSubscriberId, 'success', message, tx.now(), content.isAutomatic]);
  }
  if (row.renewedFromId === null) return;
  await tx.sql(RENEWED, [row.renewedFromId]);
  const renewed = { ...namedOf(await lockCertificate(tx, row.renewedFromId)), renewedCertificateId: certificateId };
  record(tx, certificateRenewed, renewed, { organizationId, projectId });
}

/** Ends an order without a certificate. It stays due until everything made for it is removed. */
export async function endOrder(
  tx: Transaction,
  row: OrderRow,
  status: 'failed' | 'cancelled',
  message: string,
): Promise<void> {
  await tx.sql(FAILED, [row.id, status, message, tx.now()]);
  if (status === 'cancelled') return;
  const { organizationId, projectId } = row;
  record(tx, certificateOrderFailed, eventDataOf(row), { organizationId, projectId });
  if (row.renewedFromId !== null) await tx.sql(RENEWAL_FAILED, [row.renewedFromId, message, tx.now()]);
  if (row.pkiSubscriberId !== null) await tx.sql(SUBSCRIBER, [row.pkiSubscriberId, 'failed', message, tx.now(), false]);
}
