import { requestPkiSyncsOf } from '../../connections/pki-sync/index.ts';
import { inTransaction, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { COMPROMISING, endCompromised, lockPaths, type CompromiseEvidence } from '../authority/index.ts';
import { refused } from '../constraint/index.ts';
import { revoked } from '../revocation/index.ts';
import { readCertificate, REVOCATION_REASONS, type RevocationReason, wholeSeconds } from '../x509.ts';
import { certificatePermissions, certificateRevoked, type RevokeCertificate } from './certificate.ts';
import { requireNoCertificateGain } from './right.ts';
import {
  certificateFor,
  factsOf,
  lockCertificate,
  lockPermittedCertificate,
  namedOf,
  type StoredCertificate,
} from './stored.ts';

export interface RevokedCertificate {
  readonly serialNumber: string;
  readonly revokedAt: Date;
}

const REVOKE = statement(
  'certificates.revoke',
  `update certificates set status = 'revoked', revoked_at = $2, revocation_reason = $3, updated_at = $2 where id = $1`,
);

/**
 * Revokes a certificate; the revocation list of its issuer key has it within a minute. Rules can use its status: a
 * caller who would gain rights on a revoked certificate may not revoke it.
 *
 * @throws DomainError 404, 403 also if that disables an authority which the caller may not edit, and if the caller
 * would gain a right to it; 400 `certificate.revoked` (already), `certificate.imported` (its authority is external).
 */
export async function revokeCertificate(
  ctx: Context,
  { id, revocationReason }: RevokeCertificate,
): Promise<RevokedCertificate> {
  const seen = await certificateFor(ctx, certificatePermissions.delete, id);
  const { id: certificateId } = seen;
  return inTransaction(ctx, async (tx) => {
    await lockPathsEndedBy(tx, seen, revocationReason);
    const row = await lockPermittedCertificate(tx, certificatePermissions.delete, certificateId);
    const answer = await revokeLocked(tx, row, revocationReason);
    await requireMayRevoke(tx, row);
    return answer;
  });
}

type OfPath = Pick<StoredCertificate, 'projectId' | 'isCa'>;

/** What a revocation locks first, since it may end that authorities issue. */
export async function lockPathsEndedBy(
  tx: Transaction,
  { projectId, isCa }: OfPath,
  reason: RevocationReason,
): Promise<void> {
  if (isCa || COMPROMISING.has(reason)) await lockPaths(tx, projectId);
}

/**
 * The same by ID, for callers without rights to certificates: an ACME account, or the holder of the key. `lockPathsEndedBy` was
 * called.
 *
 * @param evidence What proves that the key is compromised, if that is the reason; with `none`, the key is not banned.
 */
export const revokeKnown = async (
  tx: Transaction,
  certificateId: string,
  reason: RevocationReason,
  evidence: CompromiseEvidence | 'none',
): Promise<RevokedCertificate> => revokeLocked(tx, await lockCertificate(tx, certificateId), reason, evidence);

/** The same of a row that is locked. `lockPathsEndedBy` was called. */
export async function revokeLocked(
  tx: Transaction,
  row: StoredCertificate,
  reason: RevocationReason,
  evidence: CompromiseEvidence | 'none' = 'claim',
): Promise<RevokedCertificate> {
  if (row.caKeyId === null)
    throw refused(
      'certificate.imported',
      'The certificate was imported: only the authority that signed it can revoke it',
    );
  const { caKeyId } = row;
  const answer = await markRevoked(tx, row, reason, evidence);
  await revoked(tx, {
    certificateId: row.id,
    caKeyId,
    serialNumber: row.serialNumber,
    reason,
    revokedAt: answer.revokedAt,
  });
  await requestPkiSyncsOf(tx, row.organizationId, [row.id]);
  return answer;
}

/**
 * The same of one that its external authority has revoked. `lockPathsEndedBy` was called.
 *
 * @throws DomainError 403 if the caller would gain a right to it.
 */
export async function revokeForeign(
  tx: Transaction,
  row: StoredCertificate,
  reason: RevocationReason,
): Promise<RevokedCertificate> {
  const answer = await noteRevokedElsewhere(tx, row, reason);
  await requireMayRevoke(tx, row);
  return answer;
}

/** The same where Coffer itself has had it revoked there: the rights of nobody are asked. `lockPathsEndedBy` was called. */
export async function noteRevokedElsewhere(
  tx: Transaction,
  row: StoredCertificate,
  reason: RevocationReason,
): Promise<RevokedCertificate> {
  const answer = await markRevoked(tx, row, reason, 'claim');
  await requestPkiSyncsOf(tx, row.organizationId, [row.id]);
  return answer;
}

/** @throws DomainError 400 `certificate.revoked`; 403 if the caller would gain a right to it. */
export async function requireRevocable(ctx: Context, row: StoredCertificate): Promise<void> {
  requireNotRevoked(row);
  await requireMayRevoke(ctx, row);
}

const requireMayRevoke = (ctx: Context, row: StoredCertificate): Promise<void> =>
  requireNoCertificateGain(ctx, row.projectId, factsOf(row), { ...factsOf(row), status: 'revoked' });

function requireNotRevoked({ status }: StoredCertificate): void {
  if (status === 'revoked') throw refused('certificate.revoked', 'The certificate is already revoked');
}

async function markRevoked(
  tx: Transaction,
  row: StoredCertificate,
  reason: RevocationReason,
  evidence: CompromiseEvidence | 'none',
): Promise<RevokedCertificate> {
  requireNotRevoked(row);
  const revokedAt = wholeSeconds(tx.now());
  await tx.sql(REVOKE, [row.id, revokedAt, REVOCATION_REASONS[reason]]);
  const { serialNumber, organizationId, projectId } = row;
  const place = { organizationId, projectId };
  if (evidence !== 'none' && COMPROMISING.has(reason)) {
    const key = readCertificate(row.body).publicKey;
    await endCompromised(tx, place, { key, evidence, isOfAuthority: row.isCa });
  }
  record(tx, certificateRevoked, { ...namedOf(row), revocationReason: reason }, place);
  return { serialNumber, revokedAt };
}
