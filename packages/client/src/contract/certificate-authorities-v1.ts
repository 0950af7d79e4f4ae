// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { KeyAlgorithmName, NameConstraintsInput } from './shared.ts';

export type AuthorityV1 = {
  id: string;
  createdAt: string;
  updatedAt: string;
  parentCaId: string | null;
  projectId: string;
  type: 'root' | 'intermediate';
  status: 'active' | 'disabled' | 'pending-certificate';
  name: string;
  friendlyName: string;
  organization: string;
  ou: string;
  country: string;
  province: string;
  locality: string;
  commonName: string;
  dn: string;
  serialNumber: string | null;
  maxPathLength: number;
  keyAlgorithm: string;
  notBefore: string | null;
  notAfter: string | null;
  activeCaCertId: string | null;
  requireTemplateForIssuance: boolean;
};

export type CreateAuthorityV1 = {
  projectSlug: string;
  requireTemplateForIssuance?: boolean;
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

export type ListAuthoritiesV1 = {
  slug: string;
  status?: 'active' | 'disabled' | 'pending-certificate';
  friendlyName?: string;
  commonName?: string;
  /** Default: `0` */ offset?: number;
  /** Default: `1000` */ limit?: number;
};

export interface CertificateAuthoritiesV1Api {
  /** List the certificate authorities of a project. `GET /api/v2/workspace/{slug}/cas`. Needs `read` on `certificate-authorities`. */
  list: Query<ListAuthoritiesV1, { cas: AuthorityV1[] }>;
  /** Create a root or intermediate certificate authority. `POST /api/v1/pki/ca`. Needs `create` on `certificate-authorities`. */
  create: Mutation<CreateAuthorityV1, { ca: AuthorityV1 }>;
  /** Read a certificate authority. `GET /api/v1/pki/ca/{caId}`. Needs `read` on `certificate-authorities`. */
  get: Query<{ caId: string }, { ca: AuthorityV1 }>;
  /**
   * Update a certificate authority: disable it, or change how it issues.
   * `PATCH /api/v1/pki/ca/{caId}`. Needs `edit` on `certificate-authorities`.
   */
  update: Mutation<
    {
      caId: string;
      status?: 'active' | 'disabled';
      /** The same, under the first legacy name */ requireTemplateForIssuance?: boolean;
    },
    { ca: AuthorityV1 }
  >;
  /**
   * Delete a certificate authority and all certificates that it issued.
   * `DELETE /api/v1/pki/ca/{caId}`. Needs `delete` on `certificate-authorities`.
   */
  delete: Mutation<{ caId: string }, { ca: AuthorityV1 }>;
}
