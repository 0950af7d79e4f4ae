// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { MetadataEntry, RoleAssignment } from './shared.ts';

export type CreateProjectIdentity = {
  name: string;
  /** Default: `[]` */ metadata?: MetadataEntry[];
  /** Default: `false` */ hasDeleteProtection?: boolean;
  projectId: string;
  /** In the project (default: `[{"role":"no-access","isTemporary":false}]`) */ roles?: RoleAssignment[];
};

export type ListProjectIdentities = {
  projectId: string;
  /** Default: `0` */ offset?: number;
  /** Default: `20` */ limit?: number;
  /** A part of the name */ search?: string;
};

export type ProjectIdentity = {
  id: string;
  name: string;
  orgId: string;
  /** null: the organization owns it */ projectId: string | null;
  /** true: it cannot be deleted */ hasDeleteProtection: boolean;
  metadata: { id: string; key: string; value: string }[];
  /** The attached login methods, for example `universal-auth` */ authMethods: string[];
  createdAt: string;
  updatedAt: string;
  /** Login methods with recent failed attempts */ activeLockoutAuthMethods: string[];
};

export type UpdateProjectIdentity = { identityId: string; name?: string; metadata?: MetadataEntry[]; hasDeleteProtection?: boolean; projectId: string };

export interface ProjectOwnedIdentitiesApi {
  /** List the machine identities that a project owns. `GET /api/v1/projects/{projectId}/identities`. Needs `read` on `identity`. */
  list: Query<ListProjectIdentities, { identities: ProjectIdentity[]; totalCount: number }>;
  /** Create a machine identity that a project owns. `POST /api/v1/projects/{projectId}/identities`. Needs `create` on `identity`. */
  create: Mutation<CreateProjectIdentity, { identity: ProjectIdentity }>;
  /**
   * Read a machine identity that a project owns.
   * `GET /api/v1/projects/{projectId}/identities/{identityId}`. Needs `read` on `identity`.
   */
  get: Query<{ projectId: string; identityId: string }, { identity: ProjectIdentity }>;
  /**
   * Update a machine identity that a project owns.
   * `PATCH /api/v1/projects/{projectId}/identities/{identityId}`. Needs `edit` on `identity`.
   */
  update: Mutation<UpdateProjectIdentity, { identity: ProjectIdentity }>;
  /**
   * Delete a machine identity that a project owns and revoke its tokens.
   * `DELETE /api/v1/projects/{projectId}/identities/{identityId}`. Needs `delete` on `identity`.
   */
  delete: Mutation<{ projectId: string; identityId: string }, { identity: ProjectIdentity }>;
}
