import { joinPkiSyncs } from '../../connections/pki-sync/index.ts';
import { explainConstraint, statement, type Metadata, type Transaction } from '../../kernel/index.ts';
import { altNamesText, type ReadCertificate } from '../x509.ts';
import { privateKeys } from './sealed.ts';

explainConstraint('certificates_fingerprint_unique', 'The project already has this certificate');

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

const INSERT = statement(
  'certificates.insert_foreign',
  `insert into certificates (id, organization_id, project_id, serial_number, friendly_name, common_name, alt_names,
     names, subject, not_before, not_after, key_usages, extended_key_usages, key_algorithm, signature_algorithm, is_ca,
     body, chain, fingerprint_sha256, private_key, source, external_ca_id, external_reference, profile_id,
     pki_subscriber_id, renewed_from_id, renew_before_days, metadata, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
     $24, $25, $26, $27, $28, $29, $29)`,
);

/**
 * Stores a certificate of another authority with its key.
 *
 * @throws DomainError 400 `certificates_fingerprint_unique` if it is stored already.
 */
export async function storeForeign(
  tx: Transaction,
  { id, organizationId, projectId }: { id: string; organizationId: string; projectId: string },
  { certificate, chain, privateKey, friendlyName, source, ordered }: Foreign,
): Promise<void> {
  const names = certificate.altNames;
  const { other: _, ...subject } = certificate.subject;
  const by = ordered ?? IMPORTED;
  await tx.sql(INSERT, [
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
    privateKey ? await privateKeys.seal(tx, { id, organizationId, projectId }, privateKey) : null,
    source,
    ...[by.externalCaId, by.externalReference, by.profileId, by.pkiSubscriberId],
    ...[by.renewedFromId, by.renewBeforeDays, JSON.stringify(by.metadata), tx.now()],
  ]);
  const { renewedFromId, pkiSubscriberId } = by;
  await joinPkiSyncs(tx, {
    ...{ organizationId, id, renewedFromId, pkiSubscriberId },
    hasPrivateKey: privateKey !== undefined,
  });
}
