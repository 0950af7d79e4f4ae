import { joinPkiSyncs } from '../../connections/pki-sync/index.ts';
import {
  badRequest,
  explainConstraint,
  record,
  statement,
  type Metadata,
  type Transaction,
} from '../../kernel/index.ts';
import { altNamesText, type ReadCertificate } from '../x509.ts';
import { certificateUpdated } from './certificate.ts';
import { privateKeys } from './sealed.ts';
import { lockCertificate, namedOf, type StoredCertificate } from './stored.ts';

const STORED = ['certificates_fingerprint_unique', 'The project already has this certificate'] as const;
explainConstraint(...STORED);

/** A certificate that was not signed here. */
export interface Foreign {
  readonly certificate: ReadCertificate;
  /** PEM of the certificates above it, nearest first. */
  readonly chain: string;
  /** PKCS #8, if it is known. */
  readonly privateKey: Uint8Array | undefined;
  readonly friendlyName: string;
  readonly source: 'import' | 'issue' | 'sign' | 'subscriber';
  /** Of one that was ordered. */
  readonly ordered?: Ordered;
}

/** Who ordered a certificate, and where. */
export interface Ordered {
  readonly externalCaId: string;
  readonly externalReference: string | null;
  readonly profileId: string | null;
  readonly pkiSubscriberId: string | null;
  readonly renewedFromId: string | null;
  readonly renewBeforeDays: number | null;
  readonly metadata: Metadata;
  /** How the order may have a certificate that somebody has imported before it was answered; see `Taking`. */
  readonly taking: (imported: StoredCertificate) => Promise<Taking>;
}

/**
 * What an order does with the same certificate, which somebody has imported: it becomes that of the order, with its friendly name and
 * metadata, or with those that it has; or it stays as it is.
 */
export type Taking = 'renamed' | 'as it is named' | 'no';

const IMPORTED: { [Field in keyof Omit<Ordered, 'taking'>]: Ordered[Field] | null } = {
  externalCaId: null,
  externalReference: null,
  profileId: null,
  pkiSubscriberId: null,
  renewedFromId: null,
  renewBeforeDays: null,
  metadata: [],
};

const INSERT_TEXT = `insert into certificates (id, organization_id, project_id, serial_number, friendly_name, common_name, alt_names,
     names, subject, not_before, not_after, key_usages, extended_key_usages, key_algorithm, signature_algorithm, is_ca,
     body, chain, fingerprint_sha256, private_key, source, external_ca_id, external_reference, profile_id,
     pki_subscriber_id, renewed_from_id, renew_before_days, metadata, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
     $24, $25, $26, $27, $28, $29, $29)`;
const INSERT = statement(
  'certificates.insert_foreign',
  `${INSERT_TEXT} on conflict (organization_id, fingerprint_sha256, project_id) do nothing returning id`,
);
const LOCK_IMPORTED = statement(
  'certificates.lock_imported',
  `select id from certificates where organization_id = $1 and fingerprint_sha256 = $2 and project_id = $3
     and source = 'import' and external_ca_id is null for update`,
);
const TAKE = statement(
  'certificates.take_imported',
  `update certificates set friendly_name = $2, metadata = $3, chain = $4, source = $5, external_ca_id = $6,
     external_reference = $7, profile_id = $8, pki_subscriber_id = $9, renewed_from_id = $10, renew_before_days = $11,
     private_key = coalesce($12, private_key), updated_at = $13 where id = $1`,
);

/**
 * Stores a certificate of another authority with its key.
 *
 * @returns Its ID: the given one, or that of the same certificate, which was imported before it was answered to its order.
 * @throws DomainError 400 `certificates_fingerprint_unique` if it is stored already.
 */
export async function storeForeign(tx: Transaction, place: Place, foreign: Foreign): Promise<string> {
  // What is imported or deleted at this moment is waited for.
  const stored =
    (await insert(tx, place, foreign)) ?? (await take(tx, place, foreign)) ?? (await insert(tx, place, foreign));
  if (stored === undefined) throw badRequest(...STORED);
  const { renewedFromId, pkiSubscriberId } = foreign.ordered ?? IMPORTED;
  await joinPkiSyncs(tx, {
    ...{ organizationId: place.organizationId, id: stored, renewedFromId, pkiSubscriberId },
    hasPrivateKey: foreign.privateKey !== undefined,
  });
  return stored;
}

interface Place {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
}

const sealedIn = async (tx: Transaction, place: Place, privateKey: Uint8Array | undefined) =>
  privateKey ? privateKeys.seal(tx, place, privateKey) : null;
const fingerprintOf = ({ fingerprintSha256 }: ReadCertificate) => Buffer.from(fingerprintSha256, 'hex');

/** @returns Its ID; `undefined` if the project has the certificate. */
async function insert(
  tx: Transaction,
  place: Place,
  { certificate, chain, privateKey, friendlyName, source, ordered }: Foreign,
): Promise<string | undefined> {
  const names = certificate.altNames;
  const { other: _, ...subject } = certificate.subject;
  const by = ordered ?? IMPORTED;
  const [stored] = await tx.sql<{ id: string }>(INSERT, [
    place.id,
    place.organizationId,
    place.projectId,
    certificate.serialNumber,
    friendlyName,
    certificate.subject.commonName ?? '',
    names.length > 0 ? altNamesText(names) : null,
    JSON.stringify(names),
    JSON.stringify(subject),
    certificate.notBefore,
    certificate.notAfter,
    certificate.keyUsages,
    certificate.extendedKeyUsages,
    certificate.keyAlgorithm ?? 'unknown',
    certificate.signatureAlgorithm,
    certificate.ca !== undefined,
    certificate.der,
    chain,
    fingerprintOf(certificate),
    await sealedIn(tx, place, privateKey),
    source,
    ...[by.externalCaId, by.externalReference, by.profileId, by.pkiSubscriberId],
    ...[by.renewedFromId, by.renewBeforeDays, JSON.stringify(by.metadata), tx.now()],
  ]);
  return stored?.id;
}

/**
 * Makes the same certificate, which was imported, that of the order.
 *
 * @returns Its ID; `undefined` if there is none.
 * @throws DomainError 400 `certificates_fingerprint_unique` if it stays as it is.
 */
async function take(
  tx: Transaction,
  { organizationId, projectId }: Place,
  { certificate, chain, privateKey, friendlyName, source, ordered }: Foreign,
): Promise<string | undefined> {
  if (!ordered) return undefined;
  const [found] = await tx.sql<{ id: string }>(LOCK_IMPORTED, [organizationId, fingerprintOf(certificate), projectId]);
  if (!found) return undefined;
  const row = await lockCertificate(tx, found.id);
  const taking = await ordered.taking(row);
  if (taking === 'no') throw badRequest(...STORED);
  const named = taking === 'renamed' ? { friendlyName, metadata: ordered.metadata } : row;
  await tx.sql(TAKE, [
    ...[row.id, named.friendlyName, JSON.stringify(named.metadata), chain, source],
    ...[ordered.externalCaId, ordered.externalReference, ordered.profileId, ordered.pkiSubscriberId],
    ...[ordered.renewedFromId, ordered.renewBeforeDays],
    ...[await sealedIn(tx, { id: row.id, organizationId, projectId }, privateKey), tx.now()],
  ]);
  const changed = ['caId', ...(taking === 'renamed' ? ['friendlyName', 'metadata'] : [])];
  record(tx, certificateUpdated, { ...namedOf(row), changed }, { organizationId, projectId });
  return row.id;
}
