// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { MetadataEntry } from './shared.ts';

export type CreateProjectIdentity = {
  name: string;
  /** Default: `[]` */ metadata?: MetadataEntry[];
  /** Default: `false` */ hasDeleteProtection?: boolean;
  /** UUID */ projectId: string;
  /** In the project (default: `[{"role":"no-access","isTemporary":false}]`) */
  roles?: ({
    /** A built-in role, or the slug of a custom role */ role: string;
    isTemporary: true;
    temporaryMode: 'relative';
    /** For example 30m, 1h, 2d */ temporaryRange: string;
    /** RFC 3339 */ temporaryAccessStartTime: string;
  } | {
    /** A built-in role, or the slug of a custom role */ role: string;
    /** Default: `false` */ isTemporary?: false;
  })[];
};

export type ListProjectIdentities = {
  /** UUID */ projectId: string;
  /** Default: `0` */ offset?: number;
  /** Default: `20` */ limit?: number;
  /** A part of the name */ search?: string;
};

export type ProjectIdentity = {
  /** UUID */ id: string;
  name: string;
  /** UUID */ orgId: string;
  /** null: the organization owns it */ projectId: string | null;
  /** true: it cannot be deleted */ hasDeleteProtection: boolean;
  metadata: {
    /** UUID */ id: string;
    key: string;
    value: string;
  }[];
  /** The attached login methods, for example `universal-auth` */
  authMethods: string[];
  createdAt: string;
  updatedAt: string;
  /** Login methods with recent failed attempts */
  activeLockoutAuthMethods: string[];
};

export type ProjectIdentityRef = {
  /** UUID */ projectId: string;
  /** UUID */ identityId: string;
};

export type UpdateProjectIdentity = {
  /** UUID */ identityId: string;
  name?: string;
  metadata?: MetadataEntry[];
  hasDeleteProtection?: boolean;
  /** UUID */ projectId: string;
};

export interface ProjectOwnedIdentitiesApi {
  /** List the machine identities that a project owns. `GET /api/v1/projects/{projectId}/identities`. Needs `read` on `identity`. */
  list: Query<ListProjectIdentities, { identities: ProjectIdentity[]; totalCount: number }>;
  /** Create a machine identity that a project owns. `POST /api/v1/projects/{projectId}/identities`. Needs `create` on `identity`. */
  create: Mutation<CreateProjectIdentity, { identity: ProjectIdentity }>;
  /**
   * Read a machine identity that a project owns.
   * `GET /api/v1/projects/{projectId}/identities/{identityId}`. Needs `read` on `identity`.
   */
  get: Query<ProjectIdentityRef, { identity: ProjectIdentity }>;
  /**
   * Update a machine identity that a project owns.
   * `PATCH /api/v1/projects/{projectId}/identities/{identityId}`. Needs `edit` on `identity`.
   */
  update: Mutation<UpdateProjectIdentity, { identity: ProjectIdentity }>;
  /**
   * Delete a machine identity that a project owns and revoke its tokens.
   * `DELETE /api/v1/projects/{projectId}/identities/{identityId}`. Needs `delete` on `identity`.
   */
  delete: Mutation<ProjectIdentityRef, { identity: ProjectIdentity }>;
}
