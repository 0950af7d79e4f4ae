// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ChangedProjectRoles, IdentityProject, RoleAssignment } from './shared.ts';

export type AddIdentityMember = {
  projectId: string;
  identityId: string;
  /** Used if `roles` is omitted (default: `'no-access'`) */ role?: string;
  roles?: RoleAssignment[];
};

export type IdentityMemberRef = { id: string; identityId: string; projectId: string; createdAt: string; updatedAt: string };

export type ListIdentityMembers = {
  projectId: string;
  /** Default: `0` */ offset?: number;
  /** Default: `20000` */ limit?: number;
  /** Default: `'name'` */ orderBy?: 'name';
  /** Default: `'asc'` */ orderDirection?: 'asc' | 'desc';
  /** A part of the name */ search?: string;
};

export type UpdateIdentityMember = { projectId: string; identityId: string; roles: RoleAssignment[] };

export interface ProjectIdentitiesApi {
  /** List the machine identities of a project. `GET /api/v1/projects/{projectId}/memberships/identities`. Needs `read` on `identity`. */
  list: Query<ListIdentityMembers, { identityMemberships: IdentityProject[]; totalCount: number }>;
  /**
   * Add a machine identity to a project.
   * `POST /api/v1/projects/{projectId}/memberships/identities/{identityId}`. Needs `create` on `identity`.
   */
  add: Mutation<AddIdentityMember, { identityMembership: IdentityMemberRef }>;
  /**
   * Read the membership of a machine identity in a project.
   * `GET /api/v1/projects/{projectId}/memberships/identities/{identityId}`. Needs `read` on `identity`.
   */
  get: Query<{ projectId: string; identityId: string }, { identityMembership: IdentityProject }>;
  /**
   * Read the membership of a machine identity by its ID.
   * `GET /api/v2/workspace/identity-memberships/{identityMembershipId}`. Needs `read` on `identity`.
   */
  getById: Query<{ identityMembershipId: string }, { identityMembership: IdentityProject }>;
  /**
   * Update the roles of a machine identity in a project.
   * `PATCH /api/v1/projects/{projectId}/memberships/identities/{identityId}`. Needs `edit` on `identity`.
   */
  update: Mutation<UpdateIdentityMember, ChangedProjectRoles>;
  /**
   * Remove a machine identity from a project.
   * `DELETE /api/v1/projects/{projectId}/memberships/identities/{identityId}`. Needs `delete` on `identity`.
   */
  remove: Mutation<{ projectId: string; identityId: string }, { identityMembership: IdentityMemberRef }>;
}
