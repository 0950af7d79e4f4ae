import { requestPkiSyncsOf } from '../../connections/pki-sync/index.ts';
import {
  givenFields,
  at,
  badRequest,
  DAY,
  inTransaction,
  record,
  statement,
  type Context,
  type Metadata,
  type Transaction,
} from '../../kernel/index.ts';
import { refused } from '../constraint/index.ts';
import { REVOCATION_REASONS } from '../x509.ts';
import {
  certificateDeleted,
  certificatePermissions,
  certificateUpdated,
  USUAL_RENEW_BEFORE,
  type Certificate,
  type CertificateRef,
  type ConfigureCertificate,
  type UpdateCertificate,
} from './certificate.ts';
import { authorizeAutoRenewal } from './renew.ts';
import { lockPathsEndedBy, revokeLocked } from './revoke.ts';
import { authorizeCertificateChange, requireMayKeepName } from './right.ts';
import {
  certificateFor,
  factsOf,
  lockCertificate,
  lockPermittedCertificate,
  namedOf,
  toCertificate,
  type StoredCertificate,
} from './stored.ts';

const UPDATE = statement(
  'certificates.update',
  `update certificates set metadata = $2, friendly_name = $3, updated_at = $4 where id = $1`,
);

export interface UpdatedCertificate {
  readonly metadata: Metadata;
  readonly friendlyName: string;
}

/**
 * Updates the data stored with a certificate.
 *
 * @throws DomainError 404, 403, also for another friendly name of one that is renewed by itself, by a right that ends.
 */
export async function updateCertificate(ctx: Context, input: UpdateCertificate): Promise<UpdatedCertificate> {
  const { id } = await certificateFor(ctx, certificatePermissions.edit, input.id);
  return inTransaction(ctx, async (tx) => {
    const row = await lockCertificate(tx, id);
    const { metadata = row.metadata, friendlyName = row.friendlyName } = input;
    const after = { ...factsOf(row), friendlyName };
    await authorizeCertificateChange(tx, row.projectId, factsOf(row), after);
    if (row.renewBeforeDays !== null && friendlyName !== row.friendlyName)
      await requireMayKeepName(tx, row.projectId, after);
    await tx.sql(UPDATE, [row.id, JSON.stringify(metadata), friendlyName, tx.now()]);
    const { id: _, ...changes } = input;
    record(tx, certificateUpdated, { ...namedOf(row), changed: givenFields(changes) }, { projectId: row.projectId });
    return { metadata, friendlyName };
  });
}

const CONFIGURE = statement(
  'certificates.configure',
  `update certificates set renew_before_days = $2, renewal_error = null, renewal_failed_at = null, updated_at = $3
   where id = $1`,
);

/**
 * Enables auto-renewal, with the number of days before expiry, or disables it.
 *
 * @throws DomainError 404, 403 also if it is enabled and the caller may not issue the certificate, or not without an end; 400 if its key is
 * not stored, it is revoked, or its validity is not longer than that.
 */
export async function configureCertificate(ctx: Context, input: ConfigureCertificate): Promise<number | null> {
  const { renewBeforeDays, enableAutoRenewal } = input;
  if (renewBeforeDays !== undefined && enableAutoRenewal === false)
    throw badRequest('certificate.renewal', 'Send either renewBeforeDays, or enableAutoRenewal: false');
  const { id } = await certificateFor(ctx, certificatePermissions.edit, input.id);
  return inTransaction(ctx, async (tx) => {
    const row = await lockPermittedCertificate(tx, certificatePermissions.edit, id);
    const usual = enableAutoRenewal ? (row.renewBeforeDays ?? USUAL_RENEW_BEFORE) : row.renewBeforeDays;
    const days = enableAutoRenewal === false ? null : (renewBeforeDays ?? usual);
    if (days !== null) {
      // Auto-renewal issues without a further check of the caller.
      await authorizeAutoRenewal(tx, row);
      if (row.status === 'revoked') throw refused('certificate.revoked', 'A revoked certificate cannot be renewed');
      if ((row.caId === null && row.externalCaId === null) || !row.hasPrivateKey)
        throw refused(
          'certificate.renewal',
          'Only certificates that were issued here with their key can renew automatically',
        );
      if (row.pkiSubscriberId !== null)
        throw refused(
          'certificate.subscriber',
          'The certificate belongs to a subscriber, which has the auto-renewal settings',
        );
      const lifetime = Date.parse(row.notAfter) - Date.parse(row.notBefore);
      if (days * DAY >= lifetime)
        throw refused('certificate.renewal', 'Its renewal would be before its start: its validity is too short');
    }
    await tx.sql(CONFIGURE, [row.id, days, tx.now()]);
    const changed = givenFields({ renewBeforeDays, enableAutoRenewal });
    record(tx, certificateUpdated, { ...namedOf(row), changed }, { projectId: row.projectId });
    return days;
  });
}

const DELETE = statement('certificates.delete', 'delete from certificates where id = $1');

const CESSATION = 'CESSATION_OF_OPERATION';

/**
 * Deletes a certificate. A valid one is revoked first, and the revocation list and OCSP report it until it expires:
 * otherwise nobody could revoke it any more.
 *
 * @throws DomainError 404, 403; 400 `certificate.not_revoked` if its authority is external.
 */
export async function deleteCertificate(ctx: Context, { id: reference }: CertificateRef): Promise<Certificate> {
  const seen = await certificateFor(ctx, certificatePermissions.delete, reference);
  const { id } = seen;
  return inTransaction(ctx, async (tx) => {
    await lockPathsEndedBy(tx, seen, CESSATION);
    const row = await lockPermittedCertificate(tx, certificatePermissions.delete, id);
    const isValid = row.caKeyId !== null && row.status === 'active' && at(row.notAfter) > tx.now();
    if (row.externalCaId !== null && row.status === 'active' && at(row.notAfter) > tx.now())
      throw refused('certificate.not_revoked', 'Revoke the certificate first: its authority is external');
    if (!isValid) return remove(tx, row);
    const { revokedAt } = await revokeLocked(tx, row, CESSATION);
    const revocation = { status: 'revoked', revokedAt: revokedAt.toISOString() } as const;
    return remove(tx, { ...row, ...revocation, revocationReason: REVOCATION_REASONS[CESSATION] });
  });
}

async function remove(tx: Transaction, row: StoredCertificate): Promise<Certificate> {
  await requestPkiSyncsOf(tx, row.organizationId, [row.id]);
  await tx.sql(DELETE, [row.id]);
  record(tx, certificateDeleted, namedOf(row), { projectId: row.projectId });
  return toCertificate(row);
}
