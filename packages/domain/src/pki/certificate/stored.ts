import { isDeepStrictEqual } from 'node:util';
import { abilityIn, organizationOf } from '../../access/index.ts';
import {
  at,
  atOrNull,
  badRequest,
  conflict,
  isId,
  notFound,
  orUnknown,
  portionsOfRows,
  statement,
  type Context,
  type Metadata,
  type Permission,
  type Statement,
} from '../../kernel/index.ts';
import { toPem, type AltName, type Finding, type Subject } from '../x509.ts';
import type { CertificateFacts } from './asked.ts';
import { certificatePermissions, type Certificate, type ListedCertificate } from './certificate.ts';
import { allowsCertificate, authorizeCertificateById } from './right.ts';

/** What lists show of a certificate. */
export interface CertificateRow {
  id: string;
  organizationId: string;
  projectId: string;
  caId: string | null;
  /** Of one that was ordered from an external authority. */
  externalCaId: string | null;
  caCertificateId: string | null;
  caKeyId: string | null;
  certificateTemplateId: string | null;
  profileId: string | null;
  pkiSubscriberId: string | null;
  status: 'active' | 'revoked';
  serialNumber: string;
  friendlyName: string;
  commonName: string;
  altNames: string | null;
  names: AltName[];
  subject: Subject;
  notBefore: string;
  notAfter: string;
  revokedAt: string | null;
  revocationReason: number | null;
  keyUsages: string[] | null;
  extendedKeyUsages: string[] | null;
  keyAlgorithm: string;
  signatureAlgorithm: string;
  isCa: boolean;
  /** Hexadecimal. */
  fingerprintSha256: string;
  hasPrivateKey: boolean;
  source: string;
  renewedFromId: string | null;
  renewedById: string | null;
  renewBeforeDays: number | null;
  renewalError: string | null;
  metadata: Metadata;
  createdAt: string;
  updatedAt: string;
}

/** The whole row. */
export interface StoredCertificate extends CertificateRow {
  body: Buffer;
  /** PEM of the chain of one that was not signed here. */
  chain: string;
  /** What the external authority calls it. */
  externalReference: string | null;
  /** The issuer's certificate, if it was issued here, and PEM of its chain. */
  issuerBody: Buffer | null;
  issuerChain: string | null;
  privateKey: Buffer | null;
  lint: Finding[];
}

export const LISTED = `c.id, c.organization_id as "organizationId", c.project_id as "projectId", c.ca_id as "caId",
  c.external_ca_id as "externalCaId", c.ca_certificate_id as "caCertificateId", c.ca_key_id as "caKeyId",
  c.certificate_template_id as "certificateTemplateId", c.profile_id as "profileId",
  c.pki_subscriber_id as "pkiSubscriberId", c.status, c.serial_number as "serialNumber", c.friendly_name as "friendlyName",
  c.common_name as "commonName", c.alt_names as "altNames", c.names, c.subject, c.not_before as "notBefore",
  c.not_after as "notAfter", c.revoked_at as "revokedAt", c.revocation_reason as "revocationReason",
  c.key_usages as "keyUsages", c.extended_key_usages as "extendedKeyUsages", c.key_algorithm as "keyAlgorithm",
  c.signature_algorithm as "signatureAlgorithm", c.is_ca as "isCa", encode(c.fingerprint_sha256, 'hex') as "fingerprintSha256",
  c.private_key is not null as "hasPrivateKey", c.source, c.renewed_from_id as "renewedFromId",
  (select r.id from certificates r where r.renewed_from_id = c.id) as "renewedById",
  c.renew_before_days as "renewBeforeDays", c.renewal_error as "renewalError", c.metadata,
  c.created_at as "createdAt", c.updated_at as "updatedAt"`;
const WHOLE = `${LISTED}, c.body, c.chain, c.external_reference as "externalReference", i.body as "issuerBody", i.chain as "issuerChain",
  c.private_key as "privateKey", c.lint
  from certificates c left join ca_certificates i on i.id = c.ca_certificate_id`;

/** By ID. */
const BY_ID = statement('certificates.by_id', `select ${WHOLE} where c.organization_id = $1 and c.id = $2`);

/** So many are read at once. */
const PAGE = 200;

/** The projects that have certificates of a reference, and the IDs of these certificates in some of the projects, in their order. */
interface LookUp {
  readonly projects: Statement;
  readonly ids: Statement;
}

/**
 * The serial number of an imported certificate is chosen by its importer, and that of an ordered one by its authority:
 * certificates that were issued here take precedence, and those that were ordered follow. What others import into their projects
 * does not count, and what was there before comes before what may imitate it.
 */
const lookUp = (name: string, where: string): LookUp => ({
  projects: statement(
    `certificates.projects_by_${name}`,
    `select distinct c.project_id as id from certificates c where c.organization_id = $1 and ${where}`,
  ),
  ids: statement(
    `certificates.ids_by_${name}`,
    `select c.id from certificates c where c.organization_id = $1 and ${where} and c.project_id = any($3::uuid[])
     order by c.source = 'import', c.ca_id is null, c.created_at, c.id`,
  ),
});
const BY_SERIAL_NUMBER = lookUp('serial_number', 'c.serial_number = $2');
const BY_FINGERPRINT = lookUp('fingerprint', `c.fingerprint_sha256 = decode($2, 'hex')`);

const BY_IDS = statement(
  'certificates.by_ids',
  `select ${WHOLE} where c.organization_id = $1 and c.id = any($2::uuid[])`,
);

/** The certificates with these IDs, in any order. The rights of the caller are not checked. */
export const certificatesById = (
  ctx: Context,
  organizationId: string,
  ids: readonly string[],
): Promise<StoredCertificate[]> => ctx.sql<StoredCertificate>(BY_IDS, [organizationId, ids]);

/** What a reference may be; the first that finds something counts. Authorities elsewhere have had serial numbers of 32 octets, too. */
function lookUpsFor(reference: string): readonly LookUp[] {
  if (!/^[0-9a-f]+$/.test(reference)) return [];
  return reference.length === 64 ? [BY_FINGERPRINT, BY_SERIAL_NUMBER] : [BY_SERIAL_NUMBER];
}

/** In the projects of the caller, one by one. */
async function* certificatesNamed(ctx: Context, named: string): AsyncGenerator<StoredCertificate> {
  const organizationId = organizationOf(ctx);
  if (isId(named)) {
    const rows = await ctx.sql<StoredCertificate>(BY_ID, [organizationId, named]);
    for (const row of rows) if (await isMember(ctx, row.projectId)) yield row;
    return;
  }
  // Plain, or in OpenSSL's format.
  const reference = named.replaceAll(':', '').toLowerCase();
  for (const { projects, ids } of lookUpsFor(reference)) {
    const known: string[] = [];
    for (const { id } of await ctx.sql<{ id: string }>(projects, [organizationId, reference]))
      if (await isMember(ctx, id)) known.push(id);
    if (known.length === 0) continue;
    const found = await ctx.sql<{ id: string }>(ids, [organizationId, reference, known]);
    for (const portion of portionsOfRows(found, PAGE)) {
      const page = portion.map(({ id }) => id);
      const rows = new Map((await certificatesById(ctx, organizationId, page)).map((row) => [row.id, row]));
      for (const id of page) if (rows.has(id)) yield rows.get(id)!;
    }
    if (found.length > 0) return;
  }
}

const isAllowed = async (ctx: Context, permission: Permission, row: StoredCertificate): Promise<boolean> =>
  allowsCertificate(await abilityIn(ctx, row.projectId), permission, factsOf(row));

/**
 * The certificate with this ID, serial number or SHA-256 fingerprint, in any project of the caller.
 *
 * @param permission Of several, only those count for which the caller has it, if there are any. It is not checked.
 * @throws DomainError 404 if there is none; 400 `certificate.ambiguous` if several have the serial number (of different
 * authorities, or in different projects), unless only one was not imported, or the permission is that to read: then it is the first,
 * which was issued here, or is the oldest.
 */
export async function findCertificate(
  ctx: Context,
  named: string,
  permission?: Permission,
): Promise<StoredCertificate> {
  const isRead = permission?.key === certificatePermissions.read.key;
  const allowed: StoredCertificate[] = [];
  let first: StoredCertificate | undefined;
  for await (const row of certificatesNamed(ctx, named)) {
    first ??= row;
    if (!permission || (await isAllowed(ctx, permission, row))) allowed.push(row);
    if (allowed.length > (isRead ? 0 : 1)) break;
  }
  const [row = first, another] = allowed;
  if (!row) throw notFound('certificate');
  // What was imported does not make ambiguous what was not.
  if (another && (row.source === 'import' || another.source !== 'import'))
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
  const row = await findCertificate(ctx, reference, permission);
  await authorizeCertificateById(ctx, permission, row.projectId, factsOf(row));
  return row;
}

const isMember = async (ctx: Context, projectId: string): Promise<boolean> =>
  (await orUnknown(abilityIn(ctx, projectId))) !== undefined;

const LOCK = statement('certificates.lock', `select ${WHOLE} where c.id = $1 for update of c`);

/** The current row, locked until the transaction ends. */
export async function lockCertificate(tx: Context, id: string): Promise<StoredCertificate> {
  const [row] = await tx.sql<StoredCertificate>(LOCK, [id]);
  if (!row) throw notFound('certificate');
  return row;
}

/**
 * The same for a caller with this permission on what it is now, since it may have another friendly name than when that was asked.
 *
 * @throws DomainError 403
 */
export async function lockPermittedCertificate(
  tx: Context,
  permission: Permission,
  id: string,
): Promise<StoredCertificate> {
  const row = await lockCertificate(tx, id);
  await authorizeCertificateById(tx, permission, row.projectId, factsOf(row));
  return row;
}

/** What a renewal relies on: rights were asked for the name, and the successor gets all of it. */
const renewedBy = ({ friendlyName, renewBeforeDays, metadata }: StoredCertificate) => [
  friendlyName,
  renewBeforeDays,
  metadata,
];

/**
 * The same if a renewal of it, as it was seen, still is one of it.
 *
 * @throws DomainError 400 `certificate.changed`
 */
export async function lockRenewedCertificate(tx: Context, seen: StoredCertificate): Promise<StoredCertificate> {
  const row = await lockCertificate(tx, seen.id);
  if (!isDeepStrictEqual(renewedBy(row), renewedBy(seen)))
    throw conflict(
      'certificate.changed',
      'The certificate got another friendly name, auto-renewal or metadata in the meantime: try again',
    );
  return row;
}

/** PEM of its chain, nearest first; empty if it is unknown. */
export const chainOf = ({ chain, issuerBody, issuerChain }: StoredCertificate): string =>
  issuerBody ? `${toPem('CERTIFICATE', issuerBody)}${issuerChain ?? ''}` : chain;

export const factsOf = (
  row: Pick<CertificateRow, 'commonName' | 'subject' | 'names' | 'friendlyName' | 'status' | 'serialNumber'>,
): CertificateFacts => ({
  commonName: row.commonName,
  subject: row.subject,
  names: row.names,
  friendlyName: row.friendlyName,
  status: row.status,
  serialNumber: row.serialNumber,
});

export const toCertificate = (row: CertificateRow): Certificate => ({
  id: row.id,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
  caId: row.caId ?? row.externalCaId,
  caCertId: row.caCertificateId,
  certificateTemplateId: row.certificateTemplateId,
  status: row.status,
  serialNumber: row.serialNumber,
  friendlyName: row.friendlyName,
  commonName: row.commonName,
  altNames: row.altNames,
  notBefore: at(row.notBefore),
  notAfter: at(row.notAfter),
  revokedAt: atOrNull(row.revokedAt),
  revocationReason: row.revocationReason,
  keyUsages: row.keyUsages,
  extendedKeyUsages: row.extendedKeyUsages,
});

export const toListed = (row: CertificateRow, now: Date): ListedCertificate => ({
  ...toCertificate(row),
  projectId: row.projectId,
  status: row.status === 'active' && at(row.notAfter) <= now ? 'expired' : row.status,
  pkiSubscriberId: row.pkiSubscriberId,
  profileId: row.profileId,
  keyAlgorithm: row.keyAlgorithm,
  signatureAlgorithm: row.signatureAlgorithm,
  fingerprint: row.fingerprintSha256,
  source: row.source,
  hasPrivateKey: row.hasPrivateKey,
  renewedFromCertificateId: row.renewedFromId,
  renewedByCertificateId: row.renewedById,
  renewBeforeDays: row.renewBeforeDays,
  renewalError: row.renewalError,
});

/** For events. */
export const namedOf = (row: CertificateRow) => ({
  certificateId: row.id,
  serialNumber: row.serialNumber,
  commonName: row.commonName,
});
