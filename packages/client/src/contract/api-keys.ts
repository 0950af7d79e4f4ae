// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';

export type ApiKey = {
  id: string;
  name: string;
  lastUsed: string | null;
  expiresAt: string;
  userId: string;
  createdAt: string;
  updatedAt: string;
};

export type CreateApiKey = {
  name: string;
  /** The lifetime in seconds; at most one year and the maximum of the organization for tokens of users */
  expiresIn: number;
};

export type CreatedApiKey = { /** Returned once. Send it in the header `X-API-Key` */ apiKey: string; apiKeyData: ApiKey };

export interface ApiKeysApi {
  /** List the API keys of the current user in this organization. `GET /api/v2/users/me/api-keys`. */
  list: Query<NoInput, ApiKey[]>;
  /** List the API keys of the current user in this organization. `GET /api/v3/users/me/api-keys`. */
  listV3: Query<NoInput, { apiKeyData: ApiKey[] }>;
  /**
   * Create an API key for this organization.
   * The key acts as the user, with the rights that the user holds in the organization at the time of each call. It is revoked when the membership ends, when the password changes, or when all sessions are ended. Operations on sessions, credentials, the account and the instance do not accept it.
   * `POST /api/v2/users/me/api-keys`.
   */
  create: Mutation<CreateApiKey, CreatedApiKey>;
  /** Delete an API key of the current user. `DELETE /api/v2/users/me/api-keys/{apiKeyDataId}`. */
  delete: Mutation<{ apiKeyDataId: string }, { apiKeyData: ApiKey }>;
}
