// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AttachedLoginMethod, IssuedToken, LoginMethodSettings } from './shared.ts';

export type AzureAuth = AttachedLoginMethod & {
  tenantId: string;
  /** The audience of the tokens, with or without a trailing slash */ resource: string;
  /** Comma-separated object IDs. Empty: any service principal of the tenant */ allowedServicePrincipalIds: string;
};

export type DetachedAzureAuth = AttachedLoginMethod & {
  tenantId: string;
  /** The audience of the tokens, with or without a trailing slash */ resource: string;
  /** Comma-separated object IDs. Empty: any service principal of the tenant */ allowedServicePrincipalIds: string;
};

export interface AzureAuthApi {
  /**
   * Attach Azure Auth to a machine identity.
   * `POST /api/v1/auth/azure-auth/identities/{identityId}`. Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
   */
  attach: Mutation<
    LoginMethodSettings & {
      tenantId: string;
      /** The audience of the tokens, with or without a trailing slash */ resource: string;
      /** Comma-separated object IDs. Empty: any service principal of the tenant (default: `''`) */
      allowedServicePrincipalIds?: string;
      identityId: string;
    },
    {
      identityAzureAuth: AzureAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Get the Azure Auth of a machine identity.
   * `GET /api/v1/auth/azure-auth/identities/{identityId}`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    { identityId: string },
    {
      identityAzureAuth: AzureAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Update the Azure Auth of a machine identity; omitted fields stay unchanged.
   * `PATCH /api/v1/auth/azure-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
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
      tenantId?: string;
      /** The audience of the tokens, with or without a trailing slash */ resource?: string;
      /** Comma-separated object IDs. Empty: any service principal of the tenant */ allowedServicePrincipalIds?: string;
      identityId: string;
    },
    {
      identityAzureAuth: AzureAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Detach Azure Auth from a machine identity and revoke its tokens.
   * `DELETE /api/v1/auth/azure-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<{ identityId: string }, { identityAzureAuth: DetachedAzureAuth }>;
  /** Log in by Azure Auth. `POST /api/v1/auth/azure-auth/login`. Needs no token. */
  logIn: Mutation<{ /** A JWT of the external issuer */ jwt: string; identityId: string }, IssuedToken>;
}
