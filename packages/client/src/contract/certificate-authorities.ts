// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { KeyAlgorithmName, NameConstraintsInput } from './shared.ts';

export type Authority = {
  id: string;
  projectId: string;
  name: string;
  type: 'internal';
  status: 'active' | 'disabled' | 'pending-certificate';
  enableDirectIssuance: boolean;
  ocspResponder: 'authority' | 'delegated';
  createdAt: string;
  updatedAt: string;
  configuration: {
    type: 'root' | 'intermediate';
    friendlyName: string;
    commonName: string;
    organization: string;
    ou: string;
    country: string;
    province: string;
    locality: string;
    /** RFC 4514 */ dn: string;
    keyAlgorithm: string;
    /** -1: unlimited */ maxPathLength: number;
    nameConstraints: {
      permitted?: { type: 'dns' | 'ip' | 'email' | 'uri'; value: string }[];
      excluded?: { type: 'dns' | 'ip' | 'email' | 'uri'; value: string }[];
    } | null;
    parentCaId: string | null;
    notBefore: string | null;
    notAfter: string | null;
    /** Serial number of its certificate */ serialNumber: string | null;
    activeCaCertId: string | null;
  };
};

export type AuthorityCertificate = {
  certificate: string;
  /** The certificates above it, nearest first; empty for a root */ certificateChain: string;
  serialNumber: string;
};

export type AutoRenewal = {
  caId: string;
  enableAutoRenewal: boolean;
  /** Days before the end of its certificate at which it is renewed */ renewBeforeDays: number | null;
};

export type CreateAuthority = {
  projectId: string;
  /** Unique in the project */ name: string;
  /** Default: `'active'` */ status?: 'active' | 'disabled';
  /** Whether it can issue without a template or profile. Default: true */ enableDirectIssuance?: boolean;
  /** The opposite, under a legacy name */ disableDirectIssuance?: boolean;
  /** The signer of OCSP responses: the authority itself (default), or a delegated responder with its own certificate */
  ocspResponder?: 'authority' | 'delegated';
  configuration: {
    type: 'root' | 'intermediate';
    friendlyName?: string;
    /** Default: `''` */ commonName?: string;
    /** Default: `''` */ organization?: string;
    /** Default: `''` */ ou?: string;
    /** Two letters (default: `''`) */ country?: string;
    /** Default: `''` */ province?: string;
    /** Default: `''` */ locality?: string;
    /** Default: now */ notBefore?: string;
    /** Default: ten years later */ notAfter?: string;
    /** Default: `-1` */ maxPathLength?: number | null;
    /** Default: `'RSA_2048'` */ keyAlgorithm?: KeyAlgorithmName;
    nameConstraints?: NameConstraintsInput | null;
    /** For an intermediate: the authority of the project that signs it immediately */ parentCaId?: string | null;
  };
};

export type ImportAuthorityCertificate = {
  caId: string;
  /** PEM */ certificate: string;
  /** PEM of the certificates above it, nearest first, up to the root */ certificateChain: string;
};

export type ListedAuthorityCertificate = AuthorityCertificate & { id: string; version: number; notBefore: string; notAfter: string };

export type RenewAuthority = { caId: string; /** Whether to keep the key or to generate a new one */ type: 'existing' | 'new'; notAfter: string };

export type SetSigningConfig = {
  caId: string;
  /** Default: `'internal'` */ type?: 'internal';
  parentCaId: string;
  /** End of the first certificate. Default: ten years, or the end of the parent */ notAfter?: string;
};

export type SignIntermediate = {
  caId: string;
  /** PEM of a certificate signing request (PKCS #10) */ csr: string;
  /** Default: now */ notBefore?: string;
  notAfter: string;
  /** Maximum number of authorities below it in a chain; -1: unlimited (default: `-1`) */ maxPathLength?: number;
  /** Names that certificates below it may or may not have */ nameConstraints?: NameConstraintsInput;
};

export type SigningConfig = {
  caId: string;
  /** `internal`: an authority of the project; `external`: by CSR and import */ type: 'internal' | 'external';
  parentCaId: string | null;
};

export type UpdateAuthority = {
  caId: string;
  name?: string;
  status?: 'active' | 'disabled';
  enableDirectIssuance?: boolean;
  disableDirectIssuance?: boolean;
  /** The same, under the first legacy name */ requireTemplateForIssuance?: boolean;
  /** The signer of OCSP responses: the authority itself (default), or a delegated responder with its own certificate */
  ocspResponder?: 'authority' | 'delegated';
  configuration?: {
    type?: 'root' | 'intermediate';
    friendlyName?: string;
    commonName?: string;
    organization?: string;
    ou?: string;
    country?: string;
    province?: string;
    locality?: string;
    keyAlgorithm?: KeyAlgorithmName;
    maxPathLength?: number | null;
    notBefore?: string | null;
    notAfter?: string | null;
  };
};

export type UpdateAutoRenewal = { caId: string; enableAutoRenewal?: boolean; /** Default: the present value, or 30 */ renewBeforeDays?: number };

export interface CertificateAuthoritiesApi {
  /** List the certificate authorities of a project. `GET /api/v1/cert-manager/ca/internal`. Needs `read` on `certificate-authorities`. */
  list: Query<{ projectId: string }, Authority[]>;
  /**
   * Create a root or intermediate certificate authority.
   * `POST /api/v1/cert-manager/ca/internal`. Needs `create` on `certificate-authorities`.
   */
  create: Mutation<CreateAuthority, Authority>;
  /** Read a certificate authority. `GET /api/v1/cert-manager/ca/internal/{caId}`. Needs `read` on `certificate-authorities`. */
  get: Query<{ caId: string }, Authority>;
  /**
   * Update a certificate authority: rename it, disable it, or change how it issues.
   * `PATCH /api/v1/cert-manager/ca/internal/{caId}`. Needs `edit` on `certificate-authorities`.
   */
  update: Mutation<UpdateAuthority, Authority>;
  /**
   * Delete a certificate authority with its keys; its certificates are revoked.
   * `DELETE /api/v1/cert-manager/ca/internal/{caId}`. Needs `delete` on `certificate-authorities`.
   */
  delete: Mutation<{ caId: string }, Authority>;
  /**
   * Read the CSR of an intermediate authority.
   * `GET /api/v1/cert-manager/ca/internal/{caId}/csr`. Needs `read` on `certificate-authorities`.
   */
  request: Query<{ caId: string }, { /** PEM */ csr: string }>;
  /**
   * Generate a new key for an intermediate authority that is signed externally, and return its CSR.
   * `POST /api/v1/cert-manager/ca/internal/{caId}/csr`. Needs `renew` on `certificate-authorities`.
   */
  prepareKey: Mutation<{ caId: string }, { /** PEM */ csr: string }>;
  /**
   * Renew the certificate of a certificate authority.
   * `POST /api/v1/cert-manager/ca/internal/{caId}/renew`. Needs `renew` on `certificate-authorities`.
   */
  renew: Mutation<RenewAuthority, AuthorityCertificate>;
  /**
   * List the certificates of a certificate authority, current and former.
   * `GET /api/v1/cert-manager/ca/internal/{caId}/ca-certificates`. Needs `read` on `certificate-authorities`.
   */
  certificates: Query<{ caId: string }, ListedAuthorityCertificate[]>;
  /**
   * Read the certificate and the chain of a certificate authority.
   * `GET /api/v1/cert-manager/ca/internal/{caId}/certificate`. Needs `read` on `certificate-authorities`.
   */
  certificate: Query<{ caId: string }, AuthorityCertificate>;
  /**
   * Download a certificate of a certificate authority.
   * In DER. Issued certificates name this URL as that of their issuer.
   * `GET /api/v1/pki/ca/{caId}/certificates/{caCertId}/der`. Needs no token.
   */
  der: Query<{ caId: string; caCertId: string }, { type: string; /** Base64 */ body: string }>;
  /**
   * Sign the certificate of an intermediate authority.
   * `POST /api/v1/cert-manager/ca/internal/{caId}/sign-intermediate`. Needs `sign-intermediate` on `certificate-authorities`.
   */
  signIntermediate: Mutation<SignIntermediate, AuthorityCertificate & { issuingCaCertificate: string }>;
  /**
   * Import the certificate of an intermediate authority that was signed externally.
   * `POST /api/v1/cert-manager/ca/internal/{caId}/import-certificate`. Needs `create` on `certificate-authorities` in the project, or `renew` on `certificate-authorities` in the project.
   */
  importCertificate: Mutation<ImportAuthorityCertificate, { message: string; caId: string }>;
  /**
   * Read the auto-renewal settings of a certificate authority.
   * `GET /api/v1/cert-manager/ca/internal/{caId}/auto-renewal`. Needs `read` on `certificate-authorities`.
   */
  autoRenewal: Query<{ caId: string }, AutoRenewal>;
  /**
   * Update the auto-renewal settings of a certificate authority.
   * `PATCH /api/v1/cert-manager/ca/internal/{caId}/auto-renewal`. Needs `renew` on `certificate-authorities`.
   */
  updateAutoRenewal: Mutation<UpdateAutoRenewal, AutoRenewal>;
  /**
   * Read which authority signs an intermediate authority.
   * `GET /api/v1/cert-manager/ca/internal/{caId}/signing-config`. Needs `read` on `certificate-authorities`.
   */
  signingConfig: Query<{ caId: string }, SigningConfig>;
  /**
   * Have an intermediate authority signed by another authority of the project.
   * `POST /api/v1/cert-manager/ca/internal/{caId}/signing-config`. Needs `edit` on `certificate-authorities`.
   */
  createSigningConfig: Mutation<SetSigningConfig, SigningConfig>;
  /**
   * Change which authority of the project signs an intermediate authority.
   * `PATCH /api/v1/cert-manager/ca/internal/{caId}/signing-config`. Needs `edit` on `certificate-authorities`.
   */
  updateSigningConfig: Mutation<SetSigningConfig, SigningConfig>;
}
