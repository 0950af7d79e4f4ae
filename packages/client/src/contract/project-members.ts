// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ChangedProjectRoles, GroupUser, MembershipRole, ProjectMember, ProjectMemberRef, RoleAssignment } from './shared.ts';

export type AddProjectMembers = {
  projectId: string;
  /** Default: `[]` */ emails?: string[];
  /** Default: `[]` */ usernames?: string[];
  /** Default: `["member"]` */ roleSlugs?: string[];
};

export type RemoveProjectMembers = {
  projectId: string;
  /** Default: `[]` */ emails?: string[];
  /** Default: `[]` */ usernames?: string[];
};

export type UpdateProjectMemberRoles = { projectId: string; membershipId: string; roles: RoleAssignment[] };

export interface ProjectMembersApi {
  /** List the members of a project. `GET /api/v1/projects/{projectId}/memberships`. Needs `read` on `member`. */
  list: Query<{ projectId: string }, { memberships: ProjectMember[] }>;
  /** Add users of the organization to a project. `POST /api/v1/projects/{projectId}/memberships`. Needs `create` on `member`. */
  add: Mutation<AddProjectMembers, { memberships: ProjectMemberRef[] }>;
  /** Read a project membership. `GET /api/v1/projects/{projectId}/memberships/{membershipId}`. Needs `read` on `member`. */
  get: Query<{ projectId: string; membershipId: string }, { membership: ProjectMember }>;
  /** Read the membership of a user in a project. `POST /api/v1/projects/{projectId}/memberships/details`. Needs `read` on `member`. */
  getByUsername: Mutation<
    { projectId: string; username: string },
    {
      membership: {
        /** ID of the membership */ id: string;
        userId: string;
        projectId: string;
        user: GroupUser & { /** Always null: keys stay on the server */ publicKey: string | null };
        /** Includes roles that have ended or not begun */ roles: MembershipRole[];
      };
    }
  >;
  /** Update the roles of a project member. `PATCH /api/v1/projects/{projectId}/memberships/{membershipId}`. Needs `edit` on `member`. */
  update: Mutation<UpdateProjectMemberRoles, ChangedProjectRoles>;
  /** Remove a user from a project. `DELETE /api/v1/projects/{projectId}/memberships/{membershipId}`. Needs `delete` on `member`. */
  remove: Mutation<{ projectId: string; membershipId: string }, { membership: ProjectMemberRef }>;
  /** Remove users from a project; all or none. `DELETE /api/v1/projects/{projectId}/memberships`. Needs `delete` on `member`. */
  removeMany: Mutation<RemoveProjectMembers, { memberships: ProjectMemberRef[] }>;
}
