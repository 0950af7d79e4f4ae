// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AttachedLoginMethod, IssuedToken, LoginMethodSettings } from './shared.ts';

export type AwsAuth = AttachedLoginMethod & {
  /** iam */ type: string;
  /** The URL to which signed requests are sent; https://sts.amazonaws.com/ includes the endpoint of the signature's region */
  stsEndpoint: string;
  /** Comma-separated; * matches characters of a name. Empty: any principal of allowedAccountIds */
  allowedPrincipalArns: string;
  /** Comma-separated. Empty: any account of allowedPrincipalArns */ allowedAccountIds: string;
  /** Required value of the signed header X-Coffer-Server-ID. Empty: the header is not required */ serverId: string;
};

export type DetachedAwsAuth = AttachedLoginMethod & {
  /** iam */ type: string;
  /** The URL to which signed requests are sent; https://sts.amazonaws.com/ includes the endpoint of the signature's region */
  stsEndpoint: string;
  /** Comma-separated; * matches characters of a name. Empty: any principal of allowedAccountIds */
  allowedPrincipalArns: string;
  /** Comma-separated. Empty: any account of allowedPrincipalArns */ allowedAccountIds: string;
  /** Required value of the signed header X-Coffer-Server-ID. Empty: the header is not required */ serverId: string;
};

export interface AwsAuthApi {
  /**
   * Attach AWS Auth to a machine identity.
   * `POST /api/v1/auth/aws-auth/identities/{identityId}`. Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
   */
  attach: Mutation<
    LoginMethodSettings & {
      /** The URL to which signed requests are sent; https://sts.amazonaws.com/ includes the endpoint of the signature's region (default: `'https://sts.amazonaws.com/'`) */
      stsEndpoint?: string;
      /** Comma-separated; * matches characters of a name. Empty: any principal of allowedAccountIds (default: `''`) */
      allowedPrincipalArns?: string;
      /** Comma-separated. Empty: any account of allowedPrincipalArns (default: `''`) */ allowedAccountIds?: string;
      /** Required value of the signed header X-Coffer-Server-ID. Empty: the header is not required (default: `''`) */
      serverId?: string;
      identityId: string;
    },
    {
      identityAwsAuth: AwsAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Get the AWS Auth of a machine identity.
   * `GET /api/v1/auth/aws-auth/identities/{identityId}`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    { identityId: string },
    {
      identityAwsAuth: AwsAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Update the AWS Auth of a machine identity; omitted fields stay unchanged.
   * `PATCH /api/v1/auth/aws-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
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
      /** The URL to which signed requests are sent; https://sts.amazonaws.com/ includes the endpoint of the signature's region */
      stsEndpoint?: string;
      /** Comma-separated; * matches characters of a name. Empty: any principal of allowedAccountIds */
      allowedPrincipalArns?: string;
      /** Comma-separated. Empty: any account of allowedPrincipalArns */ allowedAccountIds?: string;
      /** Required value of the signed header X-Coffer-Server-ID. Empty: the header is not required */ serverId?: string;
      identityId: string;
    },
    {
      identityAwsAuth: AwsAuth;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Detach AWS Auth from a machine identity and revoke its tokens.
   * `DELETE /api/v1/auth/aws-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<{ identityId: string }, { identityAwsAuth: DetachedAwsAuth }>;
  /** Log in by AWS Auth. `POST /api/v1/auth/aws-auth/login`. Needs no token. */
  logIn: Mutation<
    {
      /** Default: `'POST'` */ iamHttpRequestMethod?: string;
      /** Base64 of Action=GetCallerIdentity&Version=2011-06-15 */ iamRequestBody: string;
      /** Base64 of a JSON object with the signed headers */ iamRequestHeaders: string;
      identityId: string;
    },
    IssuedToken
  >;
}
