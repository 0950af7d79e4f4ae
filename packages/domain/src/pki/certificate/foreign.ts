import { joinPkiSyncs } from '../../connections/pki-sync/index.ts';
import { badRequest, explainConstraint, statement, type Metadata, type Transaction } from '../../kernel/index.ts';
import { altNamesText, type ReadCertificate } from '../x509.ts';
import { privateKeys } from './sealed.ts';

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
}

const IMPORTED: { [Field in keyof Ordered]: Ordered[Field] | null } = {
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
const INSERT = statement('certificates.insert_foreign', `${INSERT_TEXT} returning id`);
/**
 * The same for an ordered certificate. If somebody has imported it before the order was answered, that row becomes the ordered one.
 * It is named as before, since rules use that, unless its key comes with the order.
 */
const NAMED_BY_ORDER = 'excluded.private_key is not null and certificates.private_key is null';
const INSERT_ORDERED = statement(
  'certificates.insert_ordered',
  `${INSERT_TEXT} on conflict (organization_id, fingerprint_sha256, project_id) do update set
     friendly_name = case when ${NAMED_BY_ORDER} then excluded.friendly_name else certificates.friendly_name end,
     chain = excluded.chain, source = excluded.source,
     external_ca_id = excluded.external_ca_id, external_reference = excluded.external_reference,
     profile_id = excluded.profile_id, pki_subscriber_id = excluded.pki_subscriber_id,
     renewed_from_id = excluded.renewed_from_id, renew_before_days = excluded.renew_before_days,
     metadata = case when ${NAMED_BY_ORDER} then excluded.metadata else certificates.metadata end,
     updated_at = excluded.updated_at
   where certificates.source = 'import' and certificates.external_ca_id is null
   returning id`,
);
const KEEP_KEY = statement('certificates.keep_key', 'update certificates set private_key = $2 where id = $1');

/**
 * Stores a certificate of another authority with its key.
 *
 * @returns Its ID: the given one, or that of the same certificate, which was imported before it was answered to its order.
 * @throws DomainError 400 `certificates_fingerprint_unique` if it is stored already.
 */
export async function storeForeign(
  tx: Transaction,
  { id, organizationId, projectId }: { id: string; organizationId: string; projectId: string },
  { certificate, chain, privateKey, friendlyName, source, ordered }: Foreign,
): Promise<string> {
  const names = certificate.altNames;
  const { other: _, ...subject } = certificate.subject;
  const by = ordered ?? IMPORTED;
  const sealedIn = async (row: string) =>
    privateKey ? privateKeys.seal(tx, { id: row, organizationId, projectId }, privateKey) : null;
  const [stored] = await tx.sql<{ id: string }>(ordered ? INSERT_ORDERED : INSERT, [
    id,
    organizationId,
    projectId,
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
    Buffer.from(certificate.fingerprintSha256, 'hex'),
    await sealedIn(id),
    source,
    ...[by.externalCaId, by.externalReference, by.profileId, by.pkiSubscriberId],
    ...[by.renewedFromId, by.renewBeforeDays, JSON.stringify(by.metadata), tx.now()],
  ]);
  if (!stored) throw badRequest(...STORED);
  if (stored.id !== id && privateKey) await tx.sql(KEEP_KEY, [stored.id, await sealedIn(stored.id)]);
  const { renewedFromId, pkiSubscriberId } = by;
  await joinPkiSyncs(tx, {
    ...{ organizationId, id: stored.id, renewedFromId, pkiSubscriberId },
    hasPrivateKey: privateKey !== undefined,
  });
  return stored.id;
}
