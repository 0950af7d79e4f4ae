// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { GroupUser } from './shared.ts';

export type CreateServiceToken = {
  name: string;
  /** The ID of the project */ workspaceId: string;
  scopes: { /** The slug of an environment */ environment: string; secretPath: string }[];
  permissions: ('read' | 'write' | 'readValue')[];
  /** In seconds. Default, also for null: 90 days. 0: the token never expires; this needs the permission `create-without-expiry` on `service-tokens` */
  expiresIn?: number | null;
  /** Stored and returned unchanged; the server does not use it */ encryptedKey?: string;
  /** Stored and returned unchanged; the server does not use it */ iv?: string;
  /** Stored and returned unchanged; the server does not use it */ tag?: string;
};

export type CreatedServiceToken = { /** Returned once. Send it as `Authorization: Bearer` */ serviceToken: string; serviceTokenData: ServiceToken };

export type OwnServiceToken = ServiceToken & {
  /** The same as `id` */ _id: string;
  __v: number;
  /** The ID of the project */ workspace: string;
  /** Always empty: the server does not reveal the hash */ secretHash: string;
  encryptedKey: string | null;
  iv: string | null;
  tag: string | null;
  /** The user who created it; null if the account was deleted */
  user: GroupUser & {
    /** The same as `id` */ _id: string;
    __v: number;
    authMethods: string[];
    mfaMethods: string[] | null;
    devices?: unknown;
    createdAt: string;
    updatedAt: string;
  } | null;
};

export type ServiceToken = {
  id: string;
  name: string;
  scopes: {
    /** The slug of an environment */ environment: string;
    /** A folder path or a glob, for example /app/** */ secretPath: string;
  }[];
  permissions: string[];
  lastUsed: string | null;
  expiresAt: string | null;
  /** ID of the user */ createdBy: string;
  /** The user who created it; null if the account was deleted, and the token is invalid */ creator: GroupUser | null;
  projectId: string;
  createdAt: string;
  updatedAt: string;
};

export interface ServiceTokensApi {
  /** Create a service token. `POST /api/v2/service-token`. Needs `create` on `service-tokens`. */
  create: Mutation<CreateServiceToken, CreatedServiceToken>;
  /** Read the service token of the caller. `GET /api/v2/service-token`. */
  own: Query<NoInput, OwnServiceToken>;
  /** List the service tokens of a project. `GET /api/v1/workspace/{workspaceId}/service-token-data`. Needs `read` on `service-tokens`. */
  list: Query<{ /** The ID of the project */ workspaceId: string }, { serviceTokenData: ServiceToken[] }>;
  /** Delete a service token. `DELETE /api/v2/service-token/{serviceTokenId}`. Needs `delete` on `service-tokens`. */
  delete: Mutation<{ serviceTokenId: string }, { serviceTokenData: ServiceToken }>;
}
