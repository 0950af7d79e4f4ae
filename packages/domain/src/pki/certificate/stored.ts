import { abilityIn, organizationOf } from '../../access/index.ts';
import {
  at,
  atOrNull,
  badRequest,
  DomainError,
  isId,
  notFound,
  statement,
  type Context,
  type Metadata,
  type Permission,
} from '../../kernel/index.ts';
import { toPem, type AltName, type Finding, type Subject } from '../x509.ts';
import { certificatePermissions, type Certificate, type ListedCertificate } from './certificate.ts';
import { authorizeCertificateById, type CertificateFacts } from './right.ts';

/** What lists show of a certificate. */
export interface CertificateRow {
  id: string;
  organization_id: string;
  project_id: string;
  ca_id: string | null;
  ca_certificate_id: string | null;
  ca_key_id: string | null;
  certificate_template_id: string | null;
  profile_id: string | null;
  pki_subscriber_id: string | null;
  status: 'active' | 'revoked';
  serial_number: string;
  friendly_name: string;
  common_name: string;
  alt_names: string | null;
  names: AltName[];
  subject: Subject;
  not_before: string;
  not_after: string;
  revoked_at: string | null;
  revocation_reason: number | null;
  key_usages: string[] | null;
  extended_key_usages: string[] | null;
  key_algorithm: string;
  signature_algorithm: string;
  is_ca: boolean;
  fingerprint_sha256: Buffer;
  has_private_key: boolean;
  source: string;
  renewed_from_id: string | null;
  renewed_by_id: string | null;
  renew_before_days: number | null;
  renewal_error: string | null;
  metadata: Metadata;
  created_at: string;
  updated_at: string;
}

/** The whole row. */
export interface StoredCertificate extends CertificateRow {
  body: Buffer;
  /** PEM of the chain of an imported one. */
  chain: string;
  /** The issuer's certificate, if it was issued here, and PEM of its chain. */
  issuer_body: Buffer | null;
  issuer_chain: string | null;
  private_key: Buffer | null;
  lint: Finding[];
}

export const LISTED = `c.id, c.organization_id, c.project_id, c.ca_id, c.ca_certificate_id, c.ca_key_id,
  c.certificate_template_id, c.profile_id, c.pki_subscriber_id, c.status, c.serial_number, c.friendly_name,
  c.common_name, c.alt_names, c.names, c.subject, c.not_before, c.not_after, c.revoked_at, c.revocation_reason,
  c.key_usages, c.extended_key_usages, c.key_algorithm, c.signature_algorithm, c.is_ca, c.fingerprint_sha256,
  c.private_key is not null as has_private_key, c.source, c.renewed_from_id,
  (select r.id from certificates r where r.renewed_from_id = c.id) as renewed_by_id, c.renew_before_days,
  c.renewal_error, c.metadata, c.created_at, c.updated_at`;
const WHOLE = `${LISTED}, c.body, c.chain, i.body as issuer_body, i.chain as issuer_chain, c.private_key, c.lint
  from certificates c left join ca_certificates i on i.id = c.ca_certificate_id`;

/**
 * The serial number of an imported certificate is chosen by its importer: certificates that were issued here take
 * precedence.
 */
const lookUp = (name: string, where: string) =>
  statement(
    `certificates.by_${name}`,
    `select ${WHOLE} where c.organization_id = $1 and ${where}
     order by c.ca_id is null, c.created_at desc, c.id limit 20`,
  );
const BY_ID = lookUp('id', 'c.id = $2');
const BY_SERIAL_NUMBER = lookUp('serial_number', 'c.serial_number = $2');
/** Authorities elsewhere have had serial numbers of 32 octets, too. */
const BY_EITHER = lookUp('fingerprint', `(c.fingerprint_sha256 = decode($2, 'hex') or c.serial_number = $2)`);

const statementFor = (reference: string) => {
  if (isId(reference)) return BY_ID;
  if (!/^[0-9a-f]+$/.test(reference)) return undefined;
  return reference.length === 64 ? BY_EITHER : BY_SERIAL_NUMBER;
};

/**
 * The certificate with this ID, serial number or SHA-256 fingerprint, in any project of the caller. Its permissions are
 * not checked.
 *
 * @param isRead Of several with one serial number, the first is returned: one that was issued here, or the newest.
 * @throws DomainError 404 if there is none; 400 `certificate.ambiguous` if several have the serial number (of different
 * authorities, or in different projects).
 */
export async function findCertificate(ctx: Context, named: string, isRead = false): Promise<StoredCertificate> {
  // Plain, or in OpenSSL's format.
  const reference = isId(named) ? named : named.replaceAll(':', '').toLowerCase();
  const asked = statementFor(reference);
  const rows = asked ? await ctx.sql<StoredCertificate>(asked, [organizationOf(ctx), reference]) : [];
  const known: StoredCertificate[] = [];
  for (const row of rows) if (await isMember(ctx, row.project_id)) known.push(row);
  const [row, another] = known;
  if (!row) throw notFound('certificate');
  if (another && !isRead)
    throw badRequest('certificate.ambiguous', 'Several certificates have this serial number: use the ID');
  return row;
}

/**
 * The same, with a check of the permission.
 *
 * @throws DomainError 403 in addition.
 */
export async function certificateFor(
  ctx: Context,
  permission: Permission,
  reference: string,
): Promise<StoredCertificate> {
  const row = await findCertificate(ctx, reference, permission.key === certificatePermissions.read.key);
  await authorizeCertificateById(ctx, permission, row.project_id, factsOf(row));
  return row;
}

async function isMember(ctx: Context, projectId: string): Promise<boolean> {
  try {
    await abilityIn(ctx, projectId);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return false;
    throw error;
  }
}

const LOCK = statement('certificates.lock', `select ${WHOLE} where c.id = $1 for update of c`);

/** The current row, locked until the transaction ends. */
export async function lockCertificate(tx: Context, id: string): Promise<StoredCertificate> {
  const [row] = await tx.sql<StoredCertificate>(LOCK, [id]);
  if (!row) throw notFound('certificate');
  return row;
}

/** PEM of its chain, nearest first; empty if it is unknown. */
export const chainOf = ({ chain, issuer_body, issuer_chain }: StoredCertificate): string =>
  issuer_body ? `${toPem('CERTIFICATE', issuer_body)}${issuer_chain ?? ''}` : chain;

export const factsOf = (
  row: Pick<CertificateRow, 'common_name' | 'subject' | 'names' | 'friendly_name' | 'status' | 'serial_number'>,
): CertificateFacts => ({
  commonName: row.common_name,
  subject: row.subject,
  names: row.names,
  friendlyName: row.friendly_name,
  status: row.status,
  serialNumber: row.serial_number,
});

export const toCertificate = (row: CertificateRow): Certificate => ({
  id: row.id,
  createdAt: at(row.created_at),
  updatedAt: at(row.updated_at),
  caId: row.ca_id,
  caCertId: row.ca_certificate_id,
  certificateTemplateId: row.certificate_template_id,
  status: row.status,
  serialNumber: row.serial_number,
  friendlyName: row.friendly_name,
  commonName: row.common_name,
  altNames: row.alt_names,
  notBefore: at(row.not_before),
  notAfter: at(row.not_after),
  revokedAt: atOrNull(row.revoked_at),
  revocationReason: row.revocation_reason,
  keyUsages: row.key_usages,
  extendedKeyUsages: row.extended_key_usages,
});

export const toListed = (row: CertificateRow, now: Date): ListedCertificate => ({
  ...toCertificate(row),
  projectId: row.project_id,
  status: row.status === 'active' && at(row.not_after) <= now ? 'expired' : row.status,
  pkiSubscriberId: row.pki_subscriber_id,
  profileId: row.profile_id,
  keyAlgorithm: row.key_algorithm,
  signatureAlgorithm: row.signature_algorithm,
  fingerprint: row.fingerprint_sha256.toString('hex'),
  source: row.source,
  hasPrivateKey: row.has_private_key,
  renewedFromCertificateId: row.renewed_from_id,
  renewedByCertificateId: row.renewed_by_id,
  renewBeforeDays: row.renew_before_days,
  renewalError: row.renewal_error,
});

/** For events. */
export const namedOf = (row: CertificateRow) => ({
  certificateId: row.id,
  serialNumber: row.serial_number,
  commonName: row.common_name,
});
