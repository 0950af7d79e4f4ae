// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { Certificate, CertificateBody, ListedCertificate, MetadataEntry, OrderedRenewal, RevocationReasonName, SignedCertificate } from './shared.ts';

export type CertificateRef = { /** ID, serial number or SHA-256 fingerprint */ id: string };

export type ConfigureCertificate = { /** ID, serial number or SHA-256 fingerprint */ id: string; renewBeforeDays?: number; enableAutoRenewal?: boolean };

export type DetailedCertificate = ListedCertificate & {
  subject: {
    commonName: string | null;
    organization: string | null;
    organizationalUnit: string | null;
    country: string | null;
    state: string | null;
    locality: string | null;
    domainComponents: string[];
  };
  subjectAltNames: { type: string; value: string }[];
  fingerprints: { sha256: string; sha1: string };
  basicConstraints: { isCA: boolean; pathLength: number | null };
  caName: string | null;
  caType: string | null;
  /** Slug of its profile */ profileName: string | null;
  latestRenewalCertificateId: string | null;
  metadata: { key: string; value: string }[];
};

export type ExportPkcs12 = {
  /** ID, serial number or SHA-256 fingerprint */ id: string;
  /** The password that encrypts the bundle */ password: string;
  /** The friendly name in the bundle */ alias?: string;
};

export type ImportCertificate = {
  /** This or projectSlug */ projectId?: string;
  projectSlug?: string;
  certificatePem: string;
  /** PKCS #8, PKCS #1 or SEC 1 in PEM, without a password: RSA of up to 8192 bits, P-256, P-384, P-521 or Ed25519 */
  privateKeyPem?: string;
  /** The chain: its issuer first */ chainPem?: string;
  /** Default: `''` */ friendlyName?: string;
  pkiCollectionId?: string;
};

export type ImportedCertificate = {
  certificateId: string;
  certificate: string;
  certificateChain: string;
  privateKey: string | null;
  serialNumber: string;
};

export type LintFinding = {
  /** The rule, for example rfc5280.serial_number or template.common_name */ rule: string;
  severity: 'error' | 'warning';
  message: string;
};

export type ListCertificates = {
  caId?: string;
  pkiSubscriberId?: string;
  status?: 'active' | 'revoked' | 'expired' | ('active' | 'revoked' | 'expired')[];
  /** Exactly */ friendlyName?: string;
  /** Exactly */ commonName?: string;
  /** A part of a name or of the serial number */ search?: string;
  /** Created at or after this time */ fromDate?: string;
  /** Created at or before this time */ toDate?: string;
  /** Ends at or after this time */ notAfterFrom?: string;
  /** Ends at or before this time */ notAfterTo?: string;
  /** Default: `'createdAt'` */ sortBy?: 'createdAt' | 'notAfter' | 'notBefore' | 'commonName';
  /** Default: `'desc'` */ sortOrder?: 'asc' | 'desc';
  /** Default: `0` */ offset?: number;
  /** Default: `25` */ limit?: number;
  projectId: string;
};

export type RenewCertificate = {
  /** ID, serial number or SHA-256 fingerprint */ id: string;
  /** Default: `false` */ removeRootsFromChain?: boolean;
  /** The key of the new certificate. Default: a new key */ renewalKeySource?: 'new-key' | 'existing-key';
  /** Whether an external key is imported */ csr?: string;
  /** Default: that of the previous certificate */ ttl?: string;
};

export type RevokeCertificate = { /** ID, serial number or SHA-256 fingerprint */ id: string; revocationReason: RevocationReasonName };

export type SearchCertificates = {
  caId?: string;
  caIds?: string[];
  profileIds?: string[];
  pkiSubscriberId?: string;
  status?: 'active' | 'revoked' | 'expired' | ('active' | 'revoked' | 'expired')[];
  /** Exactly */ friendlyName?: string;
  /** Exactly */ commonName?: string;
  /** A part of a name or of the serial number */ search?: string;
  /** Created at or after this time */ fromDate?: string;
  /** Created at or before this time */ toDate?: string;
  /** Ends at or after this time */ notAfterFrom?: string;
  /** Ends at or before this time */ notAfterTo?: string;
  metadata?: { key: string; value?: string }[];
  /** Default: `'createdAt'` */ sortBy?: 'createdAt' | 'notAfter' | 'notBefore' | 'commonName';
  /** Default: `'desc'` */ sortOrder?: 'asc' | 'desc';
  /** Default: `0` */ offset?: number;
  /** Default: `25` */ limit?: number;
  projectId: string;
};

export type UpdateCertificate = { /** ID, serial number or SHA-256 fingerprint */ id: string; metadata?: MetadataEntry[]; friendlyName?: string };

export interface CertificatesApi {
  /** List the certificates of a project. `GET /api/v1/cert-manager/certificates`. Needs `read` on `certificates`. */
  list: Query<ListCertificates, { certificates: ListedCertificate[]; totalCount: number }>;
  /** Search the certificates of a project. `POST /api/v1/projects/{projectId}/certificates/search`. Needs `read` on `certificates`. */
  search: Mutation<SearchCertificates, { certificates: ListedCertificate[]; totalCount: number }>;
  /** Import a certificate. `POST /api/v1/cert-manager/certificates/import-certificate`. Needs `import` on `certificates`. */
  import: Mutation<ImportCertificate, ImportedCertificate>;
  /** Read the metadata of a certificate. `GET /api/v1/cert-manager/certificates/{id}`. Needs `read` on `certificates`. */
  get: Query<CertificateRef, { certificate: DetailedCertificate }>;
  /**
   * Update the metadata and the friendly name of a certificate.
   * `PATCH /api/v1/cert-manager/certificates/{id}`. Needs `edit` on `certificates`.
   */
  update: Mutation<UpdateCertificate, { metadata: { key: string; value: string }[]; friendlyName: string }>;
  /** Read a certificate and its chain in PEM. `GET /api/v1/cert-manager/certificates/{id}/certificate`. Needs `read` on `certificates`. */
  body: Query<CertificateRef, CertificateBody>;
  /**
   * Read a certificate with its chain and private key in PEM.
   * `GET /api/v1/cert-manager/certificates/{id}/bundle`. Needs `read-private-key` on `certificates`.
   */
  bundle: Query<CertificateRef, CertificateBody & { privateKey: string | null }>;
  /**
   * Read the private key of a certificate in PEM.
   * `GET /api/v1/cert-manager/certificates/{id}/private-key`. Needs `read-private-key` on `certificates`.
   */
  privateKey: Query<CertificateRef, { type: string; /** Base64 */ body: string }>;
  /**
   * Export a certificate with its chain and private key as PKCS #12.
   * `POST /api/v1/cert-manager/certificates/{id}/pkcs12`. Needs `read-private-key` on `certificates`.
   */
  pkcs12: Mutation<ExportPkcs12, { type: string; /** Base64 */ body: string }>;
  /**
   * Read the findings of the linter for a certificate.
   * `GET /api/v1/cert-manager/certificates/{id}/lint`. Needs `read` on `certificates`.
   */
  lint: Query<CertificateRef, { findings: LintFinding[] }>;
  /**
   * Renew a certificate.
   * `POST /api/v1/cert-manager/certificates/{id}/renew`. Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-templates` in the project, or `issue-cert` on `certificate-profiles` in the project.
   */
  renew: Mutation<RenewCertificate, SignedCertificate & { privateKey: string | null } | OrderedRenewal>;
  /**
   * Revoke a certificate.
   * If authorities use the certificate, they are disabled. The caller then also needs the right to edit each of them.
   * `POST /api/v1/cert-manager/certificates/{id}/revoke`. Needs `delete` on `certificates`.
   */
  revoke: Mutation<RevokeCertificate, { message: string; serialNumber: string; revokedAt: string }>;
  /**
   * Update the auto-renewal settings of a certificate.
   * `PATCH /api/v1/cert-manager/certificates/{id}/config`. Needs `edit` on `certificates`.
   */
  configure: Mutation<ConfigureCertificate, { message: string; renewBeforeDays: number | null }>;
  /**
   * Delete a certificate.
   * If authorities use the certificate, they are disabled. The caller then also needs the right to edit each of them.
   * `DELETE /api/v1/cert-manager/certificates/{id}`. Needs `delete` on `certificates`.
   */
  delete: Mutation<CertificateRef, { certificate: Certificate }>;
}
