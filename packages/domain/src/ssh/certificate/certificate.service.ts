import { authorize, organizationOf } from '../../access/index.ts';
import { badRequest, definePages, inTransaction, isId, type Context } from '../../kernel/index.ts';
import {
  sshCertificatePermissions,
  type ListSshCertificates,
  type SshCertificate,
  type SshCertificateRef,
  type WholeSshCertificate,
} from './certificate.ts';
import { defineSshRevocation } from './revoke.ts';
import {
  LISTED,
  requireSshCertificate,
  toSshCertificate,
  toWholeSshCertificate,
  type SshCertificateRow,
} from './stored.ts';

const PAGES = definePages<SshCertificateRow>(
  'ssh_certificates',
  { organization_id: 'uuid', project_id: 'uuid' },
  {
    select: `select ${LISTED} from ssh_certificates
      where organization_id = w.organization_id and project_id = w.project_id
      order by created_at desc, id desc offset w.skipped limit w.most`,
    count: `(select count(*)::integer from ssh_certificates
      where organization_id = w.organization_id and project_id = w.project_id)`,
  },
);

/** A page of the certificates of a project, the newest first, and their total number. @throws DomainError 404, 403 */
export async function listSshCertificates(
  ctx: Context,
  { projectId, offset, limit }: ListSshCertificates,
): Promise<{ certificates: SshCertificate[]; totalCount: number }> {
  await authorize(ctx, sshCertificatePermissions.read, { projectId });
  if (!isId(projectId)) return { certificates: [], totalCount: 0 };
  const { rows, totalCount } = await PAGES.read(ctx, [organizationOf(ctx), projectId], { offset, limit });
  return { certificates: rows.map(toSshCertificate), totalCount };
}

/** @throws DomainError 404, 403 */
export const getSshCertificate = async (
  ctx: Context,
  { serialNumber }: SshCertificateRef,
): Promise<WholeSshCertificate> =>
  toWholeSshCertificate(await requireSshCertificate(ctx, serialNumber, sshCertificatePermissions.read));

const revoke = defineSshRevocation('one', 'c.id = $2');

/**
 * Revokes a certificate: the revocation list of its authority has it from now on.
 *
 * @throws DomainError 404, 403; 400 `ssh_certificate.revoked` (already).
 */
export async function revokeSshCertificate(ctx: Context, { serialNumber }: SshCertificateRef): Promise<SshCertificate> {
  const { id } = await requireSshCertificate(ctx, serialNumber, sshCertificatePermissions.delete);
  const [revoked] = await inTransaction(ctx, (tx) => revoke(tx, [id]));
  if (!revoked) throw badRequest('ssh_certificate.revoked', 'The certificate is already revoked');
  return toSshCertificate(revoked);
}
