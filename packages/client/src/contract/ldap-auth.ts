// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AttachedLoginMethod, IssuedToken, LockoutSettings, LoginMethodSettings } from './shared.ts';

export type DetachedLdapAuth = AttachedLoginMethod & {
  url: string;
  /** The entry below which users are searched */ searchBase: string;
  /** Must match exactly one entry */ searchFilter: string;
  /** Attributes that the user must have; each needs one of these values */
  allowedFields: { key: string; /** Comma-separated */ value: string }[];
  /** LDAP: whether wrong passwords delay later attempts at the user. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a valid client secret always works */
  lockoutEnabled: boolean;
  /** The number of failures that counts as guessing. A valid client secret always works; password logins are delayed */
  lockoutThreshold: number;
  /** Duration of the lockout, in seconds */ lockoutDurationSeconds: number;
  /** Failures further apart than this, in seconds, are not added up */ lockoutCounterResetSeconds: number;
};

export type LdapAuth = DetachedLdapAuth & {
  bindDN: string | '';
  bindPass: string | '';
  /** PEM of the root certificate by which the directory is trusted; ldap:// then uses StartTLS */
  ldapCaCertificate: string;
  /** Whether bindDN is set. The value is returned to callers who may edit it */ hasBindDN: boolean;
  /** Whether bindPass is set. The value is returned to callers who may edit it */ hasBindPass: boolean;
  /** Whether ldapCaCertificate is set. The value is returned to callers who may edit it */ hasLdapCaCertificate: boolean;
};

export interface LdapAuthApi {
  /**
   * Attach LDAP Auth to a machine identity.
   * `POST /api/v1/auth/ldap-auth/identities/{identityId}`. Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
   */
  attach: Mutation<
    LoginMethodSettings & LockoutSettings & {
      url: string;
      /** The account that searches for users */ bindDN: string;
      bindPass: string;
      /** The entry below which users are searched */ searchBase: string;
      /** Must match exactly one entry (default: `'(uid={{username}})'`) */ searchFilter?: string;
      /** Attributes that the user must have; each needs one of these values (default: `[]`) */
      allowedFields?: { key: string; /** Comma-separated */ value: string }[];
      /** PEM of the root certificate by which the directory is trusted; ldap:// then uses StartTLS (default: `''`) */
      ldapCaCertificate?: string;
      /** Not offered */ templateId?: never;
      identityId: string;
    },
    {
      identityLdapAuth: LdapAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Get the LDAP Auth of a machine identity.
   * `GET /api/v1/auth/ldap-auth/identities/{identityId}`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    { identityId: string },
    {
      identityLdapAuth: LdapAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Update the LDAP Auth of a machine identity; omitted fields stay unchanged.
   * `PATCH /api/v1/auth/ldap-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
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
      url?: string;
      /** The account that searches for users */ bindDN?: string;
      bindPass?: string;
      /** The entry below which users are searched */ searchBase?: string;
      /** Must match exactly one entry */ searchFilter?: string;
      /** Attributes that the user must have; each needs one of these values */
      allowedFields?: { key: string; /** Comma-separated */ value: string }[];
      /** PEM of the root certificate by which the directory is trusted; ldap:// then uses StartTLS */
      ldapCaCertificate?: string;
      /** LDAP: whether wrong passwords delay later attempts at the user. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a valid client secret always works */
      lockoutEnabled?: boolean;
      /** The number of failures that counts as guessing. A valid client secret always works; password logins are delayed */
      lockoutThreshold?: number;
      /** Duration of the lockout, in seconds */ lockoutDurationSeconds?: number;
      /** Failures further apart than this, in seconds, are not added up */ lockoutCounterResetSeconds?: number;
      /** Not offered */ templateId?: never;
      identityId: string;
    },
    {
      identityLdapAuth: LdapAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Detach LDAP Auth from a machine identity and revoke its tokens.
   * `DELETE /api/v1/auth/ldap-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<{ identityId: string }, { identityLdapAuth: DetachedLdapAuth }>;
  /** Log in by LDAP Auth. `POST /api/v1/auth/ldap-auth/login`. Needs no token. */
  logIn: Mutation<{ username: string; password: string; identityId: string }, IssuedToken>;
}
