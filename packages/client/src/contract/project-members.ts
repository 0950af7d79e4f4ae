// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ChangedProjectRoles, GroupUser, MembersOfProject, ProjectMember, ProjectMemberRef } from './shared.ts';

export type AddProjectMembers = {
  /** UUID */ projectId: string;
  /** Default: `[]` */ emails?: string[];
  /** Default: `[]` */ usernames?: string[];
  /** Default: `["member"]` */ roleSlugs?: string[];
};

export type ProjectMemberByUsername = {
  /** UUID */ projectId: string;
  username: string;
};

export type ProjectMembershipById = {
  /** UUID */ projectId: string;
  /** UUID */ membershipId: string;
};

export type RemoveProjectMembers = {
  /** UUID */ projectId: string;
  /** Default: `[]` */ emails?: string[];
  /** Default: `[]` */ usernames?: string[];
};

export type UpdateProjectMemberRoles = {
  /** UUID */ projectId: string;
  /** UUID */ membershipId: string;
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

export interface ProjectMembersApi {
  /** List the members of a project. `GET /api/v1/projects/{projectId}/memberships`. Needs `read` on `member`. */
  list: Query<MembersOfProject, { memberships: ProjectMember[] }>;
  /** Add users of the organization to a project. `POST /api/v1/projects/{projectId}/memberships`. Needs `create` on `member`. */
  add: Mutation<AddProjectMembers, { memberships: ProjectMemberRef[] }>;
  /** Read a project membership. `GET /api/v1/projects/{projectId}/memberships/{membershipId}`. Needs `read` on `member`. */
  get: Query<ProjectMembershipById, { membership: ProjectMember }>;
  /** Read the membership of a user in a project. `POST /api/v1/projects/{projectId}/memberships/details`. Needs `read` on `member`. */
  getByUsername: Mutation<
    ProjectMemberByUsername,
    {
      membership: {
        /** ID of the membership */ id: string;
        /** UUID */ userId: string;
        /** UUID */ projectId: string;
        user: GroupUser & {
          /** Always null: keys stay on the server */ publicKey: string | null;
        };
        /** Includes roles that have ended or not begun */
        roles: {
          /** UUID */ id: string;
          role: string;
          customRoleId: string | null;
          customRoleName: string | null;
          customRoleSlug: string | null;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */ temporaryAccessEndTime: string | null;
        }[];
      };
    }
  >;
  /** Update the roles of a project member. `PATCH /api/v1/projects/{projectId}/memberships/{membershipId}`. Needs `edit` on `member`. */
  update: Mutation<UpdateProjectMemberRoles, ChangedProjectRoles>;
  /** Remove a user from a project. `DELETE /api/v1/projects/{projectId}/memberships/{membershipId}`. Needs `delete` on `member`. */
  remove: Mutation<ProjectMembershipById, { membership: ProjectMemberRef }>;
  /** Remove users from a project; all or none. `DELETE /api/v1/projects/{projectId}/memberships`. Needs `delete` on `member`. */
  removeMany: Mutation<RemoveProjectMembers, { memberships: ProjectMemberRef[] }>;
}
