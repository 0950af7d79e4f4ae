// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AttachedLoginMethod, IssuedToken, LoginMethodSettings } from './shared.ts';

export type DetachedTlsCertAuth = AttachedLoginMethod & {
  /** Comma-separated. Empty: any */ allowedCommonNames: string | null;
  /** The certificate must contain one of them. Empty: any */ allowedSubjectAltNames: string[];
  /** Whether the client may send intermediate authorities between its certificate and caCertificate */
  verifyClientCertificateChain: boolean;
};

export type TlsCertAuth = DetachedTlsCertAuth & {
  caCertificate: string | '';
  /** Whether caCertificate is set. The value is returned to callers who may edit it */ hasCaCertificate: boolean;
};

export interface TlsCertAuthApi {
  /**
   * Attach TLS Certificate Auth to a machine identity.
   * `POST /api/v1/auth/tls-cert-auth/identities/{identityId}`. Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
   */
  attach: Mutation<
    LoginMethodSettings & {
      /** PEM of the authorities that sign client certificates */ caCertificate: string;
      /** Comma-separated. Empty: any (default: `null`) */ allowedCommonNames?: string | null;
      /** The certificate must contain one of them. Empty: any (default: `[]`) */ allowedSubjectAltNames?: string[];
      /** Whether the client may send intermediate authorities between its certificate and caCertificate (default: `false`) */
      verifyClientCertificateChain?: boolean;
      identityId: string;
    },
    {
      identityTlsCertAuth: TlsCertAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Get the TLS Certificate Auth of a machine identity.
   * `GET /api/v1/auth/tls-cert-auth/identities/{identityId}`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    { identityId: string },
    {
      identityTlsCertAuth: TlsCertAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Update the TLS Certificate Auth of a machine identity; omitted fields stay unchanged.
   * `PATCH /api/v1/auth/tls-cert-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
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
      /** PEM of the authorities that sign client certificates */ caCertificate?: string;
      /** Comma-separated. Empty: any */ allowedCommonNames?: string | null;
      /** The certificate must contain one of them. Empty: any */ allowedSubjectAltNames?: string[];
      /** Whether the client may send intermediate authorities between its certificate and caCertificate */
      verifyClientCertificateChain?: boolean;
      identityId: string;
    },
    {
      identityTlsCertAuth: TlsCertAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Detach TLS Certificate Auth from a machine identity and revoke its tokens.
   * `DELETE /api/v1/auth/tls-cert-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<{ identityId: string }, { identityTlsCertAuth: DetachedTlsCertAuth }>;
  /** Log in by TLS Certificate Auth. `POST /api/v1/auth/tls-cert-auth/login`. Needs no token. */
  logIn: Mutation<{ identityId: string }, IssuedToken>;
}
