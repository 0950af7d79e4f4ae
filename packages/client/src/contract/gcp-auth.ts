// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AttachedLoginMethod, IssuedToken, LoginMethodSettings } from './shared.ts';

export type DetachedGcpAuth = AttachedLoginMethod & {
  /** `iam`: a JWT signed by the service account; `gce`: an ID token of the metadata server */ type: 'iam' | 'gce';
  /** Comma-separated e-mail addresses. Empty: any service account of allowedProjects */ allowedServiceAccounts: string;
  /** Comma-separated project IDs, for gce. Empty: any project of allowedServiceAccounts */ allowedProjects: string;
  /** Comma-separated zones, for gce. Empty: any */ allowedZones: string;
};

export type GcpAuth = AttachedLoginMethod & {
  /** `iam`: a JWT signed by the service account; `gce`: an ID token of the metadata server */ type: 'iam' | 'gce';
  /** Comma-separated e-mail addresses. Empty: any service account of allowedProjects */ allowedServiceAccounts: string;
  /** Comma-separated project IDs, for gce. Empty: any project of allowedServiceAccounts */ allowedProjects: string;
  /** Comma-separated zones, for gce. Empty: any */ allowedZones: string;
};

export interface GcpAuthApi {
  /**
   * Attach GCP Auth to a machine identity.
   * `POST /api/v1/auth/gcp-auth/identities/{identityId}`. Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
   */
  attach: Mutation<
    LoginMethodSettings & {
      /** `iam`: a JWT signed by the service account; `gce`: an ID token of the metadata server */ type: 'iam' | 'gce';
      /** Comma-separated e-mail addresses. Empty: any service account of allowedProjects (default: `''`) */
      allowedServiceAccounts?: string;
      /** Comma-separated project IDs, for gce. Empty: any project of allowedServiceAccounts (default: `''`) */
      allowedProjects?: string;
      /** Comma-separated zones, for gce. Empty: any (default: `''`) */ allowedZones?: string;
      identityId: string;
    },
    {
      identityGcpAuth: GcpAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Get the GCP Auth of a machine identity.
   * `GET /api/v1/auth/gcp-auth/identities/{identityId}`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    { identityId: string },
    {
      identityGcpAuth: GcpAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Update the GCP Auth of a machine identity; omitted fields stay unchanged.
   * `PATCH /api/v1/auth/gcp-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  update: Mutation<
    {
      /** Lifetime of a token in seconds; 0: accessTokenMaxTTL */ accessTokenTTL?: number;
      /** Lifetime of a token in seconds including renewals; 0: unlimited */ accessTokenMaxTTL?: number;
      /** Number of times a token can be used; 0: unlimited */ accessTokenNumUsesLimit?: number;
      /** In seconds. If greater than 0, a token is valid for one period and can be renewed without limit */
      accessTokenPeriod?: number;
      /** Addresses from which tokens are accepted */
      accessTokenTrustedIps?: { /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */ ipAddress: string }[];
      /** `iam`: a JWT signed by the service account; `gce`: an ID token of the metadata server */ type?: 'iam' | 'gce';
      /** Comma-separated e-mail addresses. Empty: any service account of allowedProjects */ allowedServiceAccounts?: string;
      /** Comma-separated project IDs, for gce. Empty: any project of allowedServiceAccounts */ allowedProjects?: string;
      /** Comma-separated zones, for gce. Empty: any */ allowedZones?: string;
      identityId: string;
    },
    {
      identityGcpAuth: GcpAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Detach GCP Auth from a machine identity and revoke its tokens.
   * `DELETE /api/v1/auth/gcp-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<{ identityId: string }, { identityGcpAuth: DetachedGcpAuth }>;
  /** Log in by GCP Auth. `POST /api/v1/auth/gcp-auth/login`. Needs no token. */
  logIn: Mutation<{ /** A JWT of the external issuer */ jwt: string; identityId: string }, IssuedToken>;
}
