import { isRemote } from '../../family/index.ts';
import { inTransaction, record, statement, type Context } from '../../kernel/index.ts';
import {
  certificatesById,
  lockCertificate,
  lockPathsEndedBy,
  noteRevokedElsewhere,
  type StoredCertificate,
} from '../certificate/index.ts';
import {
  certificateOfOrder,
  NOT_WANTED,
  type IssuedElsewhere,
  type OpenAuthority,
  type Progress,
} from '../external-authority/index.ts';
import { REVOCATION_REASONS, type ReadCertificate } from '../x509.ts';
import { certificateOrderLeft, certificateOrderRevoked } from './certificate-order.ts';
import { revokedWith } from './imported.ts';
import { eventDataOf, type OrderRow } from './stored.ts';

/** What was issued for orders that have ended, or may not be stored. */

// Authorities may answer two orders alike.

/** What stores a certificate of the authority (`requireStanding`) waits, and comes after what is decided under this lock. */
const HOLD_AUTHORITY = statement(
  'certificate_orders.hold_authority_to_revoke',
  'select from external_authorities where organization_id = $1 and id = $2 for no key update',
);
/** Also of an authority that was deleted. */
const IS_OF_ANOTHER = statement(
  'certificate_orders.is_of_another',
  `select from certificates where organization_id = $1 and fingerprint_sha256 = $2 and project_id = $3
   and (external_ca_id is not null or source <> 'import')`,
);
const OTHERS = statement(
  'certificate_orders.pending_others',
  `select progress, csr from certificate_orders where organization_id = $1 and external_ca_id = $2 and id <> $3
     and status = 'pending'`,
);
const MARK = statement(
  'certificate_orders.mark_revoked',
  'update certificate_orders set revoked_fingerprint = $2, updated_at = $3 where id = $1',
);
const IMPORTED = statement(
  'certificate_orders.imported',
  `select id from certificates
   where organization_id = $1 and fingerprint_sha256 = $2 and status = 'active' and source = 'import'
     and external_ca_id is null order by id`,
);
/** Unless it was deleted or revoked, or has become that of an order, meanwhile. */
const LOCK_COPY = statement(
  'certificate_orders.lock_copy',
  `select id from certificates
   where id = $1 and status = 'active' and source = 'import' and external_ca_id is null for update`,
);

export interface Answer {
  readonly authority: OpenAuthority;
  readonly issued: IssuedElsewhere;
  /** Of the order. */
  readonly progress: Progress;
}

/**
 * Revokes the certificate that was issued for an order, unless it is of another key, or of another order too: one that has stored
 * it, or one with its key that waits, which stores or revokes it; and unless somebody has imported it and uses it. No order stores it afterwards.
 */
export async function revokeUnwanted(ctx: Context, order: OrderRow, answer: Answer): Promise<void> {
  const { authority, issued } = answer;
  const certificate = certificateOfOrder(order, issued.chain);
  if (!certificate) return;
  const copies = await copiesToRevoke(ctx, order, certificate);
  if (!copies) return noteLeft(ctx, order, 'The certificate was imported, and is in use');
  if (!(await isForThisAlone(ctx, order, certificate, answer))) return;
  const { organizationId, projectId } = order;
  const { der, serialNumber } = certificate;
  const reason = REVOCATION_REASONS[NOT_WANTED];
  try {
    if (!issued.isRevoked) await authority.revoke({ der, serialNumber, reference: issued.reference ?? null, reason });
  } catch (error) {
    if (!isRemote(error, 'rejected')) throw error;
    return noteLeft(ctx, order, error.message);
  }
  await revokeCopies(ctx, copies);
  await inTransaction(ctx, async (tx) =>
    record(tx, certificateOrderRevoked, { ...eventDataOf(order), serialNumber }, { organizationId, projectId }),
  );
}

const fingerprintOf = ({ fingerprintSha256 }: ReadCertificate) => Buffer.from(fingerprintSha256, 'hex');

/** Whether a certificate is to be revoked for this order; what is, is marked as such first. */
const isForThisAlone = (
  ctx: Context,
  { id, organizationId, projectId, externalCaId }: OrderRow,
  certificate: ReadCertificate,
  { authority, issued, progress }: Answer,
): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const fingerprint = fingerprintOf(certificate);
    await tx.sql(HOLD_AUTHORITY, [organizationId, externalCaId]);
    if ((await tx.sql(IS_OF_ANOTHER, [organizationId, fingerprint, projectId])).length > 0) return false;
    const own = authority.orderIn?.(progress);
    if (own !== undefined) {
      const others = await tx.sql<Pick<OrderRow, 'progress' | 'csr'>>(OTHERS, [organizationId, externalCaId, id]);
      const isAlike = (other: Pick<OrderRow, 'progress' | 'csr'>) =>
        // One with another key has nothing of the certificate.
        authority.orderIn!(other.progress) === own && certificateOfOrder(other, issued.chain) !== undefined;
      if (others.some(isAlike)) return false;
    }
    await tx.sql(MARK, [id, fingerprint, tx.now()]);
    return true;
  });

/** The imported copies that are revoked with the certificate; absent if it may not be revoked: see `revokedWith`. */
const copiesToRevoke = (
  ctx: Context,
  order: OrderRow,
  certificate: ReadCertificate,
): Promise<readonly StoredCertificate[] | undefined> =>
  inTransaction(ctx, async (tx) => {
    const { organizationId } = order;
    const found = await tx.sql<{ id: string }>(IMPORTED, [organizationId, fingerprintOf(certificate)]);
    const ids = found.map(({ id }) => id);
    return revokedWith(tx, order, ids.length === 0 ? [] : await certificatesById(tx, organizationId, ids));
  });

/** Each by a transaction of its own: in other projects there are other authorities to lock. */
async function revokeCopies(ctx: Context, copies: readonly StoredCertificate[]): Promise<void> {
  for (const copy of copies)
    await inTransaction(ctx, async (tx) => {
      await lockPathsEndedBy(tx, copy, NOT_WANTED);
      const [row] = await tx.sql<{ id: string }>(LOCK_COPY, [copy.id]);
      if (row) await noteRevokedElsewhere(tx, await lockCertificate(tx, row.id), NOT_WANTED);
    });
}

/** Notes that an authority may have issued, or may still issue, a certificate for an order that has ended; `records` were made for it in DNS. `why`: without credentials. */
export async function noteLeft(
  ctx: Context,
  order: OrderRow,
  why: string,
  records: readonly string[] = [],
): Promise<void> {
  const { organizationId, projectId } = order;
  const data = { ...eventDataOf(order), ...(records.length > 0 && { records: [...records] }) };
  await inTransaction(ctx, async (tx) => record(tx, certificateOrderLeft, data, { organizationId, projectId }));
  ctx.log.warn(
    { certificateOrderId: order.id, reason: why },
    'What was issued for an order that has ended is not revoked',
  );
}
