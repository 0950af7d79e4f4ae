// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { IdentityRef, IssuedToken, TrustedAddress } from './shared.ts';

export interface LdapAuthApi {
  /**
   * Attach LDAP Auth to a machine identity.
   *
   * `POST /api/v1/auth/ldap-auth/identities/{identityId}`
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
      url: string;
      /** The account that looks for users */
      bindDN: string;
      bindPass: string;
      /** Users are looked for below this entry */
      searchBase: string;
      /**
       * Has to find exactly one entry
       * Default: `'(uid={{username}})'`
       */
      searchFilter?: string;
      /**
       * Attributes that a user has to have, each with one of these values
       * Default: `[]`
       */
      allowedFields?: {
        key: string;
        /** Comma list */
        value: string;
      }[];
      /**
       * PEM of the root that the directory is trusted by; ldap:// then uses StartTLS
       * Default: `''`
       */
      ldapCaCertificate?: string;
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
      /** Not offered */
      templateId?: never;
      /** UUID */
      identityId: string;
    },
    {
      identityLdapAuth: {
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
        url: string;
        bindDN: string | '';
        bindPass: string | '';
        /** Users are looked for below this entry */
        searchBase: string;
        /** Has to find exactly one entry */
        searchFilter: string;
        /** Attributes that a user has to have, each with one of these values */
        allowedFields: {
          key: string;
          /** Comma list */
          value: string;
        }[];
        /** PEM of the root that the directory is trusted by; ldap:// then uses StartTLS */
        ldapCaCertificate: string;
        /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
        lockoutEnabled: boolean;
        /** The failure that counts as guessing. A right client secret works always; passwords wait */
        lockoutThreshold: number;
        /** For how long */
        lockoutDurationSeconds: number;
        /** Failures further apart do not add up */
        lockoutCounterResetSeconds: number;
        /** Whether bindDN is set. Its value is shown to those who may change it */
        hasBindDN: boolean;
        /** Whether bindPass is set. Its value is shown to those who may change it */
        hasBindPass: boolean;
        /** Whether ldapCaCertificate is set. Its value is shown to those who may change it */
        hasLdapCaCertificate: boolean;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Get the LDAP Auth of a machine identity.
   *
   * `GET /api/v1/auth/ldap-auth/identities/{identityId}`
   * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    IdentityRef,
    {
      identityLdapAuth: {
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
        url: string;
        bindDN: string | '';
        bindPass: string | '';
        /** Users are looked for below this entry */
        searchBase: string;
        /** Has to find exactly one entry */
        searchFilter: string;
        /** Attributes that a user has to have, each with one of these values */
        allowedFields: {
          key: string;
          /** Comma list */
          value: string;
        }[];
        /** PEM of the root that the directory is trusted by; ldap:// then uses StartTLS */
        ldapCaCertificate: string;
        /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
        lockoutEnabled: boolean;
        /** The failure that counts as guessing. A right client secret works always; passwords wait */
        lockoutThreshold: number;
        /** For how long */
        lockoutDurationSeconds: number;
        /** Failures further apart do not add up */
        lockoutCounterResetSeconds: number;
        /** Whether bindDN is set. Its value is shown to those who may change it */
        hasBindDN: boolean;
        /** Whether bindPass is set. Its value is shown to those who may change it */
        hasBindPass: boolean;
        /** Whether ldapCaCertificate is set. Its value is shown to those who may change it */
        hasLdapCaCertificate: boolean;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Update the LDAP Auth of a machine identity; omitted fields stay unchanged.
   *
   * `PATCH /api/v1/auth/ldap-auth/identities/{identityId}`
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
      url?: string;
      /** The account that looks for users */
      bindDN?: string;
      bindPass?: string;
      /** Users are looked for below this entry */
      searchBase?: string;
      /** Has to find exactly one entry */
      searchFilter?: string;
      /** Attributes that a user has to have, each with one of these values */
      allowedFields?: {
        key: string;
        /** Comma list */
        value: string;
      }[];
      /** PEM of the root that the directory is trusted by; ldap:// then uses StartTLS */
      ldapCaCertificate?: string;
      /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
      lockoutEnabled?: boolean;
      /** The failure that counts as guessing. A right client secret works always; passwords wait */
      lockoutThreshold?: number;
      /** For how long */
      lockoutDurationSeconds?: number;
      /** Failures further apart do not add up */
      lockoutCounterResetSeconds?: number;
      /** Not offered */
      templateId?: never;
      /** UUID */
      identityId: string;
    },
    {
      identityLdapAuth: {
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
        url: string;
        bindDN: string | '';
        bindPass: string | '';
        /** Users are looked for below this entry */
        searchBase: string;
        /** Has to find exactly one entry */
        searchFilter: string;
        /** Attributes that a user has to have, each with one of these values */
        allowedFields: {
          key: string;
          /** Comma list */
          value: string;
        }[];
        /** PEM of the root that the directory is trusted by; ldap:// then uses StartTLS */
        ldapCaCertificate: string;
        /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
        lockoutEnabled: boolean;
        /** The failure that counts as guessing. A right client secret works always; passwords wait */
        lockoutThreshold: number;
        /** For how long */
        lockoutDurationSeconds: number;
        /** Failures further apart do not add up */
        lockoutCounterResetSeconds: number;
        /** Whether bindDN is set. Its value is shown to those who may change it */
        hasBindDN: boolean;
        /** Whether bindPass is set. Its value is shown to those who may change it */
        hasBindPass: boolean;
        /** Whether ldapCaCertificate is set. Its value is shown to those who may change it */
        hasLdapCaCertificate: boolean;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Detach LDAP Auth from a machine identity and revoke its tokens.
   *
   * `DELETE /api/v1/auth/ldap-auth/identities/{identityId}`
   * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<
    IdentityRef,
    {
      identityLdapAuth: {
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
        url: string;
        /** Users are looked for below this entry */
        searchBase: string;
        /** Has to find exactly one entry */
        searchFilter: string;
        /** Attributes that a user has to have, each with one of these values */
        allowedFields: {
          key: string;
          /** Comma list */
          value: string;
        }[];
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
   * Log in by LDAP Auth.
   *
   * `POST /api/v1/auth/ldap-auth/login`
   * Needs no token.
   */
  logIn: Mutation<
    {
      username: string;
      password: string;
      /** UUID */
      identityId: string;
    },
    IssuedToken
  >;
}
