// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AttachedLoginMethod, IssuedToken, LoginMethodSettings } from './shared.ts';

export type AccessToken = {
  id: string;
  identityId: string;
  name: string | null;
  authMethod: string;
  accessTokenTTL: number;
  accessTokenMaxTTL: number;
  accessTokenNumUses: number;
  accessTokenNumUsesLimit: number;
  accessTokenPeriod: number;
  accessTokenLastUsedAt: string | null;
  accessTokenLastRenewedAt: string | null;
  isAccessTokenRevoked: boolean;
  identityUAClientSecretId: string | null;
  createdAt: string;
  updatedAt: string;
};

export type ListAccessTokens = {
  identityId: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `20`) */ limit?: number;
};

export interface TokenAuthApi {
  /**
   * Attach Token Auth to a machine identity.
   * `POST /api/v1/auth/token-auth/identities/{identityId}`. Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
   */
  attach: Mutation<
    LoginMethodSettings & { identityId: string },
    {
      identityTokenAuth: AttachedLoginMethod;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Get the Token Auth of a machine identity.
   * `GET /api/v1/auth/token-auth/identities/{identityId}`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<
    { identityId: string },
    {
      identityTokenAuth: AttachedLoginMethod;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Update the Token Auth of a machine identity; omitted fields stay unchanged.
   * `PATCH /api/v1/auth/token-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
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
      identityId: string;
    },
    {
      identityTokenAuth: AttachedLoginMethod;
      /** Why no identity can log in by this method at present; empty if logins are possible */ warnings: string[];
    }
  >;
  /**
   * Detach Token Auth from a machine identity and revoke its tokens.
   * `DELETE /api/v1/auth/token-auth/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  detach: Mutation<{ identityId: string }, { identityTokenAuth: AttachedLoginMethod }>;
  /**
   * Create an access token for a machine identity.
   * `POST /api/v1/auth/token-auth/identities/{identityId}/tokens`. Needs `edit` on `identity` in the organization, or `create-token` on `identity` in the project.
   */
  createToken: Mutation<{ identityId: string; name?: string }, IssuedToken & { tokenData: AccessToken }>;
  /**
   * List the access tokens that were created for a machine identity.
   * `GET /api/v1/auth/token-auth/identities/{identityId}/tokens`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  listTokens: Query<ListAccessTokens, { tokens: AccessToken[] }>;
  /**
   * Read the metadata of an access token.
   * `GET /api/v1/auth/token-auth/tokens/{tokenId}`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  getToken: Query<{ tokenId: string }, { token: AccessToken }>;
  /**
   * Rename an access token.
   * `PATCH /api/v1/auth/token-auth/tokens/{tokenId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  renameToken: Mutation<{ tokenId: string; name?: string }, { token: AccessToken }>;
  /**
   * Revoke an access token.
   * `POST /api/v1/auth/token-auth/tokens/{tokenId}/revoke`. Needs `edit` on `identity` in the organization, or `delete-token` on `identity` in the project.
   */
  revokeToken: Mutation<{ tokenId: string }, { message: string }>;
}
