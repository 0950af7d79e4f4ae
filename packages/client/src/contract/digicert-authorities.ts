// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { DeleteExternalAuthority, ExternalAuthorityFields } from './shared.ts';

export type DigicertAuthority = ExternalAuthorityFields & {
  type: 'digicert';
  configuration: {
    /** The app connection to DigiCert */ appConnectionId: string;
    /** The ID of a validated organization in CertCentral */ organizationId: number;
    productNameId: string;
  };
};

export interface DigicertAuthoritiesApi {
  /** List the authorities of a project at DigiCert. `GET /api/v1/cert-manager/ca/digicert`. Needs `read` on `certificate-authorities`. */
  list: Query<{ projectId: string }, DigicertAuthority[]>;
  /** Create an authority at DigiCert. `POST /api/v1/cert-manager/ca/digicert`. Needs `create` on `certificate-authorities`. */
  create: Mutation<
    {
      projectId: string;
      /** Unique among the external authorities of the project */ name: string;
      /** Default: `'active'` */ status?: 'active' | 'disabled';
      /** Whether it issues without a profile. Default: true (default: `true`) */ enableDirectIssuance?: boolean;
      configuration: {
        /** The app connection to DigiCert */ appConnectionId: string;
        /** The ID of a validated organization in CertCentral */ organizationId: number;
        productNameId: string;
      };
    },
    DigicertAuthority
  >;
  /** Read an authority at DigiCert. `GET /api/v1/cert-manager/ca/digicert/{id}`. Needs `read` on `certificate-authorities`. */
  get: Query<{ id: string }, DigicertAuthority>;
  /**
   * Update an authority at DigiCert; omitted fields stay unchanged.
   * `PATCH /api/v1/cert-manager/ca/digicert/{id}`. Needs `edit` on `certificate-authorities`.
   */
  update: Mutation<
    {
      id: string;
      /** Unique among the external authorities of the project */ name?: string;
      status?: 'active' | 'disabled';
      /** Whether it issues without a profile. Default: true */ enableDirectIssuance?: boolean;
      /** Omitted fields stay unchanged */
      configuration?: {
        /** The app connection to DigiCert */ appConnectionId?: string;
        /** The ID of a validated organization in CertCentral */ organizationId?: number;
        productNameId?: string;
      };
    },
    DigicertAuthority
  >;
  /**
   * Delete an authority at DigiCert; its certificates stay.
   * `DELETE /api/v1/cert-manager/ca/digicert/{id}`. Needs `delete` on `certificate-authorities`.
   */
  delete: Mutation<DeleteExternalAuthority, DigicertAuthority>;
}
