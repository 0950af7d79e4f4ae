// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ChangedProjectRoles, IdentityProject } from './shared.ts';

export type AddIdentityMember = {
  /** UUID */ projectId: string;
  /** UUID */ identityId: string;
  /** Used if `roles` is omitted (default: `'no-access'`) */ role?: string;
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

export type IdentityMemberById = {
  /** UUID */ projectId: string;
  /** UUID */ identityId: string;
};

export type IdentityMemberRef = {
  /** UUID */ id: string;
  /** UUID */ identityId: string;
  /** UUID */ projectId: string;
  createdAt: string;
  updatedAt: string;
};

export type ListIdentityMembers = {
  /** UUID */ projectId: string;
  /** Default: `0` */ offset?: number;
  /** Default: `20000` */ limit?: number;
  /** Default: `'name'` */ orderBy?: 'name';
  /** Default: `'asc'` */ orderDirection?: 'asc' | 'desc';
  /** A part of the name */ search?: string;
};

export type UpdateIdentityMember = {
  /** UUID */ projectId: string;
  /** UUID */ identityId: string;
  roles: ({
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
  get: Query<IdentityMemberById, { identityMembership: IdentityProject }>;
  /**
   * Read the membership of a machine identity by its ID.
   * `GET /api/v2/workspace/identity-memberships/{identityMembershipId}`. Needs `read` on `identity`.
   */
  getById: Query<
    {
      /** UUID */ identityMembershipId: string;
    },
    { identityMembership: IdentityProject }
  >;
  /**
   * Update the roles of a machine identity in a project.
   * `PATCH /api/v1/projects/{projectId}/memberships/identities/{identityId}`. Needs `edit` on `identity`.
   */
  update: Mutation<UpdateIdentityMember, ChangedProjectRoles>;
  /**
   * Remove a machine identity from a project.
   * `DELETE /api/v1/projects/{projectId}/memberships/identities/{identityId}`. Needs `delete` on `identity`.
   */
  remove: Mutation<IdentityMemberById, { identityMembership: IdentityMemberRef }>;
}
