// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { CustomRole, IdentityProject, MetadataEntry } from './shared.ts';

export type CountIdentities = { /** Default: `{}` */ search?: IdentitySearch };

export type CreateIdentity = {
  name: string;
  organizationId: string;
  /** A built-in role of the organization, or the slug of a custom role (default: `'no-access'`) */ role?: string;
  /** Default: `[]` */ metadata?: MetadataEntry[];
  /** Default: `false` */ hasDeleteProtection?: boolean;
};

export type Identity = {
  id: string;
  name: string;
  orgId: string;
  /** null: the organization owns it */ projectId: string | null;
  /** true: it cannot be deleted */ hasDeleteProtection: boolean;
  metadata: { id: string; key: string; value: string }[];
  /** The attached login methods, for example `universal-auth` */ authMethods: string[];
  /** The first of the attached login methods */ authMethod: string | null;
  createdAt: string;
  updatedAt: string;
};

export type IdentityMembership = {
  /** ID of the membership */ id: string;
  /** A built-in role, or `custom` */ role: string;
  /** ID of the custom role */ roleId: string | null;
  customRole: CustomRole | null;
  orgId: string;
  identityId: string;
  metadata: { id: string; key: string; value: string }[];
  identity: {
    id: string;
    name: string;
    /** null: the organization owns it */ projectId: string | null;
    hasDeleteProtection: boolean;
    authMethods: string[];
  };
  createdAt: string;
  updatedAt: string;
};

export type IdentitySearch = {
  name?: string | { $eq?: string; $ne?: string; /** Substring, case-insensitive */ $contains?: string; $in?: string[] };
  role?: string | { $eq?: string; $ne?: string; /** Substring, case-insensitive */ $contains?: string; $in?: string[] };
  $or?: {
    name?: string | { $eq?: string; $ne?: string; /** Substring, case-insensitive */ $contains?: string; $in?: string[] };
    role?: string | { $eq?: string; $ne?: string; /** Substring, case-insensitive */ $contains?: string; $in?: string[] };
  }[];
};

export type ListIdentityMemberships = {
  orgId: string;
  /** Default: `'name'` */ orderBy?: 'name' | 'role';
  /** Default: `'asc'` */ orderDirection?: 'asc' | 'desc';
  /** Default: `0` */ offset?: number;
  /** Default: `100` */ limit?: number;
  /** A part of the name */ search?: string;
};

export type SearchIdentities = {
  /** Default: `'name'` */ orderBy?: 'name' | 'role';
  /** Default: `'asc'` */ orderDirection?: 'asc' | 'desc';
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `50`) */ limit?: number;
  /** Default: `{}` */ search?: IdentitySearch;
};

export type UpdateIdentity = {
  identityId: string;
  name?: string;
  /** A built-in role of the organization, or the slug of a custom role */ role?: string;
  metadata?: MetadataEntry[];
  hasDeleteProtection?: boolean;
};

export interface IdentitiesApi {
  /** List the machine identities of an organization. `GET /api/v1/identities`. Needs `read` on `identity`. */
  list: Query<{ orgId: string }, { identities: IdentityMembership[]; totalCount: number }>;
  /** Search machine identities. `POST /api/v2/identities/search`. Needs `read` on `identity`. */
  search: Mutation<SearchIdentities, { identities: IdentityMembership[]; totalCount: number }>;
  /** Count the machine identities that match a search. `POST /api/v2/identities/search/count`. Needs `read` on `identity`. */
  count: Mutation<CountIdentities, { count: number }>;
  /**
   * List the machine identities of an organization, paginated.
   * `GET /api/v2/organizations/{orgId}/identity-memberships`. Needs `read` on `identity`.
   */
  listMemberships: Query<ListIdentityMemberships, { identityMemberships: IdentityMembership[]; totalCount: number }>;
  /** Read the machine identity of the caller. `GET /api/v1/identities/details`. */
  own: Query<
    NoInput,
    { identityDetails: { organization: { id: string; name: string; slug: string } }; identity: Identity }
  >;
  /**
   * Read a machine identity with its role in the organization.
   * `GET /api/v1/identities/{identityId}`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  get: Query<{ identityId: string }, { identity: IdentityMembership }>;
  /**
   * List the projects of a machine identity.
   * `GET /api/v1/identities/{identityId}/identity-memberships`. Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
   */
  listProjects: Query<{ identityId: string }, { identityMemberships: IdentityProject[] }>;
  /** Create a machine identity. `POST /api/v1/identities`. Needs `create` on `identity`. */
  create: Mutation<CreateIdentity, { identity: Identity }>;
  /**
   * Update a machine identity.
   * `PATCH /api/v1/identities/{identityId}`. Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
   */
  update: Mutation<UpdateIdentity, { identity: Identity }>;
  /**
   * Delete a machine identity and revoke its tokens.
   * `DELETE /api/v1/identities/{identityId}`. Needs `delete` on `identity` in the organization, or `delete` on `identity` in the project.
   */
  delete: Mutation<{ identityId: string }, { identity: Identity }>;
}
