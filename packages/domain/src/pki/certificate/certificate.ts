import { REVOCATION_REASONS, type RevocationReason } from '@coffer/x509/content';
import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { PRIVATE_KEY_KINDS } from '../../crypto/private-key-kinds.ts';
import {
  count,
  defineEvent,
  defineUpdate,
  duration,
  flag,
  Id,
  Instant,
  Metadata,
  text,
  Uuid,
} from '../../kernel/schema.ts';
import { KeyAlgorithmName } from '../authority/authority.ts';
import { moment } from '../authority/moment.ts';
import { ExtendedKeyUsages, KeyUsages } from '../constraint/usage.ts';

export const certificatePermissions = projectPermissions('certificates');

/** The published form of a certificate. */
export const Certificate = z.object({
  id: Uuid,
  createdAt: Instant,
  updatedAt: Instant,
  caId: Uuid.nullable().describe('Absent for imported certificates'),
  caCertId: Uuid.nullable(),
  certificateTemplateId: Uuid.nullable(),
  status: z.string().describe('`active` or `revoked`'),
  serialNumber: z.string().describe('Lower-case hexadecimal'),
  friendlyName: z.string(),
  commonName: z.string(),
  altNames: z.string().nullable().describe('Comma-separated'),
  notBefore: Instant,
  notAfter: Instant,
  revokedAt: Instant.nullable(),
  revocationReason: z.int().nullable().describe('The reason code of RFC 5280, section 5.3.1'),
  keyUsages: z.array(z.string()).nullable(),
  extendedKeyUsages: z.array(z.string()).nullable(),
});
export type Certificate = z.output<typeof Certificate>;

/** An element of the newer lists. */
export const ListedCertificate = Certificate.extend({
  projectId: Uuid,
  status: z.string().describe('active, revoked or expired'),
  pkiSubscriberId: Uuid.nullable(),
  profileId: Uuid.nullable(),
  keyAlgorithm: z.string(),
  signatureAlgorithm: z.string(),
  fingerprint: z.string().describe('SHA-256, lower-case hexadecimal'),
  source: z.string().describe('How it was issued: issue, sign, acme, est, subscriber, import'),
  hasPrivateKey: z.boolean(),
  renewedFromCertificateId: Uuid.nullable(),
  renewedByCertificateId: Uuid.nullable(),
  renewBeforeDays: z.int().nullable(),
  renewalError: z.string().nullable().describe('The error of the last auto-renewal, if any'),
});
export type ListedCertificate = z.output<typeof ListedCertificate>;

/** A certificate with all that is known of it. */
export const DetailedCertificate = ListedCertificate.extend({
  subject: z.object({
    commonName: z.string().nullable(),
    organization: z.string().nullable(),
    organizationalUnit: z.string().nullable(),
    country: z.string().nullable(),
    state: z.string().nullable(),
    locality: z.string().nullable(),
    domainComponents: z.array(z.string()),
  }),
  subjectAltNames: z.array(z.object({ type: z.string(), value: z.string() })),
  fingerprints: z.object({ sha256: z.string(), sha1: z.string() }),
  basicConstraints: z.object({ isCA: z.boolean(), pathLength: z.int().nullable() }),
  caName: z.string().nullable(),
  caType: z.string().nullable(),
  profileName: z.string().nullable().describe('Slug of its profile'),
  latestRenewalCertificateId: Uuid.nullable(),
  metadata: Metadata,
});
export type DetailedCertificate = z.output<typeof DetailedCertificate>;

export const LintFinding = z.object({
  rule: z.string().describe('The rule, for example rfc5280.serial_number or template.common_name'),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
});

/** An id, the serial number, or the SHA-256 fingerprint in hexadecimal. */
const Reference = Id.describe('ID, serial number or SHA-256 fingerprint');
export const CertificateRef = z.object({ id: Reference });
export type CertificateRef = z.output<typeof CertificateRef>;

const csr = z
  .string()
  .max(16_384)
  .meta({ examples: ['-----BEGIN CERTIFICATE REQUEST-----\n…\n-----END CERTIFICATE REQUEST-----'] })
  .describe('PKCS #10 in PEM');

/** What issuing and signing have in common. */
const Wanted = z.object({
  pkiCollectionId: Id.optional().describe('A collection to which it is added'),
  friendlyName: text(255).default(''),
  ttl: duration().optional().describe('Validity, for example 90d; this or notAfter'),
  notBefore: moment().optional(),
  notAfter: moment().optional(),
  keyUsages: KeyUsages.optional(),
  extendedKeyUsages: ExtendedKeyUsages.optional(),
});
const By = z.object({
  caId: Id.optional().describe('The authority, where no template is named'),
  certificateTemplateId: Id.optional().describe('The template, which also determines the authority'),
});
const commonName = text(256).describe('Of the subject');
const altNames = text(16_384).describe('Comma-separated DNS names, IP addresses, e-mail addresses and URIs');

export const IssueCertificate = Wanted.extend({
  ...By.shape,
  commonName,
  altNames: altNames.default(''),
  keyAlgorithm: KeyAlgorithmName.optional().describe("Algorithm of the generated key. Default: the authority's"),
});
export type IssueCertificate = z.output<typeof IssueCertificate>;

export const SignCertificate = Wanted.extend({
  ...By.shape,
  csr,
  commonName: commonName.optional().describe('Overrides that of the request'),
  altNames: altNames.optional().describe('Overrides that of the request'),
});
export type SignCertificate = z.output<typeof SignCertificate>;

export const SignedCertificate = z.object({
  certificate: z.string().describe('PEM'),
  issuingCaCertificate: z.string().describe('PEM'),
  certificateChain: z.string().describe('PEM'),
  serialNumber: z.string(),
  certificateId: Uuid,
});
export const IssuedCertificate = SignedCertificate.extend({ privateKey: z.string().describe('PEM of PKCS #8') });

export const CertificateBody = z.object({
  certificate: z.string(),
  certificateChain: z.string().nullable(),
  serialNumber: z.string(),
});
export type CertificateBody = z.output<typeof CertificateBody>;
export const CertificateBundle = CertificateBody.extend({ privateKey: z.string().nullable() });
export type CertificateBundle = z.output<typeof CertificateBundle>;

export const ExportPkcs12 = CertificateRef.extend({
  password: text(256).min(1).describe('The password that encrypts the bundle'),
  alias: text(64).optional().describe('The friendly name in the bundle'),
});
export type ExportPkcs12 = z.output<typeof ExportPkcs12>;

const STATUSES = ['active', 'revoked', 'expired'] as const;

/** What lists and searches are narrowed by; all of it has to hold. */
export const CertificateFilter = z.object({
  caId: Id.optional(),
  caIds: z.array(Id).max(100).optional(),
  profileIds: z.array(Id).max(100).optional(),
  pkiSubscriberId: Id.optional(),
  status: z
    .union([z.enum(STATUSES), z.array(z.enum(STATUSES)).min(1)])
    .meta({ override: { type: 'string', enum: [...STATUSES], anyOf: undefined } })
    .optional(),
  friendlyName: text(255).optional().describe('Exactly'),
  commonName: text(256).optional().describe('Exactly'),
  search: text(256).optional().describe('A part of a name or of the serial number'),
  fromDate: moment().optional().describe('Created at or after this time'),
  toDate: moment().optional().describe('Created at or before this time'),
  notAfterFrom: moment().optional().describe('Ends at or after this time'),
  notAfterTo: moment().optional().describe('Ends at or before this time'),
  metadata: z
    .array(z.object({ key: text(255), value: text(1020).optional() }))
    .max(20)
    .optional(),
  sortBy: z.enum(['createdAt', 'notAfter', 'notBefore', 'commonName']).default('createdAt'),
  sortOrder: z.enum(['asc', 'desc']).default('desc'),
  offset: count(0, 1_000_000_000).default(0),
  limit: count(1, 100).default(25),
});
export type CertificateFilter = z.output<typeof CertificateFilter>;

export const SearchCertificates = CertificateFilter.extend({ projectId: Id });
export type SearchCertificates = z.output<typeof SearchCertificates>;

/** Of a query, where lists and objects have no place. */
export const ListCertificates = SearchCertificates.omit({ caIds: true, profileIds: true, metadata: true });
export const ListCertificatesBySlug = CertificateFilter.pick({
  friendlyName: true,
  commonName: true,
  offset: true,
  limit: true,
}).extend({ slug: z.string().trim() });
export type ListCertificatesBySlug = z.output<typeof ListCertificatesBySlug>;

export const RevocationReasonName = z.enum(Object.keys(REVOCATION_REASONS) as [RevocationReason]);
export const RevokeCertificate = CertificateRef.extend({ revocationReason: RevocationReasonName });
export type RevokeCertificate = z.output<typeof RevokeCertificate>;

export const KEY_SOURCES = ['new-key', 'existing-key'] as const;
export const RenewCertificate = CertificateRef.extend({
  removeRootsFromChain: flag().default(false),
  renewalKeySource: z.enum(KEY_SOURCES).optional().describe('The key of the new certificate. Default: a new key'),
  csr: csr.optional().describe('Whether an external key is imported'),
  ttl: duration().optional().describe('Default: that of the previous certificate'),
});
export type RenewCertificate = z.output<typeof RenewCertificate>;
export const RenewedCertificate = SignedCertificate.extend({ privateKey: z.string().nullable() });

export const ImportCertificate = z.object({
  projectId: Id.optional().describe('This or projectSlug'),
  projectSlug: z.string().trim().optional(),
  certificatePem: z
    .string()
    .max(65_536)
    .meta({ examples: ['-----BEGIN CERTIFICATE-----'] }),
  privateKeyPem: z
    .string()
    .max(65_536)
    .optional()
    .describe(`PKCS #8, PKCS #1 or SEC 1 in PEM, without a password: ${PRIVATE_KEY_KINDS}`),
  chainPem: z.string().max(262_144).optional().describe('The chain: its issuer first'),
  friendlyName: text(255).default(''),
  pkiCollectionId: Id.optional(),
});
export type ImportCertificate = z.output<typeof ImportCertificate>;
export const ImportedCertificate = z.object({
  certificateId: Uuid,
  certificate: z.string(),
  certificateChain: z.string(),
  privateKey: z.string().nullable(),
  serialNumber: z.string(),
});

/** Days before its end at which a certificate is renewed automatically: the earliest, and the default. */
export const MAX_RENEW_BEFORE = 30;
export const USUAL_RENEW_BEFORE = 7;
export const ConfigureCertificate = CertificateRef.extend({
  renewBeforeDays: z.int().min(1).max(MAX_RENEW_BEFORE).optional(),
  enableAutoRenewal: z.boolean().optional(),
});
export type ConfigureCertificate = z.output<typeof ConfigureCertificate>;

export const UpdateCertificate = CertificateRef.extend({
  metadata: Metadata.max(100).optional(),
  friendlyName: text(255).optional(),
});
export type UpdateCertificate = z.output<typeof UpdateCertificate>;

const named = { certificateId: z.string(), serialNumber: z.string(), commonName: z.string() };
const data = z.object(named);
const issuedData = z.object({
  ...named,
  caId: z.string(),
  certificateTemplateId: z.string().nullable(),
  profileId: z.string().nullable(),
  source: z.string(),
});
export const certificateIssued = defineEvent('certificate.issued', 'issue-cert', issuedData);
export const certificateSigned = defineEvent('certificate.signed', 'sign-cert', issuedData);
export const certificateImported = defineEvent('certificate.imported', 'import-cert', data);
export const certificateRenewed = defineEvent(
  'certificate.renewed',
  'renew-cert',
  data.extend({ renewedCertificateId: z.string() }),
);
export const certificateRevoked = defineEvent(
  'certificate.revoked',
  'revoke-cert',
  data.extend({ revocationReason: z.string() }),
);
export const certificateUpdated = defineUpdate('certificate.updated', 'update-cert', data);
export const certificateDeleted = defineEvent('certificate.deleted', 'delete-cert', data);
export const certificateKeyRead = defineEvent('certificate.private_key_read', 'get-cert-private-key', data);
export const certificateBundleRead = defineEvent('certificate.bundle_read', 'get-cert-bundle', data);
export const certificateExported = defineEvent('certificate.exported', 'export-cert-pkcs12', data);
