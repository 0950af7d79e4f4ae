// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ChangedProjectRoles, GroupUser, MembershipRole, ProjectMember, ProjectMemberRef, PublishedRule, RoleAssignment } from './shared.ts';

export type OwnProjectAccess = {
  membership: {
    id: string;
    userId: string | null;
    identityId: string | null;
    projectId: string;
    roles: MembershipRole[];
    createdAt: string;
    updatedAt: string;
  };
  /** All rules in force, in order */ permissions: PublishedRule[];
};

export type ProjectUser = {
  /** ID of the membership */ id: string;
  userId: string;
  projectId: string;
  user: GroupUser & { /** Always null: keys stay on the server */ publicKey: string | null };
  /** Includes roles that have ended or not begun */ roles: MembershipRole[];
  /** Member by a group only; the ID is then that of the group's membership */ isGroupMember: boolean;
  project: { id: string; name: string };
};

export interface ProjectMembersV1Api {
  /**
   * List the members of a project.
   * `GET /api/v1/workspace/{workspaceId}/memberships`. Needs `read` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  list: Query<{ /** The ID of the project */ workspaceId: string }, { memberships: ProjectMember[] }>;
  /**
   * Add users of the organization to a project.
   * `POST /api/v1/workspace/{workspaceId}/memberships`. Needs `create` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  add: Mutation<
    { /** The ID of the project */ workspaceId: string; members: { orgMembershipId: string }[] },
    { success: boolean; data: ProjectMemberRef[] }
  >;
  /**
   * List the members of a project.
   * `GET /api/v1/workspace/{workspaceId}/users`. Needs `read` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  users: Query<
    {
      /** The ID of the project */ workspaceId: string;
      /** Includes members by a group only (default: `false`) */ includeGroupMembers?: boolean;
    },
    { users: ProjectUser[] }
  >;
  /**
   * Read a project membership.
   * `GET /api/v1/workspace/{workspaceId}/memberships/{membershipId}`. Needs `read` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  get: Query<{ /** The ID of the project */ workspaceId: string; membershipId: string }, { membership: ProjectMember }>;
  /**
   * Read the membership of a user in a project.
   * `POST /api/v1/workspace/{workspaceId}/memberships/details`. Needs `read` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  getByUsername: Mutation<
    { /** The ID of the project */ workspaceId: string; username: string },
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
  /**
   * Update the roles of a project member.
   * `PATCH /api/v1/workspace/{workspaceId}/memberships/{membershipId}`. Needs `edit` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  update: Mutation<
    { /** The ID of the project */ workspaceId: string; membershipId: string; roles: RoleAssignment[] },
    ChangedProjectRoles
  >;
  /**
   * Remove a user from a project.
   * `DELETE /api/v1/workspace/{workspaceId}/memberships/{membershipId}`. Needs `delete` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  remove: Mutation<
    { /** The ID of the project */ workspaceId: string; membershipId: string },
    { membership: ProjectMemberRef }
  >;
  /** Leave a project. `DELETE /api/v1/workspace/{workspaceId}/leave`. */
  leave: Mutation<{ /** The ID of the project */ workspaceId: string }, { membership: ProjectMemberRef }>;
  /** Read the membership and the permissions of the caller in a project. `GET /api/v1/workspace/{projectId}/permissions`. */
  permissions: Query<{ projectId: string }, { data: OwnProjectAccess }>;
}
