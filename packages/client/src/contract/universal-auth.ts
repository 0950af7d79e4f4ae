// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AttachedLoginMethod, IssuedToken, LockoutSettings, LoginMethodSettings, TrustedAddress } from './shared.ts';

export type ClientSecret = {
  id: string;
  description: string;
  /** The first four characters */ clientSecretPrefix: string;
  /** Number of logins so far */ clientSecretNumUses: number;
  /** 0: unlimited */ clientSecretNumUsesLimit: number;
  /** In seconds from creation; 0: it does not expire */ clientSecretTTL: number;
  identityUAId: string;
  /** Revoked, expired or used up */ isClientSecretRevoked: boolean;
  createdAt: string;
  updatedAt: string;
};

export type CreateClientSecret = {
  identityId: string;
  /** Default: `''` */ description?: string;
  /** 0: unlimited (default: `0`) */ numUsesLimit?: number;
  /** In seconds; 0: it does not expire (default: `0`) */ ttl?: number;
};

export type CreatedClientSecret = { /** Returned once */ clientSecret: string; clientSecretData: ClientSecret };

export type DetachedUniversalAuth = AttachedLoginMethod & {
  clientId: string;
  clientSecretTrustedIps: TrustedAddress[];
  /** LDAP: whether wrong passwords delay later attempts at the user. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a valid client secret always works */
  lockoutEnabled: boolean;
  /** The number of failures that counts as guessing. A valid client secret always works; password logins are delayed */
  lockoutThreshold: number;
  /** Duration of the lockout, in seconds */ lockoutDurationSeconds: number;
  /** Failures further apart than this, in seconds, are not added up */ lockoutCounterResetSeconds: number;
};

export type UniversalAuth = AttachedLoginMethod & {
  clientId: string;
  clientSecretTrustedIps: TrustedAddress[];
  /** LDAP: whether wrong passwords delay later attempts at the user. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a valid client secret always works */
  lockoutEnabled: boolean;
  /** The number of failures that counts as guessing. A valid client secret always works; password logins are delayed */
  lockoutThreshold: number;
  /** Duration of the lockout, in seconds */ lockoutDurationSeconds: number;
  /** Failures further apart than this, in seconds, are not added up */ lockoutCounterResetSeconds: number;
};

export interface UniversalAuthApi {
  /**
   * Attach Universal Auth to a machine identity.
   * `POST /api/v1/auth/universal-auth/identities/{identityId}`. Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
   */
  attach: Mutation<
    LoginMethodSettings & LockoutSettings & {
      /** Addresses from which logins are accepted (default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`) */
      clientSecretTrustedIps?: { /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */ ipAddress: string }[];
      identityId: string;
    },
    {
      identityUniversalAuth: UniversalAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Get the Universal Auth of a machine identity.
   * `GET /api/v1/auth/universal-auth/identities/{identityId}`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    { identityId: string },
    {
      identityUniversalAuth: UniversalAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Update the Universal Auth of a machine identity; omitted fields stay unchanged.
   * `PATCH /api/v1/auth/universal-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
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
      /** Addresses from which logins are accepted */
      clientSecretTrustedIps?: { /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */ ipAddress: string }[];
      /** LDAP: whether wrong passwords delay later attempts at the user. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a valid client secret always works */
      lockoutEnabled?: boolean;
      /** The number of failures that counts as guessing. A valid client secret always works; password logins are delayed */
      lockoutThreshold?: number;
      /** Duration of the lockout, in seconds */ lockoutDurationSeconds?: number;
      /** Failures further apart than this, in seconds, are not added up */ lockoutCounterResetSeconds?: number;
      identityId: string;
    },
    {
      identityUniversalAuth: UniversalAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Detach Universal Auth from a machine identity and revoke its tokens.
   * `DELETE /api/v1/auth/universal-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<{ identityId: string }, { identityUniversalAuth: DetachedUniversalAuth }>;
  /** Log in by Universal Auth. `POST /api/v1/auth/universal-auth/login`. Needs no token. */
  logIn: Mutation<{ clientId: string; clientSecret: string }, IssuedToken>;
  /**
   * Create a client secret.
   * `POST /api/v1/auth/universal-auth/identities/{identityId}/client-secrets`. Needs `create` on `identity` in the organization, or `create-token` on `identity` in the project.
   */
  createClientSecret: Mutation<CreateClientSecret, CreatedClientSecret>;
  /**
   * List the active client secrets.
   * `GET /api/v1/auth/universal-auth/identities/{identityId}/client-secrets`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  listClientSecrets: Query<{ identityId: string }, { clientSecretData: ClientSecret[] }>;
  /**
   * Read a client secret without its value.
   * `GET /api/v1/auth/universal-auth/identities/{identityId}/client-secrets/{clientSecretId}`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  getClientSecret: Query<{ identityId: string; clientSecretId: string }, { clientSecretData: ClientSecret }>;
  /**
   * Revoke a client secret and the access tokens that were issued for it.
   * `POST /api/v1/auth/universal-auth/identities/{identityId}/client-secrets/{clientSecretId}/revoke`. Needs `delete` on `identity` in the organization, or `delete-token` on `identity` in the project.
   */
  revokeClientSecret: Mutation<{ identityId: string; clientSecretId: string }, { clientSecretData: ClientSecret }>;
}
