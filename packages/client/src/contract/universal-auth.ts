// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { IdentityRef, IssuedToken, TrustedAddress } from './shared.ts';

export type ClientSecret = {
  /** UUID */
  id: string;
  description: string;
  /** The first four characters */
  clientSecretPrefix: string;
  /** Logins so far */
  clientSecretNumUses: number;
  /** 0: without limit */
  clientSecretNumUsesLimit: number;
  /** Seconds from its creation; 0: it does not expire */
  clientSecretTTL: number;
  /** UUID */
  identityUAId: string;
  /** Revoked by somebody, expired or used up */
  isClientSecretRevoked: boolean;
  createdAt: string;
  updatedAt: string;
};

export type ClientSecretRef = {
  /** UUID */
  identityId: string;
  /** UUID */
  clientSecretId: string;
};

export type CreateClientSecret = {
  /** UUID */
  identityId: string;
  /** Default: `''` */
  description?: string;
  /**
   * 0: without limit
   * Default: `0`
   */
  numUsesLimit?: number;
  /**
   * Seconds; 0: it does not expire
   * Default: `0`
   */
  ttl?: number;
};

export type CreatedClientSecret = {
  /** Shown once */
  clientSecret: string;
  clientSecretData: ClientSecret;
};

export interface UniversalAuthApi {
  /**
   * Attach Universal Auth to a machine identity.
   *
   * `POST /api/v1/auth/universal-auth/identities/{identityId}`
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
      /**
       * Where logins may come from
       * Default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`
       */
      clientSecretTrustedIps?: {
        /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
        ipAddress: string;
      }[];
      /**
       * LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always
       * Default: `true`
       */
      lockoutEnabled?: boolean;
      /**
       * The failure that counts as guessing. A right client secret works always; passwords wait
       * Default: `3`
       */
      lockoutThreshold?: number;
      /**
       * For how long
       * Default: `300`
       */
      lockoutDurationSeconds?: number;
      /**
       * Failures further apart do not add up
       * Default: `30`
       */
      lockoutCounterResetSeconds?: number;
      /** UUID */
      identityId: string;
    },
    {
      identityUniversalAuth: {
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
        /** UUID */
        clientId: string;
        clientSecretTrustedIps: TrustedAddress[];
        /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
        lockoutEnabled: boolean;
        /** The failure that counts as guessing. A right client secret works always; passwords wait */
        lockoutThreshold: number;
        /** For how long */
        lockoutDurationSeconds: number;
        /** Failures further apart do not add up */
        lockoutCounterResetSeconds: number;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Get the Universal Auth of a machine identity.
   *
   * `GET /api/v1/auth/universal-auth/identities/{identityId}`
   * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    IdentityRef,
    {
      identityUniversalAuth: {
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
        /** UUID */
        clientId: string;
        clientSecretTrustedIps: TrustedAddress[];
        /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
        lockoutEnabled: boolean;
        /** The failure that counts as guessing. A right client secret works always; passwords wait */
        lockoutThreshold: number;
        /** For how long */
        lockoutDurationSeconds: number;
        /** Failures further apart do not add up */
        lockoutCounterResetSeconds: number;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Update the Universal Auth of a machine identity; omitted fields stay unchanged.
   *
   * `PATCH /api/v1/auth/universal-auth/identities/{identityId}`
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
      /** Where logins may come from */
      clientSecretTrustedIps?: {
        /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
        ipAddress: string;
      }[];
      /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
      lockoutEnabled?: boolean;
      /** The failure that counts as guessing. A right client secret works always; passwords wait */
      lockoutThreshold?: number;
      /** For how long */
      lockoutDurationSeconds?: number;
      /** Failures further apart do not add up */
      lockoutCounterResetSeconds?: number;
      /** UUID */
      identityId: string;
    },
    {
      identityUniversalAuth: {
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
        /** UUID */
        clientId: string;
        clientSecretTrustedIps: TrustedAddress[];
        /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
        lockoutEnabled: boolean;
        /** The failure that counts as guessing. A right client secret works always; passwords wait */
        lockoutThreshold: number;
        /** For how long */
        lockoutDurationSeconds: number;
        /** Failures further apart do not add up */
        lockoutCounterResetSeconds: number;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Detach Universal Auth from a machine identity and revoke its tokens.
   *
   * `DELETE /api/v1/auth/universal-auth/identities/{identityId}`
   * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<
    IdentityRef,
    {
      identityUniversalAuth: {
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
        /** UUID */
        clientId: string;
        clientSecretTrustedIps: TrustedAddress[];
        /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
        lockoutEnabled: boolean;
        /** The failure that counts as guessing. A right client secret works always; passwords wait */
        lockoutThreshold: number;
        /** For how long */
        lockoutDurationSeconds: number;
        /** Failures further apart do not add up */
        lockoutCounterResetSeconds: number;
      };
    }
  >;
  /**
   * Log in by Universal Auth.
   *
   * `POST /api/v1/auth/universal-auth/login`
   * Needs no token.
   */
  logIn: Mutation<{ clientId: string; clientSecret: string }, IssuedToken>;
  /**
   * Create a client secret.
   *
   * `POST /api/v1/auth/universal-auth/identities/{identityId}/client-secrets`
   * Needs `create` on `identity` in the organization, or `create-token` on `identity` in the project.
   */
  createClientSecret: Mutation<CreateClientSecret, CreatedClientSecret>;
  /**
   * List the active client secrets.
   *
   * `GET /api/v1/auth/universal-auth/identities/{identityId}/client-secrets`
   * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  listClientSecrets: Query<IdentityRef, { clientSecretData: ClientSecret[] }>;
  /**
   * Read a client secret without its value.
   *
   * `GET /api/v1/auth/universal-auth/identities/{identityId}/client-secrets/{clientSecretId}`
   * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  getClientSecret: Query<ClientSecretRef, { clientSecretData: ClientSecret }>;
  /**
   * Revoke a client secret and the access tokens that were issued for it.
   *
   * `POST /api/v1/auth/universal-auth/identities/{identityId}/client-secrets/{clientSecretId}/revoke`
   * Needs `delete` on `identity` in the organization, or `delete-token` on `identity` in the project.
   */
  revokeClientSecret: Mutation<ClientSecretRef, { clientSecretData: ClientSecret }>;
}
