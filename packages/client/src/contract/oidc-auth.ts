// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { IdentityRef, IssuedToken, TrustedAddress } from './shared.ts';

export interface OidcAuthApi {
  /**
   * Attach OIDC Auth to a machine identity.
   *
   * `POST /api/v1/auth/oidc-auth/identities/{identityId}`
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
      /** Of the provider, without /.well-known/openid-configuration */
      oidcDiscoveryUrl: string;
      /** What the tokens have to name as their issuer, to the letter */
      boundIssuer: string;
      /**
       * Comma list of globs, one of which an audience of the token matches
       * Default: `''`
       */
      boundAudiences?: string;
      /**
       * By the dotted path of a claim: a comma list of globs
       * Default: `{}`
       */
      boundClaims?: Record<string, string>;
      /**
       * A glob that the subject of the token matches
       * Default: `''`
       */
      boundSubject?: string;
      /**
       * Names under which claims are bound to the token that is issued, and the dotted paths of these claims
       * Default: `null`
       */
      claimMetadataMapping?: Record<string, string> | null;
      /**
       * PEM of the root that the provider is trusted by
       * Default: `''`
       */
      caCert?: string;
      /** UUID */
      identityId: string;
    },
    {
      identityOidcAuth: {
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
        /** Of the provider, without /.well-known/openid-configuration */
        oidcDiscoveryUrl: string;
        /** What the tokens have to name as their issuer, to the letter */
        boundIssuer: string;
        /** Comma list of globs, one of which an audience of the token matches */
        boundAudiences: string;
        /** By the dotted path of a claim: a comma list of globs */
        boundClaims: Record<string, string>;
        /** A glob that the subject of the token matches */
        boundSubject: string;
        /** Names under which claims are bound to the token that is issued, and the dotted paths of these claims */
        claimMetadataMapping: Record<string, string> | null;
        /** PEM of the root that the provider is trusted by */
        caCert: string;
        /** Whether caCert is set. Its value is shown to those who may change it */
        hasCaCert: boolean;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Get the OIDC Auth of a machine identity.
   *
   * `GET /api/v1/auth/oidc-auth/identities/{identityId}`
   * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    IdentityRef,
    {
      identityOidcAuth: {
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
        /** Of the provider, without /.well-known/openid-configuration */
        oidcDiscoveryUrl: string;
        /** What the tokens have to name as their issuer, to the letter */
        boundIssuer: string;
        /** Comma list of globs, one of which an audience of the token matches */
        boundAudiences: string;
        /** By the dotted path of a claim: a comma list of globs */
        boundClaims: Record<string, string>;
        /** A glob that the subject of the token matches */
        boundSubject: string;
        /** Names under which claims are bound to the token that is issued, and the dotted paths of these claims */
        claimMetadataMapping: Record<string, string> | null;
        /** PEM of the root that the provider is trusted by */
        caCert: string;
        /** Whether caCert is set. Its value is shown to those who may change it */
        hasCaCert: boolean;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Update the OIDC Auth of a machine identity; omitted fields stay unchanged.
   *
   * `PATCH /api/v1/auth/oidc-auth/identities/{identityId}`
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
      /** Of the provider, without /.well-known/openid-configuration */
      oidcDiscoveryUrl?: string;
      /** What the tokens have to name as their issuer, to the letter */
      boundIssuer?: string;
      /** Comma list of globs, one of which an audience of the token matches */
      boundAudiences?: string;
      /** By the dotted path of a claim: a comma list of globs */
      boundClaims?: Record<string, string>;
      /** A glob that the subject of the token matches */
      boundSubject?: string;
      /** Names under which claims are bound to the token that is issued, and the dotted paths of these claims */
      claimMetadataMapping?: Record<string, string> | null;
      /** PEM of the root that the provider is trusted by */
      caCert?: string;
      /** UUID */
      identityId: string;
    },
    {
      identityOidcAuth: {
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
        /** Of the provider, without /.well-known/openid-configuration */
        oidcDiscoveryUrl: string;
        /** What the tokens have to name as their issuer, to the letter */
        boundIssuer: string;
        /** Comma list of globs, one of which an audience of the token matches */
        boundAudiences: string;
        /** By the dotted path of a claim: a comma list of globs */
        boundClaims: Record<string, string>;
        /** A glob that the subject of the token matches */
        boundSubject: string;
        /** Names under which claims are bound to the token that is issued, and the dotted paths of these claims */
        claimMetadataMapping: Record<string, string> | null;
        /** PEM of the root that the provider is trusted by */
        caCert: string;
        /** Whether caCert is set. Its value is shown to those who may change it */
        hasCaCert: boolean;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Detach OIDC Auth from a machine identity and revoke its tokens.
   *
   * `DELETE /api/v1/auth/oidc-auth/identities/{identityId}`
   * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<
    IdentityRef,
    {
      identityOidcAuth: {
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
        /** Of the provider, without /.well-known/openid-configuration */
        oidcDiscoveryUrl: string;
        /** What the tokens have to name as their issuer, to the letter */
        boundIssuer: string;
        /** Comma list of globs, one of which an audience of the token matches */
        boundAudiences: string;
        /** By the dotted path of a claim: a comma list of globs */
        boundClaims: Record<string, string>;
        /** A glob that the subject of the token matches */
        boundSubject: string;
        /** Names under which claims are bound to the token that is issued, and the dotted paths of these claims */
        claimMetadataMapping: Record<string, string> | null;
      };
    }
  >;
  /**
   * Log in by OIDC Auth.
   *
   * `POST /api/v1/auth/oidc-auth/login`
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
