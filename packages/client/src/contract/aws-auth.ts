// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { IdentityRef, IssuedToken, TrustedAddress } from './shared.ts';

export interface AwsAuthApi {
  /**
   * Attach AWS Auth to a machine identity.
   *
   * `POST /api/v1/auth/aws-auth/identities/{identityId}`
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
       * Where signed requests are sent; https://sts.amazonaws.com/ stands for the signature's region as well
       * Default: `'https://sts.amazonaws.com/'`
       */
      stsEndpoint?: string;
      /**
       * Comma list; * stands for characters of a name; empty: any of allowedAccountIds
       * Default: `''`
       */
      allowedPrincipalArns?: string;
      /**
       * Comma list; empty: any of allowedPrincipalArns
       * Default: `''`
       */
      allowedAccountIds?: string;
      /**
       * What the signed header X-Coffer-Server-ID has to say; empty: the header is not needed
       * Default: `''`
       */
      serverId?: string;
      /** UUID */
      identityId: string;
    },
    {
      identityAwsAuth: {
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
        /** iam */
        type: string;
        /** Where signed requests are sent; https://sts.amazonaws.com/ stands for the signature's region as well */
        stsEndpoint: string;
        /** Comma list; * stands for characters of a name; empty: any of allowedAccountIds */
        allowedPrincipalArns: string;
        /** Comma list; empty: any of allowedPrincipalArns */
        allowedAccountIds: string;
        /** What the signed header X-Coffer-Server-ID has to say; empty: the header is not needed */
        serverId: string;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Get the AWS Auth of a machine identity.
   *
   * `GET /api/v1/auth/aws-auth/identities/{identityId}`
   * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    IdentityRef,
    {
      identityAwsAuth: {
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
        /** iam */
        type: string;
        /** Where signed requests are sent; https://sts.amazonaws.com/ stands for the signature's region as well */
        stsEndpoint: string;
        /** Comma list; * stands for characters of a name; empty: any of allowedAccountIds */
        allowedPrincipalArns: string;
        /** Comma list; empty: any of allowedPrincipalArns */
        allowedAccountIds: string;
        /** What the signed header X-Coffer-Server-ID has to say; empty: the header is not needed */
        serverId: string;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Update the AWS Auth of a machine identity; omitted fields stay unchanged.
   *
   * `PATCH /api/v1/auth/aws-auth/identities/{identityId}`
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
      /** Where signed requests are sent; https://sts.amazonaws.com/ stands for the signature's region as well */
      stsEndpoint?: string;
      /** Comma list; * stands for characters of a name; empty: any of allowedAccountIds */
      allowedPrincipalArns?: string;
      /** Comma list; empty: any of allowedPrincipalArns */
      allowedAccountIds?: string;
      /** What the signed header X-Coffer-Server-ID has to say; empty: the header is not needed */
      serverId?: string;
      /** UUID */
      identityId: string;
    },
    {
      identityAwsAuth: {
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
        /** iam */
        type: string;
        /** Where signed requests are sent; https://sts.amazonaws.com/ stands for the signature's region as well */
        stsEndpoint: string;
        /** Comma list; * stands for characters of a name; empty: any of allowedAccountIds */
        allowedPrincipalArns: string;
        /** Comma list; empty: any of allowedPrincipalArns */
        allowedAccountIds: string;
        /** What the signed header X-Coffer-Server-ID has to say; empty: the header is not needed */
        serverId: string;
      };
      /** Why no identity can log in by this method at present; empty if logins are possible */
      warnings: string[];
    }
  >;
  /**
   * Detach AWS Auth from a machine identity and revoke its tokens.
   *
   * `DELETE /api/v1/auth/aws-auth/identities/{identityId}`
   * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<
    IdentityRef,
    {
      identityAwsAuth: {
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
        /** iam */
        type: string;
        /** Where signed requests are sent; https://sts.amazonaws.com/ stands for the signature's region as well */
        stsEndpoint: string;
        /** Comma list; * stands for characters of a name; empty: any of allowedAccountIds */
        allowedPrincipalArns: string;
        /** Comma list; empty: any of allowedPrincipalArns */
        allowedAccountIds: string;
        /** What the signed header X-Coffer-Server-ID has to say; empty: the header is not needed */
        serverId: string;
      };
    }
  >;
  /**
   * Log in by AWS Auth.
   *
   * `POST /api/v1/auth/aws-auth/login`
   * Needs no token.
   */
  logIn: Mutation<
    {
      /** Default: `'POST'` */
      iamHttpRequestMethod?: string;
      /** Base64 of Action=GetCallerIdentity&Version=2011-06-15 */
      iamRequestBody: string;
      /** Base64 of a JSON object with the headers, as they were signed */
      iamRequestHeaders: string;
      /** UUID */
      identityId: string;
    },
    IssuedToken
  >;
}
