// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { MetadataEntry, OrderedRenewal, SignedCertificate } from './shared.ts';

export type CertificateRequest = {
  id: string;
  /** Authorities of Coffer respond immediately: only orders elsewhere are pending */
  status: 'issued' | 'pending' | 'failed' | 'cancelled';
  commonName: string;
  altNames: string | null;
  profileId: string | null;
  profileName: string | null;
  caId: string | null;
  certificateId: string | null;
  serialNumber: string | null;
  approvalRequestId: null;
  /** Why it failed */ errorMessage: string | null;
  /** What it waits for */ pendingMessage: string | null;
  certificate: { id: string; serialNumber: string; status: string } | null;
  createdAt: string;
  updatedAt: string;
};

export type IssueByProfile = {
  profileId: string;
  commonName?: string;
  ttl: string;
  keyUsages?: string[];
  extendedKeyUsages?: string[];
  notBefore?: string;
  notAfter?: string;
  altNames?: { type: string; value: string }[];
  signatureAlgorithm?: string;
  keyAlgorithm?: string;
  /** Default: `false` */ removeRootsFromChain?: boolean;
};

export type OrderAttributes = {
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
  domainComponents?: string[];
  altNames?: { type: string; value: string }[];
  /** Validity, for example 90d; or notBefore and notAfter */ ttl?: string;
  notBefore?: string;
  notAfter?: string;
  customExtensions?: unknown[];
};

export type OrderByProfile = {
  profileId: string;
  /** PKCS #10 in PEM */ csr?: string;
  attributes?: OrderAttributes;
  /** Default: `false` */ removeRootsFromChain?: boolean;
  metadata?: MetadataEntry[];
};

export type OrderedCertificate = SignedCertificate & { /** PEM of PKCS #8 */ privateKey: string | null };

export type PendingRequest = OrderedRenewal & { projectId: string; profileName: string; commonName: string };

export type RequestedCertificate = OrderedCertificate & { certificateRequestId: string; status: 'issued' };

export type SearchCertificateRequests = {
  projectId: string;
  /** Default: `0` */ offset?: number;
  /** Default: `20` */ limit?: number;
  /** A part of a name or of the serial number */ search?: string;
  status?: 'issued' | 'pending' | 'failed' | 'cancelled';
  /** Created at or after this time */ fromDate?: string;
  /** Created at or before this time */ toDate?: string;
  profileIds?: string[];
  /** Default: `'createdAt'` */ sortBy?: 'createdAt' | 'commonName';
  /** Default: `'desc'` */ sortOrder?: 'asc' | 'desc';
  metadata?: { key: string; value?: string }[];
};

export type SignByProfile = {
  profileId: string;
  /** PKCS #10 in PEM */ csr: string;
  ttl: string;
  notBefore?: string;
  notAfter?: string;
  /** Default: `false` */ removeRootsFromChain?: boolean;
};

export interface CertificateOrdersApi {
  /**
   * Issue or sign a certificate by a profile.
   * `POST /api/v1/cert-manager/certificates`. Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-profiles` in the project.
   */
  order: Mutation<
    OrderByProfile,
    {
      /** null: an external authority has not issued it yet */ certificate: OrderedCertificate | null;
      certificateRequestId: string;
      status: 'issued' | 'pending';
      message: string | null;
    }
  >;
  /**
   * Issue a certificate by a profile (legacy).
   * `POST /api/v1/cert-manager/certificates/issue-certificate`. Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-profiles` in the project.
   */
  issue: Mutation<IssueByProfile, RequestedCertificate | PendingRequest>;
  /**
   * Sign a certificate signing request by a profile (legacy).
   * `POST /api/v1/cert-manager/certificates/sign-certificate`. Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-profiles` in the project.
   */
  sign: Mutation<SignByProfile, SignedCertificate & { certificateRequestId: string } | PendingRequest>;
  /** Search certificate requests. `POST /api/v1/cert-manager/certificates/certificate-requests/search`. Needs `read` on `certificates`. */
  requests: Mutation<SearchCertificateRequests, { certificateRequests: CertificateRequest[]; totalCount: number }>;
  /**
   * Read a certificate request.
   * `GET /api/v1/cert-manager/certificates/certificate-requests/{requestId}`. Needs `read` on `certificates`.
   */
  request: Query<{ requestId: string }, CertificateRequest>;
  /**
   * Cancel a certificate request.
   * `POST /api/v1/cert-manager/certificates/certificate-requests/{requestId}/cancel`. Needs `edit` on `certificates`.
   */
  cancel: Mutation<{ requestId: string }, { status: string; cancelled: boolean; errorMessage: string | null }>;
}
