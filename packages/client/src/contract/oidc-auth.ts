// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AttachedLoginMethod, IssuedToken, LoginMethodSettings } from './shared.ts';

export type DetachedOidcAuth = AttachedLoginMethod & {
  /** The URL of the provider, without /.well-known/openid-configuration */ oidcDiscoveryUrl: string;
  /** The exact issuer that tokens must name */ boundIssuer: string;
  /** Comma-separated globs; an audience of the token must match one */ boundAudiences: string;
  /** By the dotted path of a claim: comma-separated globs */ boundClaims: Record<string, string>;
  /** A glob that the subject of the token must match */ boundSubject: string;
  /** Names under which claims are bound to the issued token, with the dotted paths of these claims */
  claimMetadataMapping: Record<string, string> | null;
};

export type OidcAuth = DetachedOidcAuth & {
  /** PEM of the root certificate by which the provider is trusted */ caCert: string;
  /** Whether caCert is set. The value is returned to callers who may edit it */ hasCaCert: boolean;
};

export interface OidcAuthApi {
  /**
   * Attach OIDC Auth to a machine identity.
   * `POST /api/v1/auth/oidc-auth/identities/{identityId}`. Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
   */
  attach: Mutation<
    LoginMethodSettings & {
      /** The URL of the provider, without /.well-known/openid-configuration */ oidcDiscoveryUrl: string;
      /** The exact issuer that tokens must name */ boundIssuer: string;
      /** Comma-separated globs; an audience of the token must match one (default: `''`) */ boundAudiences?: string;
      /** By the dotted path of a claim: comma-separated globs (default: `{}`) */ boundClaims?: Record<string, string>;
      /** A glob that the subject of the token must match (default: `''`) */ boundSubject?: string;
      /** Names under which claims are bound to the issued token, with the dotted paths of these claims (default: `null`) */
      claimMetadataMapping?: Record<string, string> | null;
      /** PEM of the root certificate by which the provider is trusted (default: `''`) */ caCert?: string;
      identityId: string;
    },
    {
      identityOidcAuth: OidcAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Get the OIDC Auth of a machine identity.
   * `GET /api/v1/auth/oidc-auth/identities/{identityId}`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    { identityId: string },
    {
      identityOidcAuth: OidcAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Update the OIDC Auth of a machine identity; omitted fields stay unchanged.
   * `PATCH /api/v1/auth/oidc-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
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
      /** The URL of the provider, without /.well-known/openid-configuration */ oidcDiscoveryUrl?: string;
      /** The exact issuer that tokens must name */ boundIssuer?: string;
      /** Comma-separated globs; an audience of the token must match one */ boundAudiences?: string;
      /** By the dotted path of a claim: comma-separated globs */ boundClaims?: Record<string, string>;
      /** A glob that the subject of the token must match */ boundSubject?: string;
      /** Names under which claims are bound to the issued token, with the dotted paths of these claims */
      claimMetadataMapping?: Record<string, string> | null;
      /** PEM of the root certificate by which the provider is trusted */ caCert?: string;
      identityId: string;
    },
    {
      identityOidcAuth: OidcAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Detach OIDC Auth from a machine identity and revoke its tokens.
   * `DELETE /api/v1/auth/oidc-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<{ identityId: string }, { identityOidcAuth: DetachedOidcAuth }>;
  /** Log in by OIDC Auth. `POST /api/v1/auth/oidc-auth/login`. Needs no token. */
  logIn: Mutation<{ /** A JWT of the external issuer */ jwt: string; identityId: string }, IssuedToken>;
}
