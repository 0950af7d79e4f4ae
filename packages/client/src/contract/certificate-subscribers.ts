// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { CertificateBody, IssuedCertificate, ListedCertificate, SignedCertificate } from './shared.ts';

export type CreateSubscriber = {
  projectId: string;
  /** An authority of the project */ caId: string;
  name: string;
  commonName: string;
  /** Default: `'active'` */ status?: 'active' | 'disabled';
  /** Validity of certificates. Empty: 90 days */ ttl?: string;
  /** DNS names, IP addresses, e-mail addresses and URIs (default: `[]`) */ subjectAlternativeNames?: string[];
  /** Default: `["digitalSignature","keyEncipherment"]` */
  keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
  /** Default: `[]` */
  extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
  /** Default: `false` */ enableAutoRenewal?: boolean;
  /** A certificate is renewed at the earliest after half of its validity */ autoRenewalPeriodInDays?: number;
  properties?: SubscriberProperties;
};

export type ListCertificatesOfSubscriber = {
  projectId: string;
  subscriberName: string;
  /** Default: `0` */ offset?: number;
  /** Default: `25` */ limit?: number;
};

export type SignForSubscriber = { projectId: string; subscriberName: string; /** PKCS #10 in PEM */ csr: string };

export type Subscriber = {
  id: string;
  projectId: string;
  /** Absent where the authority was deleted */ caId: string | null;
  name: string;
  commonName: string;
  status: 'active' | 'disabled';
  subjectAlternativeNames: string[];
  /** Validity of certificates. Default: 90 days */ ttl: string | null;
  keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
  extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
  lastOperationStatus: 'success' | 'failed' | null;
  lastOperationMessage: string | null;
  lastOperationAt: string | null;
  enableAutoRenewal: boolean;
  /** Days before the end at which a certificate is renewed */ autoRenewalPeriodInDays: number | null;
  lastAutoRenewAt: string | null;
  properties: SubscriberProperties | null;
  /** Whether it has an authority here, which issues immediately */ supportsImmediateCertIssuance: boolean;
};

export type SubscriberProperties = {
  organization?: string;
  organizationalUnit?: string;
  country?: string;
  state?: string;
  locality?: string;
  emailAddress?: string;
  azureTemplateType?: string;
};

export type UpdateSubscriber = {
  projectId: string;
  subscriberName: string;
  /** An authority of the project */ caId?: string;
  name?: string;
  commonName?: string;
  status?: 'active' | 'disabled';
  /** Validity of certificates. Empty: 90 days */ ttl?: string;
  /** DNS names, IP addresses, e-mail addresses and URIs */ subjectAlternativeNames?: string[];
  keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
  extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
  enableAutoRenewal?: boolean;
  /** A certificate is renewed at the earliest after half of its validity */ autoRenewalPeriodInDays?: number;
  properties?: SubscriberProperties;
};

export interface CertificateSubscribersApi {
  /** List the subscribers of a project. `GET /api/v1/projects/{projectId}/pki-subscribers`. Needs `read` on `pki-subscribers`. */
  list: Query<{ projectId: string }, { subscribers: Subscriber[] }>;
  /** Create a subscriber. `POST /api/v1/pki/subscribers`. Needs `create` on `pki-subscribers`. */
  create: Mutation<CreateSubscriber, Subscriber>;
  /** Read a subscriber. `GET /api/v1/pki/subscribers/{subscriberName}`. Needs `read` on `pki-subscribers`. */
  get: Query<{ projectId: string; subscriberName: string }, Subscriber>;
  /** Update a subscriber. `PATCH /api/v1/pki/subscribers/{subscriberName}`. Needs `edit` on `pki-subscribers`. */
  update: Mutation<UpdateSubscriber, Subscriber>;
  /**
   * Delete a subscriber; its certificates stay valid.
   * `DELETE /api/v1/pki/subscribers/{subscriberName}`. Needs `delete` on `pki-subscribers`.
   */
  delete: Mutation<{ projectId: string; subscriberName: string }, Subscriber>;
  /**
   * Issue a certificate to a subscriber without returning it.
   * `POST /api/v1/pki/subscribers/{subscriberName}/order-certificate`. Needs `issue-cert` on `pki-subscribers`.
   */
  order: Mutation<{ projectId: string; subscriberName: string }, { message: string }>;
  /**
   * Issue a certificate to a subscriber, with a new key.
   * `POST /api/v1/pki/subscribers/{subscriberName}/issue-certificate`. Needs `issue-cert` on `pki-subscribers`.
   */
  issue: Mutation<{ projectId: string; subscriberName: string }, IssuedCertificate>;
  /**
   * Sign a certificate signing request for a subscriber.
   * `POST /api/v1/pki/subscribers/{subscriberName}/sign-certificate`. Needs `issue-cert` on `pki-subscribers`.
   */
  sign: Mutation<SignForSubscriber, SignedCertificate>;
  /**
   * Read the newest certificate of a subscriber with its private key in PEM.
   * `GET /api/v1/pki/subscribers/{subscriberName}/latest-certificate-bundle`. Needs `list-certs` on `pki-subscribers` in the project, or `read-private-key` on `certificates` in the project.
   */
  latestBundle: Query<{ projectId: string; subscriberName: string }, CertificateBody & { privateKey: string | null }>;
  /**
   * List the certificates of a subscriber.
   * `GET /api/v1/pki/subscribers/{subscriberName}/certificates`. Needs `list-certs` on `pki-subscribers`.
   */
  certificates: Query<ListCertificatesOfSubscriber, { certificates: ListedCertificate[]; totalCount: number }>;
}
