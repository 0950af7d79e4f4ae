import { authorize, organizationOf } from '../../access/index.ts';
import { badRequest, inTransaction, invalidate, isId, record, statement, type Context } from '../../kernel/index.ts';
import { sshTagOf } from '../authority/index.ts';
import {
  sshCertificatePermissions,
  sshCertificateRevoked,
  type ListSshCertificates,
  type SshCertificate,
  type SshCertificateRef,
  type WholeSshCertificate,
} from './certificate.ts';
import {
  findSshCertificate,
  LISTED,
  requireSshCertificate,
  toSshCertificate,
  toWholeSshCertificate,
  type SshCertificateRow,
} from './stored.ts';

const PAGE = statement(
  'ssh_certificates.page',
  `select ${LISTED} from ssh_certificates where organization_id = $1 and project_id = $2
   order by created_at desc, id desc offset $3 limit $4`,
);
const COUNT = statement(
  'ssh_certificates.count',
  'select count(*)::integer as count from ssh_certificates where organization_id = $1 and project_id = $2',
);

/** A page of the certificates of a project, the newest first, and their total number. @throws DomainError 404, 403 */
export async function listSshCertificates(
  ctx: Context,
  { projectId, offset, limit }: ListSshCertificates,
): Promise<{ certificates: SshCertificate[]; totalCount: number }> {
  await authorize(ctx, sshCertificatePermissions.read, { projectId });
  if (!isId(projectId)) return { certificates: [], totalCount: 0 };
  const place = [organizationOf(ctx), projectId];
  const rows = await ctx.sql<SshCertificateRow>(PAGE, [...place, offset, limit]);
  const [counted] = await ctx.sql<{ count: number }>(COUNT, place);
  return { certificates: rows.map(toSshCertificate), totalCount: counted!.count };
}

/** @throws DomainError 404, 403 */
export const getSshCertificate = async (
  ctx: Context,
  { serialNumber }: SshCertificateRef,
): Promise<WholeSshCertificate> =>
  toWholeSshCertificate(await requireSshCertificate(ctx, serialNumber, sshCertificatePermissions.read));

const REVOKE = statement('ssh_certificates.revoke', 'update ssh_certificates set revoked_at = $2 where id = $1');

/**
 * Revokes a certificate: the revocation list of its authority has it from now on.
 *
 * @throws DomainError 404, 403; 400 `ssh_certificate.revoked` (already).
 */
export async function revokeSshCertificate(ctx: Context, { serialNumber }: SshCertificateRef): Promise<SshCertificate> {
  await requireSshCertificate(ctx, serialNumber, sshCertificatePermissions.delete);
  return inTransaction(ctx, async (tx) => {
    const row = await findSshCertificate(tx, serialNumber, true);
    if (row.revokedAt !== null) throw badRequest('ssh_certificate.revoked', 'The certificate is already revoked');
    await tx.sql(REVOKE, [row.id, tx.now()]);
    invalidate(tx, sshTagOf(row.sshCaId));
    const { id: certificateId, projectId, sshCaId, sshHostId, certType, keyId, principals } = row;
    const { sshCertificateTemplateId: certificateTemplateId } = row;
    const named = { certificateId, serialNumber: row.serialNumber, sshCaId, certificateTemplateId, sshHostId };
    record(tx, sshCertificateRevoked, { ...named, certType, keyId, principals }, { projectId });
    return toSshCertificate({ ...row, revokedAt: tx.now().toISOString() });
  });
}
