// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type AuthorityTemplate = {
  id: string;
  caId: string;
  name: string;
  /** A regular expression (RE2) that must match the whole common name */ commonName: string;
  /** A regular expression (RE2) that must match each whole alternative name */ subjectAlternativeName: string;
  /** The collection to which certificates are added */ pkiCollectionId: string | null;
  /** Maximum validity */ ttl: string;
  keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
  extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
  createdAt: string;
  updatedAt: string;
};

export type CertificateTemplate = {
  id: string;
  caId: string;
  name: string;
  /** A regular expression (RE2) that must match the whole common name */ commonName: string;
  /** A regular expression (RE2) that must match each whole alternative name */ subjectAlternativeName: string;
  /** The collection to which certificates are added */ pkiCollectionId: string | null;
  /** Maximum validity */ ttl: string;
  keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
  extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
  projectId: string;
  caName: string;
};

export type CreateCertificateTemplate = {
  caId: string;
  pkiCollectionId?: string | null;
  name: string;
  commonName: string;
  subjectAlternativeName: string;
  ttl: string;
  /** Default: `["digitalSignature","keyEncipherment"]` */
  keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
  /** Default: `[]` */
  extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
};

export type ListCertificateTemplates = {
  projectId: string;
  /** Default: `0` */ offset?: number;
  /** Default: `100` */ limit?: number;
};

export type UpdateCertificateTemplate = {
  caId?: string;
  pkiCollectionId?: string | null;
  name?: string;
  commonName?: string;
  subjectAlternativeName?: string;
  ttl?: string;
  keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
  extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
  certificateTemplateId: string;
};

export interface CertificateTemplatesApi {
  /**
   * List the certificate templates of a project.
   * `GET /api/v1/cert-manager/certificate-templates`. Needs `read` on `certificate-templates`.
   */
  list: Query<ListCertificateTemplates, { certificateTemplates: CertificateTemplate[]; totalCount: number }>;
  /**
   * List all certificate templates of a project.
   * `GET /api/v2/workspace/{projectId}/certificate-templates`. Needs `read` on `certificate-templates`.
   */
  listV2: Query<{ projectId: string }, { certificateTemplates: CertificateTemplate[] }>;
  /**
   * List the certificate templates of an authority.
   * `GET /api/v1/pki/ca/{caId}/certificate-templates`. Needs `read` on `certificate-templates`.
   */
  listOfAuthority: Query<{ caId: string }, { certificateTemplates: AuthorityTemplate[] }>;
  /** Create a certificate template. `POST /api/v1/cert-manager/certificate-templates`. Needs `create` on `certificate-templates`. */
  create: Mutation<CreateCertificateTemplate, CertificateTemplate>;
  /**
   * Read a certificate template.
   * `GET /api/v1/cert-manager/certificate-templates/{certificateTemplateId}`. Needs `read` on `certificate-templates`.
   */
  get: Query<{ certificateTemplateId: string }, CertificateTemplate>;
  /**
   * Update a certificate template.
   * `PATCH /api/v1/cert-manager/certificate-templates/{certificateTemplateId}`. Needs `edit` on `certificate-templates`.
   */
  update: Mutation<UpdateCertificateTemplate, CertificateTemplate>;
  /**
   * Delete a certificate template.
   * `DELETE /api/v1/cert-manager/certificate-templates/{certificateTemplateId}`. Needs `delete` on `certificate-templates`.
   */
  delete: Mutation<{ certificateTemplateId: string }, CertificateTemplate>;
}
