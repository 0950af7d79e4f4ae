// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { Certificate, CertificateBody, IssuedCertificate, KeyAlgorithmName, RevocationReasonName, SignedCertificate } from './shared.ts';

export type IssueCertificate = {
  /** A collection to which it is added */ pkiCollectionId?: string;
  /** Default: `''` */ friendlyName?: string;
  /** Validity, for example 90d; this or notAfter */ ttl?: string;
  notBefore?: string;
  notAfter?: string;
  keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
  extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
  /** The authority, where no template is named */ caId?: string;
  /** The template, which also determines the authority */ certificateTemplateId?: string;
  /** Of the subject */ commonName: string;
  /** Comma-separated DNS names, IP addresses, e-mail addresses and URIs (default: `''`) */ altNames?: string;
  /** Algorithm of the generated key. Default: the authority's */ keyAlgorithm?: KeyAlgorithmName;
};

export type ListCertificatesBySlug = {
  /** Exactly */ friendlyName?: string;
  /** Exactly */ commonName?: string;
  /** Default: `0` */ offset?: number;
  /** Default: `25` */ limit?: number;
  slug: string;
};

export type SignCertificate = {
  /** A collection to which it is added */ pkiCollectionId?: string;
  /** Default: `''` */ friendlyName?: string;
  /** Validity, for example 90d; this or notAfter */ ttl?: string;
  notBefore?: string;
  notAfter?: string;
  keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
  extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
  /** The authority, where no template is named */ caId?: string;
  /** The template, which also determines the authority */ certificateTemplateId?: string;
  /** PKCS #10 in PEM */ csr: string;
  /** Overrides that of the request */ commonName?: string;
  /** Overrides that of the request */ altNames?: string;
};

export interface CertificatesV1Api {
  /**
   * Issue a certificate with a new key.
   * `POST /api/v1/pki/certificates/issue-certificate`. Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-templates` in the project.
   */
  issue: Mutation<IssueCertificate, IssuedCertificate>;
  /**
   * Issue a certificate of an authority with a new key.
   * `POST /api/v1/pki/ca/{caId}/issue-certificate`. Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-templates` in the project.
   */
  issueByAuthority: Mutation<
    {
      /** A collection to which it is added */ pkiCollectionId?: string;
      /** Default: `''` */ friendlyName?: string;
      /** Validity, for example 90d; this or notAfter */ ttl?: string;
      notBefore?: string;
      notAfter?: string;
      keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
      extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
      caId: string;
      /** The template, which also determines the authority */ certificateTemplateId?: string;
      /** Of the subject */ commonName: string;
      /** Comma-separated DNS names, IP addresses, e-mail addresses and URIs (default: `''`) */ altNames?: string;
      /** Algorithm of the generated key. Default: the authority's */ keyAlgorithm?: KeyAlgorithmName;
    },
    IssuedCertificate
  >;
  /**
   * Sign a certificate signing request (CSR).
   * `POST /api/v1/pki/certificates/sign-certificate`. Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-templates` in the project.
   */
  sign: Mutation<SignCertificate, SignedCertificate>;
  /**
   * Sign a certificate signing request (CSR) by an authority.
   * `POST /api/v1/pki/ca/{caId}/sign-certificate`. Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-templates` in the project.
   */
  signByAuthority: Mutation<
    {
      /** A collection to which it is added */ pkiCollectionId?: string;
      /** Default: `''` */ friendlyName?: string;
      /** Validity, for example 90d; this or notAfter */ ttl?: string;
      notBefore?: string;
      notAfter?: string;
      keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
      extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
      caId: string;
      /** The template, which also determines the authority */ certificateTemplateId?: string;
      /** PKCS #10 in PEM */ csr: string;
      /** Overrides that of the request */ commonName?: string;
      /** Overrides that of the request */ altNames?: string;
    },
    SignedCertificate
  >;
  /** List the certificates of a project by its slug. `GET /api/v2/workspace/{slug}/certificates`. Needs `read` on `certificates`. */
  list: Query<ListCertificatesBySlug, { certificates: Certificate[]; totalCount: number }>;
  /** Read a certificate. `GET /api/v1/pki/certificates/{serialNumber}`. Needs `read` on `certificates`. */
  get: Query<{ serialNumber: string }, { certificate: Certificate }>;
  /**
   * Read a certificate and its chain in PEM.
   * `GET /api/v1/pki/certificates/{serialNumber}/certificate`. Needs `read` on `certificates`.
   */
  body: Query<{ serialNumber: string }, CertificateBody>;
  /**
   * Read a certificate with its chain and private key in PEM.
   * `GET /api/v1/pki/certificates/{serialNumber}/bundle`. Needs `read-private-key` on `certificates`.
   */
  bundle: Query<{ serialNumber: string }, CertificateBody & { privateKey: string | null }>;
  /**
   * Read the private key of a certificate in PEM.
   * `GET /api/v1/pki/certificates/{serialNumber}/private-key`. Needs `read-private-key` on `certificates`.
   */
  privateKey: Query<{ serialNumber: string }, { type: string; /** Base64 */ body: string }>;
  /**
   * Export a certificate with its chain and private key as PKCS #12.
   * `POST /api/v1/pki/certificates/{serialNumber}/pkcs12`. Needs `read-private-key` on `certificates`.
   */
  pkcs12: Mutation<
    {
      /** The password that encrypts the bundle */ password: string;
      /** The friendly name in the bundle */ alias?: string;
      serialNumber: string;
    },
    { type: string; /** Base64 */ body: string }
  >;
  /**
   * Revoke a certificate.
   * If authorities use the certificate, they are disabled. The caller then also needs the right to edit each of them.
   * `POST /api/v1/pki/certificates/{serialNumber}/revoke`. Needs `delete` on `certificates`.
   */
  revoke: Mutation<
    { revocationReason: RevocationReasonName; serialNumber: string },
    { message: string; serialNumber: string; revokedAt: string }
  >;
  /**
   * Delete a certificate.
   * If authorities use the certificate, they are disabled. The caller then also needs the right to edit each of them.
   * `DELETE /api/v1/pki/certificates/{serialNumber}`. Needs `delete` on `certificates`.
   */
  delete: Mutation<{ serialNumber: string }, { certificate: Certificate }>;
}
