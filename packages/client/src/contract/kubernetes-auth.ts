// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { IdentityRef, IssuedToken, TrustedAddress } from './shared.ts';

export interface KubernetesAuthApi {
  /**
   * Attach Kubernetes Auth to a machine identity.
   *
   * `POST /api/v1/auth/kubernetes-auth/identities/{identityId}`
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
      /** The API server of the cluster, such as https://10.0.0.1:6443 */
      kubernetesHost: string;
      /**
       * PEM of the root that the API server is trusted by
       * Default: `''`
       */
      caCert?: string;
      /**
       * What Coffer asks with; without it, the token that is to be reviewed
       * Default: `null`
       */
      tokenReviewerJwt?: string | null;
      /**
       * Only api is offered
       * Default: `'api'`
       */
      tokenReviewMode?: 'api' | 'gateway';
      /**
       * Only null is offered
       * Default: `null`
       */
      gatewayId?: string | null;
      /** Comma list; nothing: any */
      allowedNamespaces: string;
      /** Comma list of service accounts; nothing: any */
      allowedNames: string;
      /** The token must be meant for it; nothing: for the API server */
      allowedAudience: string;
      /** UUID */
      identityId: string;
    },
    {
      identityKubernetesAuth: {
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
        /** The API server of the cluster, such as https://10.0.0.1:6443 */
        kubernetesHost: string;
        /** PEM of the root that the API server is trusted by */
        caCert: string;
        /** What Coffer asks with; without it, the token that is to be reviewed */
        tokenReviewerJwt: string | null;
        /** Only api is offered */
        tokenReviewMode: 'api' | 'gateway';
        /** Only null is offered */
        gatewayId: string | null;
        /** Comma list; nothing: any */
        allowedNamespaces: string;
        /** Comma list of service accounts; nothing: any */
        allowedNames: string;
        /** The token must be meant for it; nothing: for the API server */
        allowedAudience: string;
        /** Whether caCert is set. Its value is shown to those who may change it */
        hasCaCert: boolean;
        /** Whether tokenReviewerJwt is set. Its value is shown to those who may change it */
        hasTokenReviewerJwt: boolean;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Get the Kubernetes Auth of a machine identity.
   *
   * `GET /api/v1/auth/kubernetes-auth/identities/{identityId}`
   * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    IdentityRef,
    {
      identityKubernetesAuth: {
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
        /** The API server of the cluster, such as https://10.0.0.1:6443 */
        kubernetesHost: string;
        /** PEM of the root that the API server is trusted by */
        caCert: string;
        /** What Coffer asks with; without it, the token that is to be reviewed */
        tokenReviewerJwt: string | null;
        /** Only api is offered */
        tokenReviewMode: 'api' | 'gateway';
        /** Only null is offered */
        gatewayId: string | null;
        /** Comma list; nothing: any */
        allowedNamespaces: string;
        /** Comma list of service accounts; nothing: any */
        allowedNames: string;
        /** The token must be meant for it; nothing: for the API server */
        allowedAudience: string;
        /** Whether caCert is set. Its value is shown to those who may change it */
        hasCaCert: boolean;
        /** Whether tokenReviewerJwt is set. Its value is shown to those who may change it */
        hasTokenReviewerJwt: boolean;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Update the Kubernetes Auth of a machine identity; omitted fields stay unchanged.
   *
   * `PATCH /api/v1/auth/kubernetes-auth/identities/{identityId}`
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
      /** The API server of the cluster, such as https://10.0.0.1:6443 */
      kubernetesHost?: string;
      /** PEM of the root that the API server is trusted by */
      caCert?: string;
      /** What Coffer asks with; without it, the token that is to be reviewed */
      tokenReviewerJwt?: string | null;
      /** Only api is offered */
      tokenReviewMode?: 'api' | 'gateway';
      /** Only null is offered */
      gatewayId?: string | null;
      /** Comma list; nothing: any */
      allowedNamespaces?: string;
      /** Comma list of service accounts; nothing: any */
      allowedNames?: string;
      /** The token must be meant for it; nothing: for the API server */
      allowedAudience?: string;
      /** UUID */
      identityId: string;
    },
    {
      identityKubernetesAuth: {
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
        /** The API server of the cluster, such as https://10.0.0.1:6443 */
        kubernetesHost: string;
        /** PEM of the root that the API server is trusted by */
        caCert: string;
        /** What Coffer asks with; without it, the token that is to be reviewed */
        tokenReviewerJwt: string | null;
        /** Only api is offered */
        tokenReviewMode: 'api' | 'gateway';
        /** Only null is offered */
        gatewayId: string | null;
        /** Comma list; nothing: any */
        allowedNamespaces: string;
        /** Comma list of service accounts; nothing: any */
        allowedNames: string;
        /** The token must be meant for it; nothing: for the API server */
        allowedAudience: string;
        /** Whether caCert is set. Its value is shown to those who may change it */
        hasCaCert: boolean;
        /** Whether tokenReviewerJwt is set. Its value is shown to those who may change it */
        hasTokenReviewerJwt: boolean;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Detach Kubernetes Auth from a machine identity and revoke its tokens.
   *
   * `DELETE /api/v1/auth/kubernetes-auth/identities/{identityId}`
   * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<
    IdentityRef,
    {
      identityKubernetesAuth: {
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
        /** The API server of the cluster, such as https://10.0.0.1:6443 */
        kubernetesHost: string;
        /** Only api is offered */
        tokenReviewMode: 'api' | 'gateway';
        /** Only null is offered */
        gatewayId: string | null;
        /** Comma list; nothing: any */
        allowedNamespaces: string;
        /** Comma list of service accounts; nothing: any */
        allowedNames: string;
        /** The token must be meant for it; nothing: for the API server */
        allowedAudience: string;
      };
    }
  >;
  /**
   * Log in by Kubernetes Auth.
   *
   * `POST /api/v1/auth/kubernetes-auth/login`
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
