// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AttachedLoginMethod, IssuedToken, LoginMethodSettings } from './shared.ts';

export type DetachedJwtAuth = AttachedLoginMethod & {
  /** Whether keys come from jwksUrl or from publicKeys */ configurationType: 'jwks' | 'static';
  jwksUrl: '' | string;
  /** The exact issuer that tokens must name */ boundIssuer: string;
  /** Comma-separated globs; an audience of the token must match one */ boundAudiences: string;
  /** By the dotted path of a claim: comma-separated globs */ boundClaims: Record<string, string>;
  /** A glob that the subject of the token must match */ boundSubject: string;
};

export type JwtAuth = DetachedJwtAuth & {
  /** PEM of the root certificate by which the host of jwksUrl is trusted */ jwksCaCert: string;
  publicKeys: string[];
  /** Whether jwksCaCert is set. The value is returned to callers who may edit it */ hasJwksCaCert: boolean;
  /** Whether publicKeys is set. The value is returned to callers who may edit it */ hasPublicKeys: boolean;
};

export interface JwtAuthApi {
  /**
   * Attach JWT Auth to a machine identity.
   * `POST /api/v1/auth/jwt-auth/identities/{identityId}`. Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
   */
  attach: Mutation<
    LoginMethodSettings & {
      /** Whether keys come from jwksUrl or from publicKeys */ configurationType: 'jwks' | 'static';
      /** Default: `''` */ jwksUrl?: '' | string;
      /** PEM of the root certificate by which the host of jwksUrl is trusted (default: `''`) */ jwksCaCert?: string;
      /** Default: `[]` */ publicKeys?: string[];
      /** The exact issuer that tokens must name (default: `''`) */ boundIssuer?: string;
      /** Comma-separated globs; an audience of the token must match one (default: `''`) */ boundAudiences?: string;
      /** By the dotted path of a claim: comma-separated globs (default: `{}`) */ boundClaims?: Record<string, string>;
      /** A glob that the subject of the token must match (default: `''`) */ boundSubject?: string;
      identityId: string;
    },
    {
      identityJwtAuth: JwtAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Get the JWT Auth of a machine identity.
   * `GET /api/v1/auth/jwt-auth/identities/{identityId}`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    { identityId: string },
    {
      identityJwtAuth: JwtAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Update the JWT Auth of a machine identity; omitted fields stay unchanged.
   * `PATCH /api/v1/auth/jwt-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
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
      /** Whether keys come from jwksUrl or from publicKeys */ configurationType?: 'jwks' | 'static';
      jwksUrl?: '' | string;
      /** PEM of the root certificate by which the host of jwksUrl is trusted */ jwksCaCert?: string;
      publicKeys?: string[];
      /** The exact issuer that tokens must name */ boundIssuer?: string;
      /** Comma-separated globs; an audience of the token must match one */ boundAudiences?: string;
      /** By the dotted path of a claim: comma-separated globs */ boundClaims?: Record<string, string>;
      /** A glob that the subject of the token must match */ boundSubject?: string;
      identityId: string;
    },
    {
      identityJwtAuth: JwtAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Detach JWT Auth from a machine identity and revoke its tokens.
   * `DELETE /api/v1/auth/jwt-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<{ identityId: string }, { identityJwtAuth: DetachedJwtAuth }>;
  /** Log in by JWT Auth. `POST /api/v1/auth/jwt-auth/login`. Needs no token. */
  logIn: Mutation<{ /** A JWT of the external issuer */ jwt: string; identityId: string }, IssuedToken>;
}
