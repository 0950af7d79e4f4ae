// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type CertificatePolicy = {
  id: string;
  projectId: string;
  name: string;
  description: string | null;
  subject: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
  sans: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
  keyUsages: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
  extendedKeyUsages: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
  algorithms: { signature?: string[]; keyAlgorithm?: string[] } | null;
  validity: { max?: string } | null;
  basicConstraints: { isCA?: 'allowed' | 'required' | 'denied'; maxPathLength?: number } | null;
  createdAt: string;
  updatedAt: string;
};

export type CreateCertificatePolicy = {
  subject?: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
  sans?: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
  keyUsages?: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
  extendedKeyUsages?: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
  algorithms?: { signature?: string[]; keyAlgorithm?: string[] } | null;
  validity?: { max?: string } | null;
  basicConstraints?: { isCA?: 'allowed' | 'required' | 'denied'; maxPathLength?: number } | null;
  projectId: string;
  name: string;
  description?: string | null;
};

export type ListCertificatePolicies = {
  projectId: string;
  /** Default: `0` */ offset?: number;
  /** Default: `20` */ limit?: number;
  /** A part of the name */ search?: string;
};

export type UpdateCertificatePolicy = {
  certificatePolicyId: string;
  subject?: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
  sans?: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
  keyUsages?: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
  extendedKeyUsages?: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
  algorithms?: { signature?: string[]; keyAlgorithm?: string[] } | null;
  validity?: { max?: string } | null;
  basicConstraints?: { isCA?: 'allowed' | 'required' | 'denied'; maxPathLength?: number } | null;
  name?: string;
  description?: string | null;
};

export interface CertificatePoliciesApi {
  /**
   * List the certificate policies of a project.
   * `GET /api/v1/cert-manager/certificate-policies`. Needs `read` on `certificate-policies`.
   */
  list: Query<ListCertificatePolicies, { certificatePolicies: CertificatePolicy[]; totalCount: number }>;
  /** Create a certificate policy. `POST /api/v1/cert-manager/certificate-policies`. Needs `create` on `certificate-policies`. */
  create: Mutation<CreateCertificatePolicy, { certificatePolicy: CertificatePolicy }>;
  /**
   * Read a certificate policy.
   * `GET /api/v1/cert-manager/certificate-policies/{certificatePolicyId}`. Needs `read` on `certificate-policies`.
   */
  get: Query<{ certificatePolicyId: string }, { certificatePolicy: CertificatePolicy }>;
  /**
   * Update a certificate policy.
   * `PATCH /api/v1/cert-manager/certificate-policies/{certificatePolicyId}`. Needs `edit` on `certificate-policies`.
   */
  update: Mutation<UpdateCertificatePolicy, { certificatePolicy: CertificatePolicy }>;
  /**
   * Delete a certificate policy that no profile uses.
   * `DELETE /api/v1/cert-manager/certificate-policies/{certificatePolicyId}`. Needs `delete` on `certificate-policies`.
   */
  delete: Mutation<{ certificatePolicyId: string }, { certificatePolicy: CertificatePolicy }>;
}
