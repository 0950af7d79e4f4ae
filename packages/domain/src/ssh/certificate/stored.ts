import { authorizeById, organizationOf, unlessHidden } from '../../access/index.ts';
import { at, notFound, statement, type Context, type Permission } from '../../kernel/index.ts';
import { lineOf } from '../ssh.ts';
import type { SshCertificate, WholeSshCertificate } from './certificate.ts';

const SSH_CERTIFICATE = 'ssh certificate';

export interface SshCertificateRow extends Omit<SshCertificate, 'notBefore' | 'notAfter' | 'revokedAt' | 'createdAt'> {
  readonly notBefore: string;
  readonly notAfter: string;
  readonly revokedAt: string | null;
  readonly createdAt: string;
}
export interface WholeRow extends SshCertificateRow {
  readonly body: Buffer;
}

export const LISTED = `id, project_id as "projectId", ca_id as "sshCaId",
  certificate_template_id as "sshCertificateTemplateId", ssh_host_id as "sshHostId",
  serial_number::text as "serialNumber", cert_type as "certType", principals, key_id as "keyId",
  key_algorithm as "keyAlgorithm", critical_options as "criticalOptions", extensions, not_before as "notBefore",
  not_after as "notAfter", revoked_at as "revokedAt", created_at as "createdAt"`;
const FIND = statement(
  'ssh_certificates.find',
  `select ${LISTED}, body from ssh_certificates where organization_id = $1 and serial_number = $2`,
);

const LARGEST = (1n << 63n) - 1n;
const isSerial = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) <= LARGEST;

/** The certificate with this serial number. The rights of the caller are not checked. @throws DomainError 404 */
async function findSshCertificate(ctx: Context, serialNumber: string): Promise<WholeRow> {
  const [row] = isSerial(serialNumber) ? await ctx.sql<WholeRow>(FIND, [organizationOf(ctx), serialNumber]) : [];
  if (!row) throw notFound(SSH_CERTIFICATE);
  return row;
}

/** The same, if the caller has the permission in its project. @throws DomainError 404, 403 */
export async function requireSshCertificate(
  ctx: Context,
  serialNumber: string,
  permission: Permission,
): Promise<WholeRow> {
  const row = await findSshCertificate(ctx, serialNumber);
  await unlessHidden(SSH_CERTIFICATE, authorizeById(ctx, permission, { projectId: row.projectId }));
  return row;
}

export const toSshCertificate = (row: SshCertificateRow): SshCertificate => ({
  ...row,
  notBefore: at(row.notBefore),
  notAfter: at(row.notAfter),
  revokedAt: row.revokedAt === null ? null : at(row.revokedAt),
  createdAt: at(row.createdAt),
});

export const toWholeSshCertificate = (row: WholeRow): WholeSshCertificate => ({
  ...toSshCertificate(row),
  signedKey: lineOf(row.body, row.keyId),
});
