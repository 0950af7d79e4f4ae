import { isRemote } from '../../family/index.ts';
import { inTransaction, record, statement, type Context } from '../../kernel/index.ts';
import {
  certificateOfOrder,
  NOT_WANTED,
  type IssuedElsewhere,
  type OpenAuthority,
} from '../external-authority/index.ts';
import { certificateOrderLeft, certificateOrderRevoked } from './certificate-order.ts';
import { eventDataOf, type OrderRow } from './stored.ts';

/** What was issued for orders that have ended, or may not be stored. */

/** Authorities may answer two orders alike. */
const IS_OF_ANOTHER = statement(
  'certificate_orders.is_of_another',
  `select from certificates where organization_id = $1 and fingerprint_sha256 = $2 and project_id = $3
   and external_ca_id is not null`,
);
const REVOKE_IMPORTED = statement(
  'certificate_orders.revoke_imported',
  `update certificates set status = 'revoked', revoked_at = $4, revocation_reason = $5, updated_at = $4
   where organization_id = $1 and fingerprint_sha256 = $2 and project_id = $3 and status = 'active'
     and source = 'import' and external_ca_id is null`,
);

interface Answer {
  readonly authority: OpenAuthority;
  readonly issued: IssuedElsewhere;
}

/**
 * Revokes the certificate that was issued for an order, unless it is of another key, or stored as that of another order. What
 * somebody has imported of it is revoked, too.
 */
export async function revokeUnwanted(ctx: Context, order: OrderRow, { authority, issued }: Answer): Promise<void> {
  const certificate = certificateOfOrder(order, issued.chain);
  if (!certificate) return;
  const { organizationId, projectId } = order;
  const { der, serialNumber, fingerprintSha256 } = certificate;
  const found = [organizationId, Buffer.from(fingerprintSha256, 'hex'), projectId];
  if ((await ctx.sql(IS_OF_ANOTHER, found)).length > 0) return;
  try {
    await authority.revoke({ der, serialNumber, reference: issued.reference ?? null, reason: NOT_WANTED });
  } catch (error) {
    if (!isRemote(error, 'rejected')) throw error;
    return noteLeft(ctx, order, error.message);
  }
  await inTransaction(ctx, async (tx) => {
    await tx.sql(REVOKE_IMPORTED, [...found, tx.now(), NOT_WANTED]);
    record(tx, certificateOrderRevoked, { ...eventDataOf(order), serialNumber }, { organizationId, projectId });
  });
}

/** Notes that an authority may have issued, or may still issue, a certificate for an order that has ended. `why`: without credentials. */
export async function noteLeft(ctx: Context, order: OrderRow, why: string): Promise<void> {
  const { organizationId, projectId } = order;
  await inTransaction(ctx, async (tx) =>
    record(tx, certificateOrderLeft, eventDataOf(order), { organizationId, projectId }),
  );
  ctx.log.warn(
    { certificateOrderId: order.id, reason: why },
    'What was issued for an order that has ended is not revoked',
  );
}
