// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AttachedLoginMethod, IssuedToken, LoginMethodSettings } from './shared.ts';

export type DetachedKubernetesAuth = AttachedLoginMethod & {
  /** The API server of the cluster, for example https://10.0.0.1:6443 */ kubernetesHost: string;
  /** Only `api` is supported */ tokenReviewMode: 'api' | 'gateway';
  /** Only null is supported */ gatewayId: string | null;
  /** Comma-separated. Empty: any */ allowedNamespaces: string;
  /** Comma-separated service accounts. Empty: any */ allowedNames: string;
  /** Required audience of the token. Empty: that of the API server */ allowedAudience: string;
};

export type KubernetesAuth = DetachedKubernetesAuth & {
  /** PEM of the root certificate by which the API server is trusted */ caCert: string;
  /** The token with which Coffer calls the TokenReview API. Empty: the token of the login itself */
  tokenReviewerJwt: string | null;
  /** Whether caCert is set. The value is returned to callers who may edit it */ hasCaCert: boolean;
  /** Whether tokenReviewerJwt is set. The value is returned to callers who may edit it */ hasTokenReviewerJwt: boolean;
};

export interface KubernetesAuthApi {
  /**
   * Attach Kubernetes Auth to a machine identity.
   * `POST /api/v1/auth/kubernetes-auth/identities/{identityId}`. Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
   */
  attach: Mutation<
    LoginMethodSettings & {
      /** The API server of the cluster, for example https://10.0.0.1:6443 */ kubernetesHost: string;
      /** PEM of the root certificate by which the API server is trusted (default: `''`) */ caCert?: string;
      /** The token with which Coffer calls the TokenReview API. Empty: the token of the login itself (default: `null`) */
      tokenReviewerJwt?: string | null;
      /** Only `api` is supported (default: `'api'`) */ tokenReviewMode?: 'api' | 'gateway';
      /** Only null is supported (default: `null`) */ gatewayId?: string | null;
      /** Comma-separated. Empty: any */ allowedNamespaces: string;
      /** Comma-separated service accounts. Empty: any */ allowedNames: string;
      /** Required audience of the token. Empty: that of the API server */ allowedAudience: string;
      identityId: string;
    },
    {
      identityKubernetesAuth: KubernetesAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Get the Kubernetes Auth of a machine identity.
   * `GET /api/v1/auth/kubernetes-auth/identities/{identityId}`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    { identityId: string },
    {
      identityKubernetesAuth: KubernetesAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Update the Kubernetes Auth of a machine identity; omitted fields stay unchanged.
   * `PATCH /api/v1/auth/kubernetes-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
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
      /** The API server of the cluster, for example https://10.0.0.1:6443 */ kubernetesHost?: string;
      /** PEM of the root certificate by which the API server is trusted */ caCert?: string;
      /** The token with which Coffer calls the TokenReview API. Empty: the token of the login itself */
      tokenReviewerJwt?: string | null;
      /** Only `api` is supported */ tokenReviewMode?: 'api' | 'gateway';
      /** Only null is supported */ gatewayId?: string | null;
      /** Comma-separated. Empty: any */ allowedNamespaces?: string;
      /** Comma-separated service accounts. Empty: any */ allowedNames?: string;
      /** Required audience of the token. Empty: that of the API server */ allowedAudience?: string;
      identityId: string;
    },
    {
      identityKubernetesAuth: KubernetesAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Detach Kubernetes Auth from a machine identity and revoke its tokens.
   * `DELETE /api/v1/auth/kubernetes-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<{ identityId: string }, { identityKubernetesAuth: DetachedKubernetesAuth }>;
  /** Log in by Kubernetes Auth. `POST /api/v1/auth/kubernetes-auth/login`. Needs no token. */
  logIn: Mutation<{ /** A JWT of the external issuer */ jwt: string; identityId: string }, IssuedToken>;
}
