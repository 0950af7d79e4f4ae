// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { IdentityRef, IssuedToken, TrustedAddress } from './shared.ts';

export interface GcpAuthApi {
  /**
   * Attach GCP Auth to a machine identity.
   *
   * `POST /api/v1/auth/gcp-auth/identities/{identityId}`
   * Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
   */
  attach: Mutation<
    {
      /**
       * Seconds that a token lives; 0: until accessTokenMaxTTL
       * Default: `2592000`
       */
      accessTokenTTL?: number;
      /**
       * Seconds that a token lives with all its renewals; 0: without end
       * Default: `2592000`
       */
      accessTokenMaxTTL?: number;
      /**
       * How often a token may be used; 0: without limit
       * Default: `0`
       */
      accessTokenNumUsesLimit?: number;
      /**
       * Seconds; more than 0: a token lives so long and can be renewed without end
       * Default: `0`
       */
      accessTokenPeriod?: number;
      /**
       * Where tokens may be used from
       * Default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`
       */
      accessTokenTrustedIps?: {
        /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
        ipAddress: string;
      }[];
      /** iam: a JWT that the account signed; gce: an ID token from the metadata server */
      type: 'iam' | 'gce';
      /**
       * Comma list of e-mail addresses; empty: any of allowedProjects
       * Default: `''`
       */
      allowedServiceAccounts?: string;
      /**
       * Comma list of project ids, for gce; empty: any of allowedServiceAccounts
       * Default: `''`
       */
      allowedProjects?: string;
      /**
       * Comma list of zones, for gce; nothing: any
       * Default: `''`
       */
      allowedZones?: string;
      /** UUID */
      identityId: string;
    },
    {
      identityGcpAuth: {
        /** UUID */
        id: string;
        /** UUID */
        identityId: string;
        accessTokenTTL: number;
        accessTokenMaxTTL: number;
        accessTokenNumUsesLimit: number;
        accessTokenPeriod: number;
        accessTokenTrustedIps: TrustedAddress[];
        createdAt: string;
        updatedAt: string;
        /** iam: a JWT that the account signed; gce: an ID token from the metadata server */
        type: 'iam' | 'gce';
        /** Comma list of e-mail addresses; empty: any of allowedProjects */
        allowedServiceAccounts: string;
        /** Comma list of project ids, for gce; empty: any of allowedServiceAccounts */
        allowedProjects: string;
        /** Comma list of zones, for gce; nothing: any */
        allowedZones: string;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Get the GCP Auth of a machine identity.
   *
   * `GET /api/v1/auth/gcp-auth/identities/{identityId}`
   * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    IdentityRef,
    {
      identityGcpAuth: {
        /** UUID */
        id: string;
        /** UUID */
        identityId: string;
        accessTokenTTL: number;
        accessTokenMaxTTL: number;
        accessTokenNumUsesLimit: number;
        accessTokenPeriod: number;
        accessTokenTrustedIps: TrustedAddress[];
        createdAt: string;
        updatedAt: string;
        /** iam: a JWT that the account signed; gce: an ID token from the metadata server */
        type: 'iam' | 'gce';
        /** Comma list of e-mail addresses; empty: any of allowedProjects */
        allowedServiceAccounts: string;
        /** Comma list of project ids, for gce; empty: any of allowedServiceAccounts */
        allowedProjects: string;
        /** Comma list of zones, for gce; nothing: any */
        allowedZones: string;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Update the GCP Auth of a machine identity; omitted fields stay unchanged.
   *
   * `PATCH /api/v1/auth/gcp-auth/identities/{identityId}`
   * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  update: Mutation<
    {
      /** Seconds that a token lives; 0: until accessTokenMaxTTL */
      accessTokenTTL?: number;
      /** Seconds that a token lives with all its renewals; 0: without end */
      accessTokenMaxTTL?: number;
      /** How often a token may be used; 0: without limit */
      accessTokenNumUsesLimit?: number;
      /** Seconds; more than 0: a token lives so long and can be renewed without end */
      accessTokenPeriod?: number;
      /** Where tokens may be used from */
      accessTokenTrustedIps?: {
        /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
        ipAddress: string;
      }[];
      /** iam: a JWT that the account signed; gce: an ID token from the metadata server */
      type?: 'iam' | 'gce';
      /** Comma list of e-mail addresses; empty: any of allowedProjects */
      allowedServiceAccounts?: string;
      /** Comma list of project ids, for gce; empty: any of allowedServiceAccounts */
      allowedProjects?: string;
      /** Comma list of zones, for gce; nothing: any */
      allowedZones?: string;
      /** UUID */
      identityId: string;
    },
    {
      identityGcpAuth: {
        /** UUID */
        id: string;
        /** UUID */
        identityId: string;
        accessTokenTTL: number;
        accessTokenMaxTTL: number;
        accessTokenNumUsesLimit: number;
        accessTokenPeriod: number;
        accessTokenTrustedIps: TrustedAddress[];
        createdAt: string;
        updatedAt: string;
        /** iam: a JWT that the account signed; gce: an ID token from the metadata server */
        type: 'iam' | 'gce';
        /** Comma list of e-mail addresses; empty: any of allowedProjects */
        allowedServiceAccounts: string;
        /** Comma list of project ids, for gce; empty: any of allowedServiceAccounts */
        allowedProjects: string;
        /** Comma list of zones, for gce; nothing: any */
        allowedZones: string;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Detach GCP Auth from a machine identity and revoke its tokens.
   *
   * `DELETE /api/v1/auth/gcp-auth/identities/{identityId}`
   * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<
    IdentityRef,
    {
      identityGcpAuth: {
        /** UUID */
        id: string;
        /** UUID */
        identityId: string;
        accessTokenTTL: number;
        accessTokenMaxTTL: number;
        accessTokenNumUsesLimit: number;
        accessTokenPeriod: number;
        accessTokenTrustedIps: TrustedAddress[];
        createdAt: string;
        updatedAt: string;
        /** iam: a JWT that the account signed; gce: an ID token from the metadata server */
        type: 'iam' | 'gce';
        /** Comma list of e-mail addresses; empty: any of allowedProjects */
        allowedServiceAccounts: string;
        /** Comma list of project ids, for gce; empty: any of allowedServiceAccounts */
        allowedProjects: string;
        /** Comma list of zones, for gce; nothing: any */
        allowedZones: string;
      };
    }
  >;
  /**
   * Log in by GCP Auth.
   *
   * `POST /api/v1/auth/gcp-auth/login`
   * Needs no token.
   */
  logIn: Mutation<
    {
      /** A JWT of the outside issuer */
      jwt: string;
      /** UUID */
      identityId: string;
    },
    IssuedToken
  >;
}
