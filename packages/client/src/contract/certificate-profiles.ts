// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { CertificateBody, ListedCertificate } from './shared.ts';

export type AcmeConfig = {
  /** Default: false */ skipDnsOwnershipVerification?: boolean;
  /** Default: false */ skipEabBinding?: boolean;
};

export type ApiConfig = {
  /** Default: false */ autoRenew?: boolean;
  /** Default: 7 */ renewBeforeDays?: number | null;
};

export type CertificateProfile = {
  id: string;
  projectId: string;
  caId: string | null;
  certificatePolicyId: string;
  slug: string;
  description: string | null;
  enrollmentType: 'api' | 'est' | 'acme' | 'scep';
  issuerType: 'ca' | 'self-signed';
  apiConfig: { autoRenew: boolean; renewBeforeDays: number | null } | null;
  acmeConfig: {
    /** Default: false */ skipDnsOwnershipVerification: boolean;
    /** Default: false */ skipEabBinding: boolean;
    id: string;
    directoryUrl: string;
  } | null;
  estConfig: {
    id: string;
    disableBootstrapCaValidation: boolean;
    /** PEM */ caChain: string | null;
    /** Returned once, if it was generated */ passphrase?: string;
  } | null;
  externalConfigs: null;
  defaults: ProfileDefaults | null;
  certificateAuthority: { id: string; name: string; status: string } | null;
  certificatePolicy: { id: string; name: string };
  createdAt: string;
  updatedAt: string;
};

export type CreateCertificateProfile = {
  projectId: string;
  caId?: string | null;
  certificatePolicyId: string;
  slug: string;
  description?: string | null;
  /** Supported: api, est, acme */ enrollmentType: 'api' | 'est' | 'acme' | 'scep';
  apiConfig?: ApiConfig | null;
  acmeConfig?: AcmeConfig | null;
  estConfig?: ProfileEstConfig | null;
  externalConfigs?: Record<string, unknown> | null;
  defaults?: ProfileDefaults | null;
  /** Supported: ca (default: `'ca'`) */ issuerType?: 'ca' | 'self-signed';
};

export type ListCertificateProfiles = {
  projectId: string;
  /** Default: `0` */ offset?: number;
  /** Default: `20` */ limit?: number;
  /** A part of the slug or description */ search?: string;
  /** Supported: api, est, acme */ enrollmentType?: 'api' | 'est' | 'acme' | 'scep';
  /** Supported: ca */ issuerType?: 'ca' | 'self-signed';
  caId?: string;
};

export type ProfileDefaults = {
  ttlDays?: number;
  commonName?: string;
  organization?: string;
  organizationalUnit?: string;
  /** Two letters */ country?: string;
  state?: string;
  locality?: string;
  keyUsages?: string[];
  extendedKeyUsages?: string[];
  keyAlgorithm?: string;
  signatureAlgorithm?: string;
  basicConstraints?: { isCA?: boolean; pathLength?: number };
};

export type ProfileEstConfig = {
  /** Default: generated, and returned once */ passphrase?: string;
  /** PEM of the authorities that sign the client certificates for the first enrolment */ caChain?: string;
  /** Whether the first enrolment needs no client certificate (default: `false`) */
  disableBootstrapCaValidation?: boolean;
};

export type UpdateCertificateProfile = {
  profileId: string;
  caId?: string | null;
  certificatePolicyId?: string;
  slug?: string;
  description?: string | null;
  /** Supported: api, est, acme */ enrollmentType?: 'api' | 'est' | 'acme' | 'scep';
  apiConfig?: ApiConfig | null;
  acmeConfig?: AcmeConfig | null;
  estConfig?: {
    passphrase?: string;
    /** Generates a new passphrase, which is returned once */ rotatePassphrase?: boolean;
    /** PEM of the authorities that sign the client certificates for the first enrolment */ caChain?: string;
    disableBootstrapCaValidation?: boolean;
  } | null;
  externalConfigs?: Record<string, unknown> | null;
  defaults?: ProfileDefaults | null;
  /** Supported: ca */ issuerType?: 'ca' | 'self-signed';
};

export interface CertificateProfilesApi {
  /**
   * List the certificate profiles of a project.
   * `GET /api/v1/cert-manager/certificate-profiles`. Needs `read` on `certificate-profiles`.
   */
  list: Query<ListCertificateProfiles, { certificateProfiles: CertificateProfile[]; totalCount: number }>;
  /**
   * Create a certificate profile.
   * If clients enrol by EST or ACME, the caller also needs the permanent right to issue by the template or profile, because these clients get all that it issues. Ending enrolment does not need this right.
   * `POST /api/v1/cert-manager/certificate-profiles`. Needs `create` on `certificate-profiles`.
   */
  create: Mutation<CreateCertificateProfile, { certificateProfile: CertificateProfile }>;
  /** Read a certificate profile. `GET /api/v1/cert-manager/certificate-profiles/{profileId}`. Needs `read` on `certificate-profiles`. */
  get: Query<{ profileId: string }, { certificateProfile: CertificateProfile }>;
  /**
   * Read a certificate profile by its slug.
   * `GET /api/v1/cert-manager/certificate-profiles/slug/{slug}`. Needs `read` on `certificate-profiles`.
   */
  getBySlug: Query<{ projectId: string; slug: string }, { certificateProfile: CertificateProfile }>;
  /**
   * Update a certificate profile.
   * If clients enrol by EST or ACME, the caller also needs the permanent right to issue by the template or profile, because these clients get all that it issues. Ending enrolment does not need this right.
   * `PATCH /api/v1/cert-manager/certificate-profiles/{profileId}`. Needs `edit` on `certificate-profiles`.
   */
  update: Mutation<UpdateCertificateProfile, { certificateProfile: CertificateProfile }>;
  /**
   * Delete a certificate profile.
   * `DELETE /api/v1/cert-manager/certificate-profiles/{profileId}`. Needs `delete` on `certificate-profiles`.
   */
  delete: Mutation<{ profileId: string }, { certificateProfile: CertificateProfile }>;
  /**
   * List the certificates of a certificate profile.
   * `GET /api/v1/cert-manager/certificate-profiles/{profileId}/certificates`. Needs `read` on `certificate-profiles`.
   */
  certificates: Query<
    {
      profileId: string;
      /** Default: `0` */ offset?: number;
      /** A part of a name or of the serial number */ search?: string;
      status?: 'active' | 'revoked' | 'expired' | ('active' | 'revoked' | 'expired')[];
      /** Default: `20` */ limit?: number;
    },
    { certificates: ListedCertificate[] }
  >;
  /**
   * Read the newest certificate of a profile with its private key in PEM.
   * `GET /api/v1/cert-manager/certificate-profiles/{profileId}/certificates/latest-active-bundle`. Needs `read` on `certificate-profiles` in the project, or `read-private-key` on `certificates` in the project.
   */
  latestBundle: Query<{ profileId: string }, CertificateBody & { privateKey: string | null }>;
}
