import { beginWork } from '../../connections/connection/index.ts';
import { DomainError, inTransaction, type Context } from '../../kernel/index.ts';
import {
  certificateFor,
  certificatePermissions,
  lockCertificate,
  lockPathsEndedBy,
  requireRevocable,
  revokeCertificate,
  revokeForeign,
  type RevokeCertificate,
  type RevokedCertificate,
} from '../certificate/index.ts';
import { externalAuthorityById, openAuthority } from '../external-authority/index.ts';
import { REVOCATION_REASONS } from '../x509.ts';

/** Deadline in milliseconds: a caller waits for it. */
const REVOKE_MS = 30_000;

/**
 * Revokes a certificate: at its authority first, if that is external. Where Coffer is killed in between, it is revoked
 * there alone, and a repetition revokes it here, too.
 *
 * @throws DomainError as `revokeCertificate`; 400 with the message of the external authority.
 */
export async function revokeAnyCertificate(ctx: Context, input: RevokeCertificate): Promise<RevokedCertificate> {
  const row = await certificateFor(ctx, certificatePermissions.delete, input.id);
  const authority = row.externalCaId === null ? undefined : await externalAuthorityById(ctx, row.externalCaId);
  if (!authority) return revokeCertificate(ctx, input);
  await requireRevocable(ctx, row);
  using session = beginWork(ctx, REVOKE_MS);
  const reason = REVOCATION_REASONS[input.revocationReason];
  const { body: der, serialNumber, externalReference: reference } = row;
  try {
    await (await openAuthority(ctx, authority, session)).revoke({ der, serialNumber, reference, reason });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError('bad_request', error.code, await session.redact(error.message));
  }
  // Its authority has revoked it: that is stored whatever its name is now.
  return await inTransaction(ctx, async (tx) => {
    await lockPathsEndedBy(tx, row, input.revocationReason);
    return revokeForeign(tx, await lockCertificate(tx, row.id), input.revocationReason);
  });
}
