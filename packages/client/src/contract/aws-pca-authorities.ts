// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { DeleteExternalAuthority, ExternalAuthorityFields } from './shared.ts';

export type AwsPcaAuthority = ExternalAuthorityFields & {
  type: 'aws-pca';
  configuration: { /** The app connection to AWS */ appConnectionId: string; certificateAuthorityArn: string; region: string };
};

export interface AwsPcaAuthoritiesApi {
  /**
   * List the authorities of a project at AWS Private CA.
   * `GET /api/v1/cert-manager/ca/aws-pca`. Needs `read` on `certificate-authorities`.
   */
  list: Query<{ projectId: string }, AwsPcaAuthority[]>;
  /** Create an authority at AWS Private CA. `POST /api/v1/cert-manager/ca/aws-pca`. Needs `create` on `certificate-authorities`. */
  create: Mutation<
    {
      projectId: string;
      /** Unique among the external authorities of the project */ name: string;
      /** Default: `'active'` */ status?: 'active' | 'disabled';
      /** Whether it issues without a profile. Default: true (default: `true`) */ enableDirectIssuance?: boolean;
      configuration: { /** The app connection to AWS */ appConnectionId: string; certificateAuthorityArn: string; region: string };
    },
    AwsPcaAuthority
  >;
  /** Read an authority at AWS Private CA. `GET /api/v1/cert-manager/ca/aws-pca/{id}`. Needs `read` on `certificate-authorities`. */
  get: Query<{ id: string }, AwsPcaAuthority>;
  /**
   * Update an authority at AWS Private CA; omitted fields stay unchanged.
   * `PATCH /api/v1/cert-manager/ca/aws-pca/{id}`. Needs `edit` on `certificate-authorities`.
   */
  update: Mutation<
    {
      id: string;
      /** Unique among the external authorities of the project */ name?: string;
      status?: 'active' | 'disabled';
      /** Whether it issues without a profile. Default: true */ enableDirectIssuance?: boolean;
      /** Omitted fields stay unchanged */
      configuration?: { /** The app connection to AWS */ appConnectionId?: string; certificateAuthorityArn?: string; region?: string };
    },
    AwsPcaAuthority
  >;
  /**
   * Delete an authority at AWS Private CA; its certificates stay.
   * `DELETE /api/v1/cert-manager/ca/aws-pca/{id}`. Needs `delete` on `certificate-authorities`.
   */
  delete: Mutation<DeleteExternalAuthority, AwsPcaAuthority>;
}
