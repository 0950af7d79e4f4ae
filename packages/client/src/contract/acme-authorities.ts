// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { DeleteExternalAuthority, ExternalAuthorityFields } from './shared.ts';

export type AcmeAuthority = ExternalAuthorityFields & {
  type: 'acme';
  configuration: {
    /** The app connection by which the records of challenges are made */ dnsAppConnectionId: string;
    dnsProviderConfig: { provider: 'route53'; /** The zone at Amazon Route 53 */ hostedZoneId: string } | { provider: 'cloudflare'; /** The zone at Cloudflare */ hostedZoneId: string } | { provider: 'azure-dns'; /** The zone at Azure DNS */ hostedZoneId: string };
    directoryUrl: string;
    /** Contact of the account */ accountEmail: string;
    /** The ID of the external account, where the authority has these */ eabKid?: string;
  };
};

export interface AcmeAuthoritiesApi {
  /**
   * List the authorities of a project at an ACME authority.
   * `GET /api/v1/cert-manager/ca/acme`. Needs `read` on `certificate-authorities`.
   */
  list: Query<{ projectId: string }, AcmeAuthority[]>;
  /** Create an authority at an ACME authority. `POST /api/v1/cert-manager/ca/acme`. Needs `create` on `certificate-authorities`. */
  create: Mutation<
    {
      projectId: string;
      /** Unique among the external authorities of the project */ name: string;
      /** Default: `'active'` */ status?: 'active' | 'disabled';
      /** Whether it issues without a profile. Default: true (default: `true`) */ enableDirectIssuance?: boolean;
      configuration: {
        /** The app connection by which the records of challenges are made */ dnsAppConnectionId: string;
        dnsProviderConfig: { provider: 'route53'; /** The zone at Amazon Route 53 */ hostedZoneId: string } | { provider: 'cloudflare'; /** The zone at Cloudflare */ hostedZoneId: string } | { provider: 'azure-dns'; /** The zone at Azure DNS */ hostedZoneId: string };
        directoryUrl: string;
        /** Contact of the account */ accountEmail: string;
        /** The ID of the external account, where the authority has these */ eabKid?: string;
        /** With eabKid: the HMAC key of the external account in base64url */ eabHmacKey?: string;
      };
    },
    AcmeAuthority
  >;
  /** Read an authority at an ACME authority. `GET /api/v1/cert-manager/ca/acme/{id}`. Needs `read` on `certificate-authorities`. */
  get: Query<{ id: string }, AcmeAuthority>;
  /**
   * Update an authority at an ACME authority; omitted fields stay unchanged.
   * `PATCH /api/v1/cert-manager/ca/acme/{id}`. Needs `edit` on `certificate-authorities`.
   */
  update: Mutation<
    {
      id: string;
      /** Unique among the external authorities of the project */ name?: string;
      status?: 'active' | 'disabled';
      /** Whether it issues without a profile. Default: true */ enableDirectIssuance?: boolean;
      /** Omitted fields stay unchanged */
      configuration?: {
        /** The app connection by which the records of challenges are made */ dnsAppConnectionId?: string;
        dnsProviderConfig?: { provider: 'route53'; /** The zone at Amazon Route 53 */ hostedZoneId: string } | { provider: 'cloudflare'; /** The zone at Cloudflare */ hostedZoneId: string } | { provider: 'azure-dns'; /** The zone at Azure DNS */ hostedZoneId: string };
        directoryUrl?: string;
        /** Contact of the account */ accountEmail?: string;
        /** The ID of the external account, where the authority has these */ eabKid?: string;
        /** With eabKid: the HMAC key of the external account in base64url */ eabHmacKey?: string;
      };
    },
    AcmeAuthority
  >;
  /**
   * Delete an authority at an ACME authority; its certificates stay.
   * `DELETE /api/v1/cert-manager/ca/acme/{id}`. Needs `delete` on `certificate-authorities`.
   */
  delete: Mutation<DeleteExternalAuthority, AcmeAuthority>;
}
